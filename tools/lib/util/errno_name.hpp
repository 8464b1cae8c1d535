// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace peerbar
{

// "ENOENT" for ENOENT; the number as text when the C library has no name for it.
std::string errno_name(int error);

} // namespace peerbar
