// SPDX-License-Identifier: GPL-2.0-only
//
// Carries out a ConfigfsPlan below a configfs mount, and takes a machine out
// again. A plain folder may stand in for the mount, for tests: the files and
// groups that the kernel would make are then made here.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "sim/configfs_plan.hpp"

namespace peerbar
{

inline constexpr std::string_view configfs_mount = "/sys/kernel/config";

// Why the work stopped, in words for the user. `input` says that what was asked
// for cannot be, and nothing was tried.
struct SimFailure {
    std::string text;
    bool input = false;
};

class ConfigfsTree
{
public:
    // Checks that the mount is there and that the simulator's folder is in it.
    static tl::expected<ConfigfsTree, SimFailure> open(const std::string &mount);

    // Does the steps in order. When one fails, removes what was made before.
    [[nodiscard]] tl::expected<void, SimFailure> load(const ConfigfsPlan &plan) const;

    // Writes live 0 and removes the machine's folders, innermost first.
    [[nodiscard]] tl::expected<void, SimFailure> unload(const std::string &name) const;

private:
    ConfigfsTree(std::string folder, bool plain);

    [[nodiscard]] std::string path_of(std::string_view below) const;
    [[nodiscard]] int carry_out(const ConfigfsStep &step) const;
    [[nodiscard]] int undo(const ConfigfsStep &step) const;
    [[nodiscard]] std::string undo_all(const ConfigfsPlan &plan, std::size_t done) const;
    [[nodiscard]] tl::expected<void, SimFailure> remove(const std::string &path, int depth) const;

    std::string m_folder; // <mount>/peerbar-sim
    bool m_plain = false;
};

} // namespace peerbar
