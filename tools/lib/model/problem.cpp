// SPDX-License-Identifier: GPL-2.0-only
#include "model/problem.hpp"

#include <fmt/format.h>

namespace peerbar
{

std::string to_line(std::string_view file, const Problem &problem)
{
    return fmt::format("{}: {}{}{}{}{}{}", file, problem.where, problem.where.empty() ? "" : ": ",
                       problem.reason, problem.remedy.empty() ? "" : " (", problem.remedy,
                       problem.remedy.empty() ? "" : ")");
}

} // namespace peerbar
