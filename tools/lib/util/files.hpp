// SPDX-License-Identifier: GPL-2.0-only
//
// Files as the kernel's own file systems want them used: one open, one read or
// write, and the errno when that fails.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace peerbar
{

enum class Create { no, yes };

// Writes all of `text` in one call. 0, or the errno.
int write_attribute(const std::string &path, std::string_view text, Create create);

// The whole file, or the errno.
tl::expected<std::string, int> read_file(const std::string &path);

// The file's first 4096 bytes without a newline at the end, or the errno.
tl::expected<std::string, int> read_attribute(const std::string &path);

} // namespace peerbar
