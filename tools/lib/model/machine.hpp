// SPDX-License-Identifier: GPL-2.0-only
//
// The machine: the one data model that all of peerbar's commands share. Plain
// values, no behaviour; validate.hpp says which machines can exist.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/pci_address.hpp"
#include "model/units.hpp"

namespace peerbar
{

// What a BAR asks for and what a host bridge offers.
enum class SpaceType { io, mem32, pref32, mem64, pref64 };

// The register pairs of a bridge. pref32 and pref64 are the same registers with
// another meaning of their low bits, so a bridge has one of the two.
enum class WindowType { io, mem, pref32, pref64 };

// PCIe capability, device/port type (PCIe r6.2, sec. 7.5.3.2). `conventional`
// stands for a function without the capability.
enum class PortType {
    root,
    upstream,
    downstream,
    endpoint,
    legacy_endpoint,
    conventional,
    root_integrated
};

// ACS capability and control bits, in register order (PCIe r6.2, sec. 7.7.11).
enum class AcsBit { sv, tb, rr, cr, uf, ec, dt };

enum class LinkSpeed { gt2_5, gt5, gt8, gt16, gt32 };

struct HostWindow {
    SpaceType type = SpaceType::mem32;
    Range range;
    bool operator==(const HostWindow &) const = default;
};

struct HostBridge {
    std::uint16_t domain = 0;
    std::uint8_t bus_start = 0;
    std::uint8_t bus_end = 0;
    std::optional<unsigned> node;
    std::vector<HostWindow> windows;
    bool operator==(const HostBridge &) const = default;
};

struct SubsystemId {
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    bool operator==(const SubsystemId &) const = default;
};

struct Bar {
    unsigned index = 0;
    Bytes size;
    SpaceType type = SpaceType::mem32;
    std::optional<BusAddress> address; // empty: firmware left it unassigned
    bool operator==(const Bar &) const = default;
};

// One entry of the Resizable BAR capability (PCIe r6.2, sec. 7.8.6).
struct Rebar {
    unsigned bar = 0;
    std::vector<Bytes> sizes;
    Bytes current;
    bool operator==(const Rebar &) const = default;
};

struct BridgeWindow {
    WindowType type = WindowType::mem;
    Range range;
    bool operator==(const BridgeWindow &) const = default;
};

struct Acs {
    std::vector<AcsBit> capable;
    std::vector<AcsBit> enabled;
    bool operator==(const Acs &) const = default;
};

struct Link {
    LinkSpeed speed = LinkSpeed::gt2_5;
    LinkSpeed max_speed = LinkSpeed::gt2_5;
    std::optional<LinkSpeed> target;
    unsigned width = 1;
    unsigned max_width = 1;
    bool operator==(const Link &) const = default;
};

// Bus numbers of a bridge; its primary bus is the one it sits on.
struct BridgeBuses {
    std::uint8_t secondary = 0;
    std::uint8_t subordinate = 0;
    bool operator==(const BridgeBuses &) const = default;
};

struct Function {
    PciAddress address;
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::optional<SubsystemId> subsystem;
    std::uint32_t class_code = 0;
    std::optional<std::uint8_t> revision;
    PortType port = PortType::endpoint;
    unsigned header = 0;
    std::optional<BridgeBuses> buses;
    std::vector<Bar> bars;
    Bytes rom;
    std::vector<Rebar> rebar;
    std::vector<BridgeWindow> windows;
    std::optional<Acs> acs;
    std::optional<Link> link;
    bool hotplug = false;
    std::optional<bool> decode; // empty: on when firmware preset anything
    std::string driver;
    std::string config; // hexadecimal bytes of configuration space, may be empty
    bool operator==(const Function &) const = default;
};

struct Machine {
    std::string name;
    std::string comment;
    bool preset = true;
    std::vector<HostBridge> host_bridges;
    std::vector<Function> functions;
    bool operator==(const Machine &) const = default;
};

constexpr bool is_bridge(const Function &function)
{
    return function.header == 1;
}

// The header type a port has unless the file says otherwise: the DMI host
// bridge of a Xeon E5 calls itself a root port and has header type 0.
constexpr unsigned usual_header(PortType port)
{
    return port == PortType::root || port == PortType::upstream || port == PortType::downstream
               ? 1U
               : 0U;
}

constexpr bool is_io(SpaceType type)
{
    return type == SpaceType::io;
}

constexpr bool is_64bit(SpaceType type)
{
    return type == SpaceType::mem64 || type == SpaceType::pref64;
}

constexpr bool is_prefetchable(SpaceType type)
{
    return type == SpaceType::pref32 || type == SpaceType::pref64;
}

constexpr bool is_prefetchable(WindowType type)
{
    return type == WindowType::pref32 || type == WindowType::pref64;
}

} // namespace peerbar
