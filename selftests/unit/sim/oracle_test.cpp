// SPDX-License-Identifier: GPL-2.0-only
// The oracle: each rule broken on purpose, and the right order found clean.
#include "fixture.hpp"

namespace sim {
namespace {

using testing::Test;

constexpr std::string_view root = "00:02.0";
constexpr std::string_view upstream = "01:00.0";
constexpr std::string_view port_a = "02:00.0";
constexpr std::string_view port_b = "02:08.0";
constexpr std::string_view gpu_a = "05:00.0";
constexpr std::string_view gpu_b = "08:00.0";

class Oracle : public Test {
protected:
  Machine m{two_cards()};

  void set_pref_limit(std::string_view bridge, u64 end) {
    m.write(bridge, PCI_PREF_MEMORY_LIMIT, 2, static_cast<u32>(end >> 16) & 0xfff0);
  }

  void set_pref_limit_upper(std::string_view bridge, u64 end) {
    m.write(bridge, PCI_PREF_LIMIT_UPPER32, 4, static_cast<u32>(end >> 32));
  }

  void expect_violation(std::string_view rule, std::string_view part) {
    EXPECT_GT(m.violations(), 0U);
    const std::string text = m.first_violation();
    EXPECT_NE(text.find("rule=" + std::string(rule) + " "), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
};

TEST_F(Oracle, HandOverIsClean) {
  EXPECT_EQ(m.violations(), 0U);
  EXPECT_EQ(m.first_violation(), "");
}

// ---- route ------------------------------------------------------------

TEST_F(Oracle, ClosedWindowIsCaught) {
  m.write(upstream, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  expect_violation("route", "0000:05:00.0 BAR 0");
  EXPECT_EQ(m.violations(), 4U);  // two BARs of each card
  EXPECT_NE(m.first_violation().find("write=1 function=0000:01:00.0 register=0x24"),
            std::string::npos);
}

TEST_F(Oracle, ShrunkWindowIsCaught) {
  set_pref_limit(upstream, pref_base + 768 * mega - 1);
  expect_violation("route", "0000:08:00.0 BAR 2 at 0x10030000000");
  EXPECT_EQ(m.violations(), 1U);
}

TEST_F(Oracle, WindowMovedAwayIsCaught) {
  m.write(port_b, PCI_PREF_BASE_UPPER32, 4, 0x101);
  expect_violation("route", "through 0000:02:08.0");
}

TEST_F(Oracle, BridgeDecodeOffIsCaught) {
  m.write(root, PCI_COMMAND, 2, PCI_COMMAND_IO | PCI_COMMAND_MASTER);
  expect_violation("route", "through 0000:00:02.0");
}

TEST_F(Oracle, NonPrefetchableWindowCounts) {
  m.write(port_a, PCI_MEMORY_BASE, 4, 0x0000fff0);
  expect_violation("route", "0000:03:00.0 BAR 0");
}

TEST_F(Oracle, GrowingByLowLimitAcross4GClosesForAMoment) {
  // The limit goes from 0x100_301fffff to 0x108_001fffff. Low half first
  // puts the limit below the base of the second card.
  const u64 end = pref_base + 32 * giga + 2 * mega - 1;
  set_pref_limit(root, end);
  set_pref_limit_upper(root, end);
  expect_violation("route", "through 0000:00:02.0");
}

TEST_F(Oracle, GrowingUpperHalfFirstIsClean) {
  const u64 end = pref_base + 96 * giga + 2 * mega - 1;
  for (std::string_view bridge : {root, upstream}) {
    set_pref_limit_upper(bridge, end);
    set_pref_limit(bridge, end);
  }
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
}

TEST_F(Oracle, SiblingWindowOverALiveBarIsCaught) {
  // Port A grows over card B, which is behind port B.
  set_pref_limit(port_a, pref_base + 600 * mega - 1);
  expect_violation("route", "0000:08:00.0 BAR 0");
  EXPECT_NE(m.first_violation().find("window of 0000:02:00.0"), std::string::npos);
}

TEST_F(Oracle, SecondPathIsReportedOnce) {
  set_pref_limit(port_a, pref_base + 600 * mega - 1);
  const u64 before = m.violations();
  set_pref_limit(port_a, pref_base + 601 * mega - 1);
  EXPECT_EQ(m.violations(), before);
}

TEST_F(Oracle, OwnWindowOverOwnBarIsCaught) {
  // The upstream port's own BAR is on the bus above it.
  m.write(upstream, PCI_MEMORY_BASE, 4, 0x90809000);
  expect_violation("route", "0000:01:00.0 BAR 0");
}

TEST_F(Oracle, LossIsReportedOnce) {
  m.write(upstream, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  const u64 before = m.violations();
  m.write(root, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  EXPECT_EQ(m.violations(), before);
}

TEST_F(Oracle, LossCountsAgainAfterTheRouteWasBack) {
  for (int i = 0; i < 3; i++) {
    m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
    m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x10110001);
  }
  EXPECT_EQ(m.violations(), 6U);
}

TEST_F(Oracle, RecordsEndAt32AndCountingGoesOn) {
  for (int i = 0; i < 20; i++) {
    m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
    m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x10110001);
  }
  EXPECT_EQ(m.violations(), 40U);
  EXPECT_NE(sim_oracle_record(m.raw().oracle, 31), nullptr);
  EXPECT_EQ(sim_oracle_record(m.raw().oracle, 32), nullptr);
}

TEST_F(Oracle, ClosingAboveDeadFunctionsIsClean) {
  for (std::string_view f : {gpu_a, gpu_b}) m.write(f, PCI_COMMAND, 2, 0);
  m.write(upstream, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
}

// ---- overlap ----------------------------------------------------------

TEST_F(Oracle, BarsOnOneAddressAreCaught) {
  // Both behind port A: BAR 5 of the card onto its audio function.
  m.write(gpu_a, PCI_BASE_ADDRESS_5, 4, mem_base + 1 * mega);
  expect_violation("overlap", "0000:05:00.0 BAR 5 at 0x90100000-0x901fffff overlaps "
                              "0000:05:00.1 BAR 0");
}

TEST_F(Oracle, BarsOfOneFunctionAreCaughtOnce) {
  m.write(gpu_a, PCI_COMMAND, 2, 0);
  m.write(gpu_a, PCI_BASE_ADDRESS_2, 4, 0x00200000);
  m.write(gpu_a, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
  expect_violation("overlap", "0000:05:00.0 BAR 2");
  EXPECT_EQ(m.violations(), 1U);
}

TEST_F(Oracle, ResizeWithDecodeOnIsCaught) {
  m.write(gpu_a, 0x208, 4, 0x0940);  // 512M: out of port A's window
  expect_violation("route", "BAR 0 at 0x10000000000-0x1001fffffff");
}

TEST_F(Oracle, ResizeInPlaceOntoAnotherBarIsCaught) {
  Description d = two_cards();
  for (std::string_view b : {port_a, std::string_view("03:00.0"), std::string_view("04:00.0")})
    d.at(b).pref = range(pref_base, 512 * mega);
  d.at("05:00.1").bars[2] = {SIM_SPACE_PREF64, 2 * mega, pref_base + 258 * mega};
  Machine wide{d};
  wide.write(gpu_a, 0x210, 4, 0x0202);  // BAR 2 from 2M to 4M
  EXPECT_EQ(wide.violations(), 1U);
  EXPECT_NE(wide.first_violation().find("rule=overlap 0000:05:00.0 BAR 2"), std::string::npos)
      << wide.first_violation();
}

TEST_F(Oracle, RomIsAClaimWhenEnabled) {
  m.write(gpu_a, PCI_ROM_ADDRESS, 4, mem_base + 1 * mega);
  EXPECT_EQ(m.violations(), 0U);
  m.write(gpu_a, PCI_ROM_ADDRESS, 4, (mem_base + 1 * mega) | PCI_ROM_ADDRESS_ENABLE);
  expect_violation("overlap", "0000:05:00.0 ROM");
}

// ---- what is no violation ---------------------------------------------

TEST_F(Oracle, SizingWithDecodeOffIsClean) {
  m.write(gpu_a, PCI_COMMAND, 2, 0);
  for (u16 reg = PCI_BASE_ADDRESS_0; reg <= PCI_BASE_ADDRESS_5; reg += 4) {
    const u32 old = m.read(gpu_a, reg, 4);
    m.write(gpu_a, reg, 4, 0xffffffff);
    m.write(gpu_a, reg, 4, old);
  }
  m.write(gpu_a, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
}

TEST_F(Oracle, BarThatWasNeverReachedIsNoClaim) {
  m.write(gpu_a, PCI_COMMAND, 2, 0);
  m.write(gpu_a, PCI_BASE_ADDRESS_1, 4, 0x200);
  m.write(gpu_a, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
  m.write(port_a, PCI_PREF_MEMORY_BASE, 4, 0x00010001);
  EXPECT_EQ(m.violations(), 1U);  // BAR 2 only
  expect_violation("route", "0000:05:00.0 BAR 2");
}

TEST_F(Oracle, MovingALiveBarIsItsOwnBusiness) {
  m.write(gpu_a, PCI_BASE_ADDRESS_5, 4, 0xa0000000);
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
}

TEST_F(Oracle, ResizeInTheRightOrderIsClean) {
  // Card B alone to 512M at +1G: decode off, size, windows, address, decode.
  const u64 base = pref_base + 1 * giga;
  const u64 end = base + 512 * mega - 1;
  m.write(gpu_b, PCI_COMMAND, 2, 0);
  m.write(gpu_b, 0x208, 4, 0x0940);
  for (std::string_view b : {root, upstream}) set_pref_limit(b, end);
  for (std::string_view b : {port_b, std::string_view("06:00.0"), std::string_view("07:00.0")}) {
    set_pref_limit(b, end);
  }
  m.write(gpu_b, PCI_BASE_ADDRESS_0, 4, static_cast<u32>(base));
  m.write(gpu_b, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
  // It is a claim now, at its new size.
  set_pref_limit(root, end - 1 * mega);
  expect_violation("route", "0000:08:00.0 BAR 0 at 0x10040000000-0x1005fffffff");
}

TEST_F(Oracle, BarOutsideTheHostWindowIsNoClaim) {
  Description d = two_cards();
  d.hosts[0].windows[0].range.end = pref_base + 512 * mega - 1;
  Machine small{d};
  small.write(port_b, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  EXPECT_EQ(small.violations(), 0U) << small.first_violation();
}

}  // namespace
}  // namespace sim
