// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "input/json_node.hpp"
#include "input/machine_file.hpp"
#include "model/validate.hpp"
#include "model/words.hpp"
#include "util/errno_name.hpp"
#include "util/files.hpp"
#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

constexpr std::uint64_t max_domain = 0xffff;
constexpr std::uint64_t max_bus = 0xff;
constexpr std::uint64_t max_node = 1023; // MAX_NUMNODES of x86 with NODES_SHIFT=10
constexpr std::uint64_t max_bar_index = 5;
constexpr std::uint64_t format_version = 1;
constexpr std::string_view format_name = "peerbar/machine";

auto integer_up_to(std::uint64_t most)
{
    return [most](const Node &node) { return read_integer(node, Bounds{0, most}); };
}

std::optional<std::uint64_t> read_lanes(const Node &node)
{
    return read_integer(node, Bounds{1, 32});
}

auto id_of(std::size_t digits)
{
    return [digits](const Node &node) { return read_id(node, digits); };
}

std::optional<Bytes> read_bytes(const Node &node)
{
    const auto count = read_integer(node, Bounds{});
    return count ? std::optional(Bytes{*count}) : std::nullopt;
}

std::optional<BusAddress> read_bus_address(const Node &node)
{
    const auto value = read_address(node);
    return value ? std::optional(BusAddress{*value}) : std::nullopt;
}

// 0 in a BAR means that nothing was assigned, as in configfs.
std::optional<std::optional<BusAddress>> read_bar_address(const Node &node)
{
    const auto value = read_address(node);
    if (!value) {
        return std::nullopt;
    }
    return *value != 0 ? std::optional(BusAddress{*value}) : std::optional<BusAddress>();
}

template <typename Enum> std::optional<Enum> read_word(const Node &node)
{
    const auto text = read_string(node);
    if (!text) {
        return std::nullopt;
    }
    const auto value = from_word<Enum>(*text);
    if (!value) {
        node.fail(fmt::format("{} is not one of the known words", Json(*text).dump()),
                  fmt::format("use {}", all_words<Enum>()));
    }
    return value;
}

std::optional<PciAddress> read_pci_address(const Node &node)
{
    const auto text = read_string(node);
    if (!text) {
        return std::nullopt;
    }
    const auto address = parse_pci_address(*text);
    if (!address) {
        node.fail(fmt::format("{} is not a PCI address", Json(*text).dump()),
                  "write domain:bus:device.function in full, such as \"0000:05:00.0\"");
    }
    return address;
}

std::optional<SubsystemId> read_subsystem(const Node &node)
{
    const auto text = read_string(node);
    if (!text) {
        return std::nullopt;
    }
    const std::size_t colon = std::min(text->find(':'), text->size());
    const auto vendor = parse_hex_digits(std::string_view(*text).substr(0, colon), 4);
    const auto device =
        parse_hex_digits(std::string_view(*text).substr(std::min(colon + 1, text->size())), 4);
    if (!vendor || !device) {
        node.fail(fmt::format("{} is not a subsystem", Json(*text).dump()),
                  "write vendor:device, such as \"0x1002:0x0e3b\"");
        return std::nullopt;
    }
    return SubsystemId{static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)};
}

std::optional<std::string> read_hex_bytes(const Node &node)
{
    auto text = read_string(node);
    if (text && text->find_first_not_of("0123456789abcdef") != std::string::npos) {
        node.fail("not hexadecimal", "write lower-case hexadecimal digits only");
        return std::nullopt;
    }
    return text;
}

std::optional<LinkSpeed> read_speed(const Node &node)
{
    if (!node.value().is_number()) {
        node.fail_type("a number", fmt::format("use {} (GT/s)", all_words<LinkSpeed>()));
        return std::nullopt;
    }
    const auto speed = speed_from_number(node.value().get<double>());
    if (!speed) {
        node.fail(fmt::format("{} is not a link speed", node.value().dump()),
                  fmt::format("use {} (GT/s)", all_words<LinkSpeed>()));
    }
    return speed;
}

