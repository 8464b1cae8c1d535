// SPDX-License-Identifier: GPL-2.0-only
//
// What must be accepted, and the edges of each rule. The refusals with their
// whole messages are in tests/cli/broken.
#include <gtest/gtest.h>

#include "machines.hpp"
#include "model/validate.hpp"

namespace peerbar
{
namespace
{

using testing::gpu;
using testing::port;
using testing::small_machine;
using testing::text_of;

constexpr Range range(std::uint64_t start, std::uint64_t end)
{
    return Range{BusAddress{start}, BusAddress{end}};
}

TEST(Validate, SmallMachineIsGood)
{
    EXPECT_EQ(text_of(validate(small_machine())), "");
}

TEST(Validate, NothingPresetIsGood)
{
    Machine machine = small_machine();
    machine.preset = false;
    machine.functions[port].windows.clear();
    for (Bar &bar : machine.functions[gpu].bars) {
        bar.address.reset();
    }
    EXPECT_EQ(text_of(validate(machine)), "");
}

// Firmware puts BAR 2 below BAR 0 on some boards.
TEST(Validate, OrderOfBarsInTheWindowIsFree)
{
    Machine machine = small_machine();
    auto &bars = machine.functions[gpu].bars;
    machine.functions[port].windows[2].range = range(0x1000fe00000, 0x1001fffffff);
    bars[1].address = BusAddress{0x1000fe00000};
    bars[0].address = BusAddress{0x10010000000};
    EXPECT_EQ(text_of(validate(machine)), "");
}

// pci_find_parent_resource(): prefetchable space may lie in a window that is
// not, and never the other way round.
TEST(Validate, PrefetchableBarInANonPrefetchableWindow)
{
    Machine machine = small_machine();
    machine.functions[port].windows = {{WindowType::mem, range(0xe0000000, 0xefffffff)}};
    machine.functions[gpu].bars = {{0, mebibytes(128), SpaceType::pref32, BusAddress{0xe0000000}}};
    machine.functions[gpu].rebar.clear();
    EXPECT_EQ(text_of(validate(machine)), "");

    machine.functions[port].windows = {{WindowType::pref32, range(0xe0000000, 0xefffffff)}};
    machine.functions[gpu].bars[0].type = SpaceType::mem32;
    EXPECT_NE(text_of(validate(machine)).find("/functions/1/bars/0: "), std::string::npos);
}

TEST(Validate, WindowsMayTouchButNotOverlap)
{
    Machine machine = small_machine();
    Function second = machine.functions[port];
    second.address.device = 2;
    second.buses = BridgeBuses{2, 2};
    second.windows = {{WindowType::pref64, range(0x10010200000, 0x100203fffff)}};
    machine.functions.push_back(second);
    EXPECT_EQ(text_of(validate(machine)), "");

    machine.functions.back().windows[0].range.start = BusAddress{0x10010100000};
    EXPECT_NE(text_of(validate(machine)).find("overlaps"), std::string::npos);
}

TEST(Validate, IoAndMemoryAreSeparateSpaces)
{
    Machine machine = small_machine();
    machine.host_bridges[0].windows.push_back({SpaceType::mem32, range(0x1000, 0x8fff)});
    EXPECT_EQ(text_of(validate(machine)), "");
}

// The DMI host bridge of a Xeon E5 has the port type of a root port.
TEST(Validate, RootPortTypeWithHeaderZero)
{
    Machine machine = small_machine();
    Function dmi;
    dmi.address = {0, 0, 0, 0};
    dmi.vendor = 0x8086;
    dmi.device = 0x6f00;
    dmi.class_code = 0x060000;
    dmi.port = PortType::root;
    machine.functions.push_back(dmi);
    EXPECT_EQ(text_of(validate(machine)), "");
}

TEST(Validate, SameBusInTwoDomains)
{
    Machine machine = small_machine();
    HostBridge other;
    other.domain = 1;
    other.bus_end = 15;
    machine.host_bridges.push_back(other);
    Function endpoint = machine.functions[gpu];
    endpoint.address = {1, 0, 0, 0};
    endpoint.port = PortType::root_integrated;
    endpoint.bars.clear();
    endpoint.rebar.clear();
    machine.functions.push_back(endpoint);
    EXPECT_EQ(text_of(validate(machine)), "");
}

TEST(Validate, ConventionalBridgeLeadsToManyDevices)
{
    Machine machine = small_machine();
    machine.functions[port].port = PortType::conventional;
    Function second = machine.functions[gpu];
    second.address.device = 4;
    second.bars.clear();
    second.rebar.clear();
    machine.functions.push_back(second);
    EXPECT_EQ(text_of(validate(machine)), "");

    machine.functions[port].port = PortType::root;
    EXPECT_NE(text_of(validate(machine)).find("a link leads to device 0 only"), std::string::npos);
}

TEST(Validate, LastByteOfTheWindowBelongsToIt)
{
    Machine machine = small_machine();
    machine.functions[port].windows[1].range = range(0xe0000000, 0xe01fffff);
    machine.functions[gpu].bars[3].address = BusAddress{0xe0100000};
    EXPECT_EQ(text_of(validate(machine)), "");
    machine.functions[gpu].bars[3].address = BusAddress{0xe0200000};
    EXPECT_NE(text_of(validate(machine)).find("/functions/1/bars/3: "), std::string::npos);
}

TEST(Validate, BarEdges)
{
    Machine machine = small_machine();
    auto &bars = machine.functions[gpu].bars;
    machine.functions[gpu].rebar.clear();
    bars = {{0, Bytes{16}, SpaceType::mem32, {}},
            {1, Bytes{4}, SpaceType::io, {}},
            {2, Bytes{1ULL << 31}, SpaceType::mem32, {}},
            {4, Bytes{1ULL << 51}, SpaceType::pref64, {}}};
    EXPECT_EQ(text_of(validate(machine)), "");

    bars[0].size = Bytes{8};
    bars[1].size = Bytes{2};
    bars[2].size = Bytes{1ULL << 32};
    bars[3].size = Bytes{1ULL << 52};
    EXPECT_EQ(validate(machine).size(), 4U) << text_of(validate(machine));
}

// Every check must cope with numbers at the ends of 64 bits.
TEST(Validate, ExtremeNumbersDoNotWrapAround)
{
    Machine machine = small_machine();
    machine.functions[port].windows[2].range = range(0, UINT64_MAX);
    machine.functions[gpu].bars[0].address = BusAddress{UINT64_MAX - mebibytes(256).count + 1};
    machine.host_bridges[0].windows[2].range = range(0, UINT64_MAX);
    const std::string text = text_of(validate(machine));
    EXPECT_NE(text.find("/host_bridges/0/windows/2/end: "), std::string::npos) << text;
    EXPECT_NE(text.find("/functions/0/windows/2/end: "), std::string::npos) << text;
    EXPECT_NE(text.find("/functions/1/bars/0/address: "), std::string::npos) << text;
}

TEST(Validate, PartsAloneSayNothingAboutNeighbours)
{
    Machine machine = small_machine();
    machine.functions.erase(machine.functions.begin());
    EXPECT_EQ(text_of(validate_parts(machine)), "");
    EXPECT_NE(text_of(validate(machine)).find("no bridge leads to bus"), std::string::npos);
}

} // namespace
} // namespace peerbar
