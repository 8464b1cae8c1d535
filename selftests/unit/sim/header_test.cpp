// SPDX-License-Identifier: GPL-2.0-only
// Type 0 and type 1 headers: PCIe r6.2, sec. 7.5.1.
#include "fixture.hpp"

namespace sim {
namespace {

TEST(Header, IdentityIsReadOnly) {
  Machine m{two_cards()};
  m.write("05:00.0", PCI_VENDOR_ID, 4, 0);
  EXPECT_EQ(m.read("05:00.0", PCI_VENDOR_ID, 4), 0x744c1002U);
  EXPECT_EQ(m.read("05:00.0", PCI_CLASS_REVISION, 4) >> 8, 0x030000U);
}

TEST(Header, TypeAndMultiFunctionBit) {
  Machine m{two_cards()};
  EXPECT_EQ(m.read("05:00.0", PCI_HEADER_TYPE, 1), 0x80U);
  EXPECT_EQ(m.read("05:00.1", PCI_HEADER_TYPE, 1), 0x80U);
  EXPECT_EQ(m.read("00:02.0", PCI_HEADER_TYPE, 1), 0x01U);
  EXPECT_EQ(m.read("00:00.0", PCI_HEADER_TYPE, 1), 0x00U);
}

TEST(Header, CommandTakesOnlyItsBits) {
  Machine m{two_cards()};
  m.write("05:00.0", PCI_COMMAND, 2, 0xffff);
  EXPECT_EQ(m.read("05:00.0", PCI_COMMAND, 2), 0x0547U);
}

TEST(Header, StatusClearsByWritingOne) {
  Machine m{two_cards()};
  sim_function& f = *sim_route_config(&m.raw().hosts[0], 5, 0);
  sim_put16(f.space.reg + PCI_STATUS, 0xf910);
  m.write("05:00.0", PCI_STATUS, 2, 0x8000);
  EXPECT_EQ(m.read("05:00.0", PCI_STATUS, 2), 0x7910U);
  m.write("05:00.0", PCI_STATUS, 2, 0xffff);
  EXPECT_EQ(m.read("05:00.0", PCI_STATUS, 2), 0x0010U);
}

TEST(Header, SubsystemOfEndpoint) {
  Description d = two_cards();
  d.at("05:00.0").subsystem_vendor = 0x1002;
  d.at("05:00.0").subsystem_device = 0x0e3b;
  Machine m{d};
  EXPECT_EQ(m.read("05:00.0", PCI_SUBSYSTEM_VENDOR_ID, 4), 0x0e3b1002U);
}

TEST(Header, DecodeOffWhenNotAskedFor) {
  Description d = two_cards();
  d.at("05:00.0").decode = false;
  Machine m{d};
  EXPECT_EQ(m.read("05:00.0", PCI_COMMAND, 2), 0U);
}

TEST(Bridge, PresetWindows) {
  Machine m{two_cards()};
  EXPECT_EQ(m.read("01:00.0", PCI_PRIMARY_BUS, 4), 0x00080201U);
  EXPECT_EQ(m.read("01:00.0", PCI_MEMORY_BASE, 4), 0x90709000U);
  EXPECT_EQ(m.read("01:00.0", PCI_PREF_MEMORY_BASE, 4), 0x30110001U);
  EXPECT_EQ(m.read("01:00.0", PCI_PREF_BASE_UPPER32, 4), 0x100U);
  EXPECT_EQ(m.read("01:00.0", PCI_PREF_LIMIT_UPPER32, 4), 0x100U);
}

TEST(Bridge, ClosedWindowsHaveBaseAboveLimit) {
  Description d = two_cards();
  d.at("00:02.0").pref = {1, 0};
  d.at("00:02.0").mem = {1, 0};
  Machine m{d};
  EXPECT_EQ(m.read("00:02.0", PCI_MEMORY_BASE, 4), 0x0000fff0U);
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_MEMORY_BASE, 4), 0x0001fff1U);
  EXPECT_EQ(m.read("00:02.0", PCI_IO_BASE, 2), 0x01f1U);
}

TEST(Bridge, PresetIoWindow) {
  Description d = two_cards();
  d.at("00:02.0").io = {0x2000, 0x3fff};
  Machine m{d};
  EXPECT_EQ(m.read("00:02.0", PCI_IO_BASE, 2), 0x3121U);
  EXPECT_EQ(m.read("00:02.0", PCI_IO_BASE_UPPER16, 4), 0U);
}

TEST(Bridge, WindowRegistersKeepTheirTypeBits) {
  Machine m{two_cards()};
  m.write("00:02.0", PCI_MEMORY_BASE, 4, 0xffffffff);
  EXPECT_EQ(m.read("00:02.0", PCI_MEMORY_BASE, 4), 0xfff0fff0U);
  m.write("00:02.0", PCI_PREF_MEMORY_BASE, 4, 0xffffffff);
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_MEMORY_BASE, 4), 0xfff1fff1U);
  m.write("00:02.0", PCI_IO_BASE, 2, 0xffff);
  EXPECT_EQ(m.read("00:02.0", PCI_IO_BASE, 2), 0xf1f1U);
}

TEST(Bridge, A32BitPrefetchableWindowHasNoUpperHalves) {
  Description d = two_cards();
  auto& root = d.at("00:02.0");
  root.pref32 = true;
  root.pref = range(0xa0000000, 256 * mega);
  Machine m{d};
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_MEMORY_BASE, 4), 0xaff0a000U);
  m.write("00:02.0", PCI_PREF_BASE_UPPER32, 4, 0xffffffff);
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_BASE_UPPER32, 4), 0U);
}

TEST(Bridge, NothingPresetIsAllZero) {
  Description d = two_cards();
  d.preset = false;
  Machine m{d};
  EXPECT_EQ(m.read("00:02.0", PCI_PRIMARY_BUS, 4), 0U);
  EXPECT_EQ(m.read("00:02.0", PCI_COMMAND, 2), 0U);
  EXPECT_EQ(m.read("00:02.0", PCI_MEMORY_BASE, 4), 0U);
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_MEMORY_BASE, 4), 0x00010001U);
  EXPECT_EQ(m.read("00:02.0", PCI_PREF_BASE_UPPER32, 4), 0U);
}

}  // namespace
}  // namespace sim
