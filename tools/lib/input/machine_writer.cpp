// SPDX-License-Identifier: GPL-2.0-only
//
// Keys always come in the order of the schema; what has its usual value is left
// out, so that a machine has one spelling.
#include "input/json.hpp"
#include "input/machine_file.hpp"
#include "model/words.hpp"
#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

Json string_of(std::string_view text)
{
    return std::string(text);
}

template <typename Element, typename Convert>
Json list_of(const std::vector<Element> &elements, Convert convert)
{
    Json list = Json::array();
    for (const Element &element : elements) {
        list.push_back(convert(element));
    }
    return list;
}

template <typename Window> Json json_of_window(const Window &window)
{
    return Json{{"type", string_of(to_word(window.type))},
                {"start", to_text(window.range.start)},
                {"end", to_text(window.range.end)}};
}

Json json_of_host(const HostBridge &host)
{
    Json json{{"domain", host.domain}, {"bus_start", host.bus_start}, {"bus_end", host.bus_end}};
    if (host.node) {
        json["node"] = *host.node;
    }
    json["windows"] = list_of(host.windows, json_of_window<HostWindow>);
    return json;
}

Json json_of_bar(const Bar &bar)
{
    Json json{
        {"index", bar.index}, {"size", bar.size.count}, {"type", string_of(to_word(bar.type))}};
    if (bar.address) {
        json["address"] = to_text(*bar.address);
    }
    return json;
}

Json json_of_rebar(const Rebar &rebar)
{
    return Json{{"bar", rebar.bar},
                {"sizes", list_of(rebar.sizes, [](Bytes size) { return Json(size.count); })},
                {"current", rebar.current.count}};
}

Json json_of_acs(const Acs &acs)
{
    const auto word = [](AcsBit bit) { return string_of(to_word(bit)); };
    return Json{{"capable", list_of(acs.capable, word)}, {"enabled", list_of(acs.enabled, word)}};
}

Json json_of_link(const Link &link)
{
    Json json{{"speed", to_number(link.speed)}, {"max_speed", to_number(link.max_speed)}};
    if (link.target) {
        json["target"] = to_number(*link.target);
    }
    json["width"] = link.width;
    json["max_width"] = link.max_width;
    return json;
}

void add_identity(const Function &function, Json &json)
{
    json["address"] = to_text(function.address);
    json["vendor"] = format_hex(function.vendor, 4);
    json["device"] = format_hex(function.device, 4);
    if (function.subsystem) {
        json["subsystem"] = format_hex(function.subsystem->vendor, 4) + ":" +
                            format_hex(function.subsystem->device, 4);
    }
    json["class"] = format_hex(function.class_code, 6);
    if (function.revision) {
        json["revision"] = format_hex(*function.revision, 2);
    }
    json["port"] = to_word(function.port);
    if (function.header != 0 || usual_header(function.port) != 0) {
        json["header"] = function.header;
    }
    if (function.buses) {
        json["secondary"] = function.buses->secondary;
        json["subordinate"] = function.buses->subordinate;
    }
}

void add_space(const Function &function, Json &json)
{
    if (!function.bars.empty()) {
        json["bars"] = list_of(function.bars, json_of_bar);
    }
    if (function.rom.count != 0) {
        json["rom"] = function.rom.count;
    }
    if (!function.rebar.empty()) {
        json["rebar"] = list_of(function.rebar, json_of_rebar);
    }
    if (!function.windows.empty()) {
        json["windows"] = list_of(function.windows, json_of_window<BridgeWindow>);
    }
}

Json json_of_function(const Function &function)
{
    Json json = Json::object();
    add_identity(function, json);
    add_space(function, json);
    if (function.acs) {
        json["acs"] = json_of_acs(*function.acs);
    }
    if (function.link) {
        json["link"] = json_of_link(*function.link);
    }
    if (function.hotplug) {
        json["hotplug"] = true;
    }
    if (function.decode) {
        json["decode"] = *function.decode;
    }
    if (!function.driver.empty()) {
        json["driver"] = function.driver;
    }
    if (!function.config.empty()) {
        json["config"] = function.config;
    }
    return json;
}

} // namespace

std::string format_machine(const Machine &machine)
{
    Json json{{"schema", "peerbar/machine"}, {"version", 1}, {"name", machine.name}};
    if (!machine.comment.empty()) {
        json["comment"] = machine.comment;
    }
    if (!machine.preset) {
        json["preset"] = false;
    }
    json["host_bridges"] = list_of(machine.host_bridges, json_of_host);
    json["functions"] = list_of(machine.functions, json_of_function);
    return format_json(json);
}

} // namespace peerbar
