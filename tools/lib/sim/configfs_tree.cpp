// SPDX-License-Identifier: GPL-2.0-only
#include "sim/configfs_tree.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/errno_name.hpp"
#include "util/files.hpp"

namespace peerbar
{
namespace
{

using Kind = ConfigfsStep::Kind;

constexpr std::string_view subsystem = "peerbar-sim";

// CONFIGFS_MAGIC of fs/configfs/mount.c, which no header exports.
constexpr long configfs_magic = 0x62656570;

bool is_configfs(const std::string &path)
{
    struct statfs info = {};
    return ::statfs(path.c_str(), &info) == 0 && info.f_type == configfs_magic;
}

int result_of(int call)
{
    return call == 0 ? 0 : errno;
}

int make_folder(const std::string &path)
{
    return result_of(::mkdir(path.c_str(), 0755));
}

int remove_folder(const std::string &path)
{
    return result_of(::rmdir(path.c_str()));
}

std::string remedy_for(const ConfigfsStep &step, int error)
{
    const bool machine = step.path.find('/') == std::string::npos;
    switch (error) {
    case EEXIST:
        return machine ? fmt::format("it is loaded already: run \"peerbar sim unload {}\" first",
                                     step.path)
                       : "the machine is being loaded by someone else";
    case EACCES:
    case EPERM:
    case EROFS:
        return "run it as root";
    case EBUSY:
        return "the machine is live: unload it first";
    case ENOENT:
        return "peerbar and peerbar-sim.ko are of different versions: build both from one tree";
    default:
        return "the kernel log (dmesg) says why";
    }
}

SimFailure failure_of(const ConfigfsStep &step, const std::string &path, int error)
{
    const std::string what = step.kind == Kind::attribute
                                 ? fmt::format("writing \"{}\" to {}", step.value, path)
                                 : fmt::format("making {}", path);
    return {fmt::format("{}: {} ({})", what, errno_name(error), remedy_for(step, error)), false};
}

// Names of what is in a folder, folders and files apart.
struct Listing {
    std::vector<std::string> folders;
    std::vector<std::string> files;
};

Listing list_folder(const std::string &path, std::error_code &error)
{
    namespace fs = std::filesystem;
    Listing listing;
    for (const fs::directory_entry &entry : fs::directory_iterator(path, error)) {
        std::error_code ignored;
        const bool folder = fs::is_directory(entry.symlink_status(ignored));
        (folder ? listing.folders : listing.files).push_back(entry.path().string());
    }
    return listing;
}

tl::unexpected<SimFailure> cannot_remove(const std::string &path, int error)
{
    return tl::unexpected(SimFailure{
        fmt::format("removing {}: {} (something in it is still in use)", path, errno_name(error)),
        false});
}

} // namespace

ConfigfsTree::ConfigfsTree(std::string folder, bool plain)
    : m_folder(std::move(folder)), m_plain(plain)
{
}

tl::expected<ConfigfsTree, SimFailure> ConfigfsTree::open(const std::string &mount)
{
    const bool plain = !is_configfs(mount);
    if (plain && mount == configfs_mount) {
        return tl::unexpected(SimFailure{
            fmt::format("configfs is not mounted at {} (run \"mount -t configfs none {}\" as root)",
                        mount, mount),
            false});
    }
    std::string folder = fmt::format("{}/{}", mount, subsystem);
    struct stat info = {};
    if (::stat(mount.c_str(), &info) != 0) {
        return tl::unexpected(
            SimFailure{fmt::format("{}: {} (give the folder where configfs is mounted)", mount,
                                   errno_name(errno)),
                       false});
    }
    if (::stat(folder.c_str(), &info) != 0) {
        const int error = errno;
        return tl::unexpected(
            SimFailure{fmt::format("{}: {} ({})", folder, errno_name(error),
                                   error == ENOENT ? "load the module: \"modprobe peerbar-sim\""
                                                   : "run it as root"),
                       false});
    }
    return ConfigfsTree(std::move(folder), plain);
}

std::string ConfigfsTree::path_of(std::string_view below) const
{
    return fmt::format("{}/{}", m_folder, below);
}

int ConfigfsTree::carry_out(const ConfigfsStep &step) const
{
    const std::string path = path_of(step.path);
    switch (step.kind) {
    case Kind::item:
        return make_folder(path);
    case Kind::group:
        return m_plain ? make_folder(path) : 0;
    case Kind::attribute:
        // Without the newline an empty value would be a write of nothing, of
        // which the kernel does not tell the attribute.
        return write_attribute(path, step.value + "\n", m_plain ? Create::yes : Create::no);
    }
    return EINVAL;
}

int ConfigfsTree::undo(const ConfigfsStep &step) const
{
    const std::string path = path_of(step.path);
    if (step.kind == Kind::item || (m_plain && step.kind == Kind::group)) {
        return remove_folder(path);
    }
    return m_plain ? result_of(::unlink(path.c_str())) : 0;
}

// Takes back the first `done` steps. Says what could not be taken back.
std::string ConfigfsTree::undo_all(const ConfigfsPlan &plan, std::size_t done) const
{
    std::string left;
    for (std::size_t i = done; i-- > 0;) {
        const int error = undo(plan[i]);
        if (error != 0) {
            left += fmt::format("\nremoving {}: {} (remove it by hand)", path_of(plan[i].path),
                                errno_name(error));
        }
    }
    return left;
}

tl::expected<void, SimFailure> ConfigfsTree::load(const ConfigfsPlan &plan) const
{
    for (std::size_t i = 0; i < plan.size(); i++) {
        const int error = carry_out(plan[i]);
        if (error != 0) {
            SimFailure failure = failure_of(plan[i], path_of(plan[i].path), error);
            // A plain folder may hold the file of an attribute that was not written.
            const bool left_file = m_plain && plan[i].kind == Kind::attribute && error != ENOENT;
            failure.text += undo_all(plan, left_file ? i + 1 : i);
            return tl::unexpected(std::move(failure));
        }
    }
    return {};
}

// Items and the groups that came with them alternate: machine, host_bridges,
// one bridge, windows, one window. The kernel removes groups with their item.
tl::expected<void, SimFailure> ConfigfsTree::remove(const std::string &path, int depth) const
{
    std::error_code error;
    const Listing listing = list_folder(path, error);
    if (error) {
        return cannot_remove(path, error.value());
    }
    for (const std::string &folder : listing.folders) {
        auto removed = remove(folder, depth + 1);
        if (!removed) {
            return removed;
        }
    }
    if (m_plain) {
        for (const std::string &file : listing.files) {
            ::unlink(file.c_str());
        }
    }
    const bool item = depth % 2 == 0;
    const int result = item || m_plain ? remove_folder(path) : 0;
    return result == 0 ? tl::expected<void, SimFailure>() : cannot_remove(path, result);
}

tl::expected<void, SimFailure> ConfigfsTree::unload(const std::string &name) const
{
    const std::string path = path_of(name);
    struct stat info = {};
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos ||
        ::stat(path.c_str(), &info) != 0) {
        return tl::unexpected(
            SimFailure{fmt::format("no machine \"{}\" is loaded (names are the folders in {})",
                                   name, m_folder),
                       true});
    }
    const std::string live = path + "/live";
    // What is not live refuses to be made so; it was left by a load that failed.
    if (read_attribute(live).value_or("0") != "0") {
        const int error = write_attribute(live, "0\n", m_plain ? Create::yes : Create::no);
        if (error != 0) {
            return tl::unexpected(failure_of({Kind::attribute, name + "/live", "0"}, live, error));
        }
    }
    return remove(path, 0);
}

} // namespace peerbar