template <typename Window, typename Type> std::optional<Window> read_window(const Node &node)
{
    ObjectReader object(node);
    Window window;
    object.required("type", read_word<Type>, window.type, "one of " + all_words<Type>());
    object.required("start", read_bus_address, window.range.start, "the first address");
    object.required("end", read_bus_address, window.range.end, "the last address, inclusive");
    object.finish();
    return window;
}

std::optional<HostBridge> read_host_bridge(const Node &node)
{
    ObjectReader object(node);
    HostBridge host;
    object.required("domain", integer_up_to(max_domain), host.domain, "the domain, usually 0");
    object.required("bus_start", integer_up_to(max_bus), host.bus_start, "the root bus");
    object.required("bus_end", integer_up_to(max_bus), host.bus_end, "the last bus");
    object.optional("node", integer_up_to(max_node), host.node);
    object.required(
        "windows",
        [](const Node &list) { return read_list(list, read_window<HostWindow, SpaceType>); },
        host.windows, "the host bridge's windows, or []");
    object.finish();
    return host;
}

std::optional<Bar> read_bar(const Node &node)
{
    ObjectReader object(node);
    Bar bar;
    object.required("index", integer_up_to(max_bar_index), bar.index, "the BAR's number");
    object.required("size", read_bytes, bar.size, "the size in bytes");
    object.required("type", read_word<SpaceType>, bar.type, "one of " + all_words<SpaceType>());
    object.optional("address", read_bar_address, bar.address);
    object.finish();
    return bar;
}

std::optional<Rebar> read_rebar(const Node &node)
{
    ObjectReader object(node);
    Rebar rebar;
    object.required("bar", integer_up_to(max_bar_index), rebar.bar, "the BAR's number");
    object.required(
        "sizes", [](const Node &list) { return read_list(list, read_bytes); }, rebar.sizes,
        "the supported sizes in bytes");
    object.required("current", read_bytes, rebar.current, "the current size in bytes");
    object.finish();
    return rebar;
}

std::optional<Acs> read_acs(const Node &node)
{
    const auto read_bits = [](const Node &list) { return read_list(list, read_word<AcsBit>); };
    ObjectReader object(node);
    Acs acs;
    object.required("capable", read_bits, acs.capable, "the bits of the capability, or []");
    object.required("enabled", read_bits, acs.enabled, "the bits that are set, or []");
    object.finish();
    return acs;
}

std::optional<Link> read_link(const Node &node)
{
    ObjectReader object(node);
    Link link;
    object.required("speed", read_speed, link.speed, "the speed in GT/s");
    object.required("max_speed", read_speed, link.max_speed, "the highest speed in GT/s");
    object.optional("target", read_speed, link.target);
    object.required("width", read_lanes, link.width, "the number of lanes");
    object.required("max_width", read_lanes, link.max_width, "the highest number of lanes");
    object.finish();
    return link;
}

// Both numbers or neither.
void read_buses(ObjectReader &object, Function &function)
{
    BridgeBuses buses;
    if (object.has("secondary") || object.has("subordinate")) {
        object.required("secondary", integer_up_to(max_bus), buses.secondary,
                        "the bus directly below");
        object.required("subordinate", integer_up_to(max_bus), buses.subordinate,
                        "the highest bus below");
        function.buses = buses;
    } else {
        object.optional("secondary", integer_up_to(max_bus), buses.secondary);
        object.optional("subordinate", integer_up_to(max_bus), buses.subordinate);
    }
}

void read_space(ObjectReader &object, Function &function)
{
    object.optional(
        "bars", [](const Node &list) { return read_list(list, read_bar); }, function.bars);
    object.optional("rom", read_bytes, function.rom);
    object.optional(
        "rebar", [](const Node &list) { return read_list(list, read_rebar); }, function.rebar);
    object.optional(
        "windows",
        [](const Node &list) { return read_list(list, read_window<BridgeWindow, WindowType>); },
        function.windows);
}

