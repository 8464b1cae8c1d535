// SPDX-License-Identifier: GPL-2.0-only
// Descriptions that no hardware could be are refused, with the function and
// the reason.
#include "fixture.hpp"

namespace sim {
namespace {

class Validate : public testing::Test {
protected:
  Description d = two_cards();

  void expect(std::string_view where, std::string_view part) {
    const std::string text = d.why_invalid();
    EXPECT_TRUE(text.starts_with(std::string(where) + ": ")) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
};

TEST_F(Validate, TheMachineItselfIsValid) {
  EXPECT_EQ(d.why_invalid(), "");
  d.preset = false;
  EXPECT_EQ(d.why_invalid(), "");
}

TEST_F(Validate, NoHost) {
  d.hosts.clear();
  expect("host_bridges", "at least one");
}

TEST_F(Validate, HostBusRangeBackwards) {
  d.hosts[0].bus_start = 0x7f;
  expect("0000:7f", "bus_end");
}

TEST_F(Validate, HostBusesOverlap) {
  d.add_host(0, 0x70, 0xff);
  expect("0000:70", "overlap host bridge 0000:00");
}

TEST_F(Validate, HostWindowBackwards) {
  d.hosts[0].windows[0].range.end = 0;
  expect("0000:00", "below its start");
}

TEST_F(Validate, HostWindowWithoutType) {
  d.hosts[0].windows[0].space = SIM_SPACE_NONE;
  expect("0000:00", "no type");
}

TEST_F(Validate, HostWindow32BitAbove4G) {
  d.hosts[0].windows[0].space = SIM_SPACE_PREF32;
  expect("0000:00", "mem64 or pref64");
}

TEST_F(Validate, HostIoWindowTooHigh) {
  add_window(d.hosts[0], SIM_SPACE_IO, 0xf000, 0x10fff);
  expect("0000:00", "0xffff");
}

TEST_F(Validate, HostWindowsOverlapEachOther) {
  add_window(d.hosts[0], SIM_SPACE_MEM64, pref_base + giga, pref_base + 2 * giga);
  expect("0000:00", "overlaps");
}

TEST_F(Validate, HostWindowsOfTwoDomainsOverlap) {
  auto& h = d.add_host(1, 0, 0xff);
  add_window(h, SIM_SPACE_MEM64, pref_base + giga, pref_base + 2 * giga);
  expect("0001:00", "of host bridge 0000:00");
}

TEST_F(Validate, FunctionWithoutHost) {
  d.add("90:00.0", 0x1002, 0x1, SIM_PORT_ENDPOINT);
  expect("0000:90:00.0", "no host bridge");
}

TEST_F(Validate, FunctionOnABusNoBridgeMakes) {
  d.add("40:00.0", 0x1002, 0x1, SIM_PORT_ENDPOINT);
  expect("0000:40:00.0", "nor any bridge's secondary");
}

TEST_F(Validate, TwoFunctionsAtOneAddress) {
  d.add("05:00.1", 0x1002, 0x1, SIM_PORT_ENDPOINT);
  expect("0000:05:00.1", "two functions");
}

TEST_F(Validate, Function0Missing) {
  d.add("00:05.1", 0x8086, 0x6f29, SIM_PORT_ROOT_INTEGRATED);
  expect("0000:00:05.1", "function 0");
}

TEST_F(Validate, DeviceNumberOnALink) {
  d.add("05:01.0", 0x1002, 0x1, SIM_PORT_ENDPOINT);
  expect("0000:05:01.0", "only device 0");
}

TEST_F(Validate, VendorOfAnEmptySlot) {
  d.at("05:00.0").vendor = 0xffff;
  expect("0000:05:00.0", "vendor");
}

TEST_F(Validate, BarNotAPowerOfTwo) {
  d.at("05:00.0").bars[5].size = 3 * mega;
  expect("0000:05:00.0", "bars/5: size is not a power of two");
}

TEST_F(Validate, BarAddressNotAligned) {
  d.at("05:00.0").bars[5].address += 4096;
  expect("0000:05:00.0", "bars/5: address is not a multiple");
}

TEST_F(Validate, UpperHalfTaken) {
  d.at("05:00.0").bars[1] = {SIM_SPACE_MEM32, 4096, 0};
  expect("0000:05:00.0", "bars/1: is the upper half");
}

TEST_F(Validate, A64BitBarInTheLastRegister) {
  d.at("05:00.0").bars[5].space = SIM_SPACE_MEM64;
  expect("0000:05:00.0", "bars/5: a 64-bit BAR needs");
}

TEST_F(Validate, BridgeBarIndex) {
  d.at("01:00.0").bars[2] = {SIM_SPACE_MEM32, 4096, 0};
  expect("0000:01:00.0", "bars/2: a bridge has only");
}

TEST_F(Validate, A32BitBarTooLarge) {
  d.at("05:00.1").bars[0].size = 4 * giga;
  expect("0000:05:00.1", "at most 2G");
}

TEST_F(Validate, A32BitBarAbove4G) {
  d.at("05:00.1").bars[0].address = 4 * giga;
  expect("0000:05:00.1", "above 4G");
}

TEST_F(Validate, TinyBars) {
  d.at("05:00.0").bars[4].size = 2;
  expect("0000:05:00.0", "bars/4: an io BAR");
  d = two_cards();
  d.at("05:00.0").bars[5] = {SIM_SPACE_MEM32, 8, 0};
  expect("0000:05:00.0", "bars/5: a memory BAR");
}

TEST_F(Validate, RomSize) {
  d.at("05:00.0").rom = 1024;
  expect("0000:05:00.0", "rom");
}

TEST_F(Validate, RebarCurrentNotInSizes) {
  d.at("05:00.0").rebar[0].current_size = 128 * mega;
  expect("0000:05:00.0", "bars/0: rebar current is not one of its sizes");
}

TEST_F(Validate, RebarDiffersFromBar) {
  d.at("05:00.0").bars[0].size = 512 * mega;
  expect("0000:05:00.0", "bars/0: size differs");
}

TEST_F(Validate, RebarOfNothing) {
  d.at("05:00.1").rebar[2] = {0xff00, 256 * mega};
  expect("0000:05:00.1", "bars/2: rebar is for a memory BAR");
}

TEST_F(Validate, RebarOnConventional) {
  auto& f = d.add("00:1f.0", 0x8086, 1, SIM_PORT_CONVENTIONAL);
  f.bars[0] = {SIM_SPACE_PREF64, 256 * mega, 0};
  f.rebar[0] = {0xff00, 256 * mega};
  expect("0000:00:1f.0", "PCI Express");
}

TEST_F(Validate, AcsBits) {
  d.at("02:00.0").acs_enabled = 0x20;
  expect("0000:02:00.0", "acs_enabled");
}

TEST_F(Validate, LinkSpeedAndWidth) {
  d.at("05:00.0").link_speed = 4;
  expect("0000:05:00.0", "link_speed");
  d = two_cards();
  d.at("05:00.0").link_width = 3;
  expect("0000:05:00.0", "link_width");
}

TEST_F(Validate, WindowGranularity) {
  d.at("01:00.0").mem.end -= 4096;
  expect("0000:01:00.0", "windows/mem");
}

TEST_F(Validate, A32BitWindowAbove4G) {
  d.at("01:00.0").pref32 = true;
  expect("0000:01:00.0", "windows/pref32");
}

TEST_F(Validate, SiblingWindowsOverlap) {
  d.at("02:08.0").pref = range(pref_base + 257 * mega, 600 * mega);
  expect("0000:02:08.0", "memory window overlaps one of 0000:02:00.0");
}

TEST_F(Validate, SiblingWindowsOfDifferentKindOverlap) {
  auto& f = d.at("02:08.0");
  f.pref32 = true;
  f.pref = range(mem_base, mega);
  expect("0000:02:08.0", "memory window overlaps one of 0000:02:00.0");
}

TEST_F(Validate, SiblingIoWindowsOverlap) {
  d.at("02:00.0").io = {0x2000, 0x3fff};
  d.at("02:08.0").io = {0x3000, 0x3fff};
  expect("0000:02:08.0", "io window");
}

TEST_F(Validate, PresetBarsOverlap) {
  d.at("05:00.1").bars[0].address = mem_base;
  expect("0000:05:00.1", "preset BAR overlaps one of 0000:05:00.0");
}

TEST_F(Validate, OverlapsDoNotMatterWhenNothingIsPreset) {
  d.at("05:00.1").bars[0].address = mem_base;
  d.preset = false;
  EXPECT_EQ(d.why_invalid(), "");
}

TEST_F(Validate, BusLoop) {
  d.at("04:00.0").secondary = 4;
  expect("0000:04:00.0", "bus loop");
}

TEST_F(Validate, SubordinateBelowSecondary) {
  d.at("04:00.0").subordinate = 4;
  expect("0000:04:00.0", "subordinate is below");
}

TEST_F(Validate, BusesOutsideTheBridgeAbove) {
  d.at("02:08.0").subordinate = 9;
  expect("0000:02:08.0", "outside the bus numbers");
}

TEST_F(Validate, BusesOutsideTheHost) {
  d.hosts[0].bus_end = 7;
  expect("0000:00:02.0", "outside the bus numbers");
}

TEST_F(Validate, SiblingBusesOverlap) {
  d.at("02:00.0").subordinate = 6;
  expect("0000:02:00.0", "bus numbers overlap those of 0000:02:08.0");
}

TEST_F(Validate, PortsInTheWrongPlace) {
  d.at("05:00.0").port = SIM_PORT_ROOT_INTEGRATED;
  expect("0000:05:00.0", "on the root bus");
  d = two_cards();
  d.at("01:00.0").port = SIM_PORT_DOWNSTREAM;
  expect("0000:01:00.0", "below an upstream port");
  d = two_cards();
  d.at("02:08.0").port = SIM_PORT_UPSTREAM;
  expect("0000:02:08.0", "below a root or downstream port");
}

TEST_F(Validate, HeaderAndPortDisagree) {
  d.at("02:08.0").port = SIM_PORT_ENDPOINT;
  expect("0000:02:08.0", "an endpoint has header 0");
  d = two_cards();
  d.at("05:00.1").port = SIM_PORT_DOWNSTREAM;
  expect("0000:05:00.1", "switch port has header 1");
}

TEST_F(Validate, BusNumbersOfAnEndpoint) {
  d.at("05:00.0").secondary = 9;
  expect("0000:05:00.0", "header 1 only");
}

}  // namespace
}  // namespace sim
