// SPDX-License-Identifier: GPL-2.0-only
// Configuration cycles follow the bus numbers in the bridges: PCIe r6.2,
// sec. 7.3.3.
#include "fixture.hpp"

namespace sim {
namespace {

TEST(Route, EveryFunctionIsReached) {
  Description d = two_cards();
  Machine m{d};
  for (const auto& f : d.functions) {
    sim_function* found = sim_route_config(&m.raw().hosts[0], f.bus, f.devfn);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->desc.device, f.device);
  }
}

TEST(Route, EmptyPlacesReadAllOnes) {
  Machine m{two_cards()};
  EXPECT_EQ(m.read("00:03.0", 0, 4), 0xffffffffU);
  EXPECT_EQ(m.read("05:00.2", 0, 2), 0xffffU);
  EXPECT_EQ(m.read("09:00.0", 0, 1), 0xffU);
  m.write("09:00.0", 4, 2, 7);
}

TEST(Route, NoBusNumbersNothingBelow) {
  Description d = two_cards();
  d.preset = false;
  Machine m{d};
  EXPECT_EQ(m.read("00:02.0", 0, 4), 0x6f048086U);
  EXPECT_EQ(m.read("01:00.0", 0, 4), 0xffffffffU);
}

TEST(Route, FollowsNewNumbers) {
  Description d = two_cards();
  d.preset = false;
  Machine m{d};
  m.write("00:02.0", PCI_PRIMARY_BUS, 4, 0x00201000);
  EXPECT_EQ(m.read("10:00.0", 0, 4), 0xc0101000U);
  m.write("10:00.0", PCI_PRIMARY_BUS, 4, 0x00201110);
  EXPECT_EQ(m.read("11:08.0", 0, 4), 0xc0101000U);
  EXPECT_EQ(m.read("12:00.0", 0, 4), 0xffffffffU);
}

TEST(Route, SubordinateLimitsIt) {
  Machine m{two_cards()};
  m.write("01:00.0", PCI_SUBORDINATE_BUS, 1, 6);
  EXPECT_EQ(m.read("06:00.0", 0, 4), 0x14781002U);
  EXPECT_EQ(m.read("08:00.0", 0, 4), 0xffffffffU);
}

TEST(Route, HostBridgesAreApart) {
  Description d = two_cards();
  auto& second = d.add_host(0, 0x80, 0xff);
  add_window(second, SIM_SPACE_PREF64, 2 * tera, 2 * tera + giga - 1);
  auto& port = d.add("80:02.0", 0x8086, 0x6f04, SIM_PORT_ROOT);
  make_bridge(port, 0x81, 0x81);
  d.add("81:00.0", 0x1002, 0x7551, SIM_PORT_ENDPOINT);
  Machine m{d};
  EXPECT_EQ(m.read("81:00.0", 0, 4), 0x75511002U);
  EXPECT_EQ(sim_route_config(&m.raw().hosts[0], 0x81, 0), nullptr);
}

TEST(Route, CountsCycles) {
  Machine m{two_cards()};
  m.read("05:00.0", 0, 4);
  m.read("09:00.0", 0, 4);
  m.write("05:00.0", PCI_INTERRUPT_LINE, 1, 5);
  EXPECT_EQ(m.raw().reads, 2U);
  EXPECT_EQ(m.raw().writes, 1U);
}

}  // namespace
}  // namespace sim