std::optional<Function> read_function(const Node &node)
{
    ObjectReader object(node);
    Function function;
    object.required("address", read_pci_address, function.address,
                    "the address, such as \"0000:05:00.0\"");
    object.required("vendor", id_of(4), function.vendor, "the vendor, such as \"0x1002\"");
    object.required("device", id_of(4), function.device, "the device, such as \"0x744c\"");
    object.optional("subsystem", read_subsystem, function.subsystem);
    object.required("class", id_of(6), function.class_code, "the class, such as \"0x030000\"");
    object.optional("revision", id_of(2), function.revision);
    object.required("port", read_word<PortType>, function.port, "one of " + all_words<PortType>());
    function.header = usual_header(function.port);
    object.optional("header", integer_up_to(1), function.header);
    read_buses(object, function);
    read_space(object, function);
    object.optional("acs", read_acs, function.acs);
    object.optional("link", read_link, function.link);
    object.optional("hotplug", read_bool, function.hotplug);
    object.optional("decode", read_bool, function.decode);
    object.optional("driver", read_string, function.driver);
    object.optional("config", read_hex_bytes, function.config);
    object.finish();
    return function;
}

// The two keys that say what kind of file this is.
void read_format(ObjectReader &object)
{
    std::string name;
    std::uint64_t version = 0;
    object.required(
        "schema",
        [](const Node &node) {
            auto text = read_string(node);
            if (text && *text != format_name) {
                node.fail(fmt::format("{} is not a machine file", Json(*text).dump()),
                          fmt::format("a machine file has \"{}\"", format_name));
            }
            return text;
        },
        name, fmt::format("\"schema\": \"{}\"", format_name));
    object.required(
        "version",
        [](const Node &node) {
            auto number = read_integer(node, Bounds{});
            if (number && *number != format_version) {
                node.fail(fmt::format("version {} is not known", *number),
                          fmt::format("this peerbar reads version {}", format_version));
            }
            return number;
        },
        version, fmt::format("\"version\": {}", format_version));
}

Machine read_machine(const Node &node)
{
    ObjectReader object(node);
    Machine machine;
    read_format(object);
    object.required("name", read_string, machine.name, "the machine's name");
    object.optional("comment", read_string, machine.comment);
    object.optional("preset", read_bool, machine.preset);
    object.required(
        "host_bridges", [](const Node &list) { return read_list(list, read_host_bridge); },
        machine.host_bridges, "at least one host bridge");
    object.required(
        "functions", [](const Node &list) { return read_list(list, read_function); },
        machine.functions, "the machine's functions, or []");
    object.finish();
    return machine;
}

// True when `problem` is about a part in which a key could not be read, so that
// its values are not what the file says.
bool is_in_unread_part(const Problem &problem, const std::vector<std::string> &unread)
{
    return std::ranges::any_of(unread, [&](const std::string &pointer) {
        const std::string part = pointer.substr(0, pointer.rfind('/'));
        return pointer.empty() || problem.where == pointer ||
               (!part.empty() && problem.where.starts_with(part + "/"));
    });
}

// Buses and neighbours cannot be judged when one of them was not read.
Problems problems_of(const Machine &machine, const std::vector<std::string> &unread)
{
    if (unread.empty()) {
        return validate(machine);
    }
    Problems problems = validate_parts(machine);
    std::erase_if(problems, [&](const Problem &p) { return is_in_unread_part(p, unread); });
    return problems;
}

} // namespace

tl::expected<Machine, Problems> parse_machine(std::string_view text)
{
    const auto json = parse_json(text);
    if (!json) {
        return tl::unexpected(json.error());
    }
    ReadLog log;
    Machine machine = read_machine(Node(*json, "", log));
    Problems problems = std::move(log.problems);
    const Problems more = problems_of(machine, log.unread);
    problems.insert(problems.end(), more.begin(), more.end());
    if (!problems.empty()) {
        return tl::unexpected(std::move(problems));
    }
    return machine;
}

tl::expected<Machine, Problems> read_machine_file(const std::string &path)
{
    const auto text = read_file(path);
    if (!text) {
        return tl::unexpected(
            Problems{{"", fmt::format("cannot be read: {}", errno_name(text.error())),
                      "give the path of a machine file"}});
    }
    return parse_machine(*text);
}

} // namespace peerbar
