// SPDX-License-Identifier: GPL-2.0-only
#include "util/errno_name.hpp"

#include <cstring>

namespace peerbar
{

std::string errno_name(int error)
{
    // strerrorname_np() needs glibc 2.32; unlike strerror() it knows no locale.
    const char *name = strerrorname_np(error);
    return name != nullptr ? std::string(name) : std::to_string(error);
}

} // namespace peerbar
