// SPDX-License-Identifier: GPL-2.0-only
//
// What must be made and written below configfs' peerbar-sim/ to describe a
// machine, as a list: no system call is made here.
#pragma once

#include <string>
#include <vector>

#include "model/machine.hpp"

namespace peerbar
{

struct ConfigfsStep {
    enum class Kind {
        item,  // mkdir: the kernel makes the item's attributes and groups
        group, // a folder that came with its item
        attribute
    };
    Kind kind = Kind::attribute;
    std::string path; // relative to peerbar-sim/
    std::string value;
    bool operator==(const ConfigfsStep &) const = default;
};

using ConfigfsPlan = std::vector<ConfigfsStep>;

// In the order in which it is to be done; the last step sets `live`.
ConfigfsPlan plan_configfs(const Machine &machine);

} // namespace peerbar
