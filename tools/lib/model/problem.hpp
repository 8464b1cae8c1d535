// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace peerbar
{

// One thing wrong with a machine: where (a JSON pointer, RFC 6901; a line and
// column when the text is not JSON), what, and what would put it right.
struct Problem {
    std::string where;
    std::string reason;
    std::string remedy;
    bool operator==(const Problem &) const = default;
};

using Problems = std::vector<Problem>;

// "file: where: reason (remedy)", without what is empty.
std::string to_line(std::string_view file, const Problem &problem);

} // namespace peerbar
