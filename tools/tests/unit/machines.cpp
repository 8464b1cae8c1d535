// SPDX-License-Identifier: GPL-2.0-only
#include "machines.hpp"

namespace peerbar::testing
{
namespace
{

constexpr std::uint64_t pref_base = 0x10000000000;
constexpr std::uint64_t mem_base = 0xe0000000;

constexpr Range range(std::uint64_t start, std::uint64_t end)
{
    return Range{BusAddress{start}, BusAddress{end}};
}

Function root_port()
{
    Function function;
    function.address = {0, 0, 1, 0};
    function.vendor = 0x8086;
    function.device = 0x6f02;
    function.class_code = 0x060400;
    function.port = PortType::root;
    function.header = 1;
    function.buses = BridgeBuses{1, 1};
    function.windows = {
        {WindowType::io, range(0x2000, 0x2fff)},
        {WindowType::mem, range(mem_base, mem_base + 0xfffff)},
        {WindowType::pref64, range(pref_base, pref_base + mebibytes(258).count - 1)},
    };
    return function;
}

Function card()
{
    Function function;
    function.address = {0, 1, 0, 0};
    function.vendor = 0x1002;
    function.device = 0x744c;
    function.class_code = 0x030000;
    function.port = PortType::legacy_endpoint;
    function.bars = {
        {0, mebibytes(256), SpaceType::pref64, BusAddress{pref_base}},
        {2, mebibytes(2), SpaceType::pref64, BusAddress{pref_base + mebibytes(256).count}},
        {4, Bytes{256}, SpaceType::io, BusAddress{0x2000}},
        {5, mebibytes(1), SpaceType::mem32, BusAddress{mem_base}},
    };
    function.rebar = {{0, {mebibytes(256), mebibytes(512)}, mebibytes(256)}};
    return function;
}

} // namespace

Machine small_machine()
{
    Machine machine;
    machine.name = "small";
    machine.host_bridges = {{0,
                             0,
                             15,
                             {},
                             {{SpaceType::io, range(0x1000, 0x8fff)},
                              {SpaceType::mem32, range(0xe0000000, 0xefffffff)},
                              {SpaceType::pref64, range(pref_base, pref_base + 0xfffffffff)}}}};
    machine.functions = {root_port(), card()};
    return machine;
}

std::string text_of(const Problems &problems)
{
    std::string text;
    for (const Problem &problem : problems) {
        text += problem.where + ": " + problem.reason + "\n";
    }
    return text;
}

} // namespace peerbar::testing
