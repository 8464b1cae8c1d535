// SPDX-License-Identifier: GPL-2.0-only
#include "sim/configfs_plan.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/words.hpp"
#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

std::string text_of(std::uint64_t number)
{
    return fmt::format("{}", number);
}

std::string list_of(const std::vector<Bytes> &sizes)
{
    std::string list;
    for (const Bytes size : sizes) {
        list += fmt::format("{}{}", list.empty() ? "" : ",", size.count);
    }
    return list;
}

std::string list_of(const std::vector<AcsBit> &bits)
{
    std::string list;
    for (const AcsBit bit : bits) {
        list += fmt::format("{}{}", list.empty() ? "" : ",", to_word(bit));
    }
    return list;
}

// Adds steps below one folder. Folders are named in the order of the tree.
class Folder
{
public:
    Folder(ConfigfsPlan &plan, std::string path) : m_plan(plan), m_path(std::move(path)) {}

    static Folder item(ConfigfsPlan &plan, std::string path)
    {
        plan.push_back({ConfigfsStep::Kind::item, path, {}});
        return {plan, std::move(path)};
    }

    [[nodiscard]] Folder item(std::string_view name) const { return item(m_plan, below(name)); }

    [[nodiscard]] Folder group(std::string_view name) const
    {
        m_plan.push_back({ConfigfsStep::Kind::group, below(name), {}});
        return {m_plan, below(name)};
    }

    void set(std::string_view attribute, std::string value) const
    {
        m_plan.push_back({ConfigfsStep::Kind::attribute, below(attribute), std::move(value)});
    }

private:
    [[nodiscard]] std::string below(std::string_view name) const
    {
        return fmt::format("{}/{}", m_path, name);
    }

    ConfigfsPlan &m_plan;
    std::string m_path;
};

template <typename Window> void plan_range(const Folder &folder, const Window &window)
{
    folder.set("start", to_text(window.range.start));
    folder.set("end", to_text(window.range.end));
}

void plan_host_bridge(const Folder &bridges, const HostBridge &host)
{
    const Folder folder = bridges.item(to_text(PciBus{host.domain, host.bus_start}));
    folder.set("bus_start", text_of(host.bus_start));
    folder.set("bus_end", text_of(host.bus_end));
    if (host.node) {
        folder.set("node", text_of(*host.node));
    }
    const Folder windows = folder.group("windows");
    for (std::size_t i = 0; i < host.windows.size(); i++) {
        const Folder window = windows.item(text_of(i));
        plan_range(window, host.windows[i]);
        window.set("type", std::string(to_word(host.windows[i].type)));
    }
}

void plan_identity(const Folder &folder, const Function &function)
{
    folder.set("vendor", format_hex(function.vendor, 4));
    folder.set("device", format_hex(function.device, 4));
    if (function.subsystem) {
        folder.set("subsystem_vendor", format_hex(function.subsystem->vendor, 4));
        folder.set("subsystem_device", format_hex(function.subsystem->device, 4));
    }
    folder.set("class", format_hex(function.class_code, 6));
    if (function.revision) {
        folder.set("revision", format_hex(*function.revision, 2));
    }
    folder.set("port", std::string(to_word(function.port)));
    folder.set("header", text_of(function.header));
    if (function.buses) {
        folder.set("secondary", text_of(function.buses->secondary));
        folder.set("subordinate", text_of(function.buses->subordinate));
    }
    if (function.rom.count != 0) {
        folder.set("rom", text_of(function.rom.count));
    }
    if (function.decode) {
        folder.set("decode", *function.decode ? "1" : "0");
    }
}

void plan_capabilities(const Folder &folder, const Function &function)
{
    if (function.link) {
        const Link &link = *function.link;
        folder.set("link_max_speed", std::string(to_word(link.max_speed)));
        folder.set("link_speed", std::string(to_word(link.speed)));
        if (link.target) {
            folder.set("link_target", std::string(to_word(*link.target)));
        }
        folder.set("link_max_width", text_of(link.max_width));
        folder.set("link_width", text_of(link.width));
    }
    if (function.hotplug) {
        folder.set("hotplug", "1");
    }
    if (function.acs) {
        folder.set("acs_capable", list_of(function.acs->capable));
        folder.set("acs_enabled", list_of(function.acs->enabled));
    }
}

void plan_bars(const Folder &folder, const Function &function)
{
    const Folder bars = folder.group("bars");
    for (const Bar &bar : function.bars) {
        const Folder item = bars.item(text_of(bar.index));
        item.set("size", text_of(bar.size.count));
        item.set("type", std::string(to_word(bar.type)));
        if (bar.address) {
            item.set("address", to_text(*bar.address));
        }
    }
    const Folder rebar = folder.group("rebar");
    for (const Rebar &entry : function.rebar) {
        const Folder item = rebar.item(text_of(entry.bar));
        item.set("sizes", list_of(entry.sizes));
        item.set("current", text_of(entry.current.count));
    }
}

void plan_function(const Folder &functions, const Function &function)
{
    const Folder folder = functions.item(to_text(function.address));
    plan_identity(folder, function);
    plan_capabilities(folder, function);
    plan_bars(folder, function);
    const Folder windows = folder.group("windows");
    for (const BridgeWindow &window : function.windows) {
        plan_range(windows.item(to_word(window.type)), window);
    }
}

} // namespace

ConfigfsPlan plan_configfs(const Machine &machine)
{
    ConfigfsPlan plan;
    const Folder folder = Folder::item(plan, machine.name);
    folder.set("preset", machine.preset ? "1" : "0");
    const Folder bridges = folder.group("host_bridges");
    for (const HostBridge &host : machine.host_bridges) {
        plan_host_bridge(bridges, host);
    }
    const Folder functions = folder.group("functions");
    for (const Function &function : machine.functions) {
        plan_function(functions, function);
    }
    folder.set("live", "1");
    return plan;
}

} // namespace peerbar
