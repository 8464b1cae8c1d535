// SPDX-License-Identifier: GPL-2.0-only
// What the oracle tells apart: functions nobody uses, and the kernel's own
// rewrite of a prefetchable window (pci_setup_bridge_mmio_pref()).
#include "fixture.hpp"

namespace sim {
namespace {

constexpr std::string_view upstream = "01:00.0";
constexpr std::string_view gpu_a = "05:00.0";

class Rewrite : public testing::Test {
protected:
  Machine m{two_cards()};

  void begin() { m.write(upstream, PCI_PREF_LIMIT_UPPER32, 4, 0); }
  void window(u32 value) { m.write(upstream, PCI_PREF_MEMORY_BASE, 4, value); }
  void base() { m.write(upstream, PCI_PREF_BASE_UPPER32, 4, 0x100); }
  void end() { m.write(upstream, PCI_PREF_LIMIT_UPPER32, 4, 0x100); }

  [[nodiscard]] u64 rewrites() { return sim_oracle_rewrites(m.raw().oracle); }
};

TEST_F(Rewrite, CountsApartWhenTheWindowIsBack) {
  begin();
  window(0x30110001);
  base();
  end();
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
  EXPECT_EQ(rewrites(), 4U);
}

TEST_F(Rewrite, IsAViolationUntilItIsComplete) {
  begin();
  window(0x30110001);
  base();
  EXPECT_EQ(m.violations(), 4U);
}

TEST_F(Rewrite, IsAViolationWhenTheWindowComesBackSmaller) {
  begin();
  window(0x2ff10001);
  base();
  end();
  EXPECT_EQ(m.violations(), 1U);
  EXPECT_EQ(rewrites(), 3U);
  EXPECT_NE(m.first_violation().find("write=1 function=0000:01:00.0 register=0x2c"),
            std::string::npos)
      << m.first_violation();
}

TEST_F(Rewrite, IsAViolationWhenAnotherRegisterIsWritten) {
  begin();
  base();
  window(0x30110001);
  end();
  EXPECT_EQ(m.violations(), 4U);
  EXPECT_EQ(rewrites(), 0U);
}

TEST_F(Rewrite, OtherFunctionsMayBeWrittenInBetween) {
  begin();
  m.write(gpu_a, PCI_INTERRUPT_LINE, 1, 3);
  window(0x30110001);
  base();
  end();
  EXPECT_EQ(m.violations(), 0U) << m.first_violation();
}

TEST_F(Rewrite, OtherBridgesAreNotExcused) {
  begin();
  m.write("00:02.0", PCI_PREF_LIMIT_UPPER32, 4, 0);
  window(0x30110001);
  base();
  end();
  EXPECT_EQ(m.violations(), 4U);
}

TEST_F(Rewrite, ALossBySomeoneElseMeanwhileIsAViolation) {
  m.write("02:00.0", PCI_PREF_LIMIT_UPPER32, 4, 0);
  m.write("02:08.0", PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  m.write("02:08.0", PCI_PREF_MEMORY_BASE, 4, 0x30112001);
  m.write("02:00.0", PCI_PREF_MEMORY_BASE, 4, 0x10110001);
  m.write("02:00.0", PCI_PREF_BASE_UPPER32, 4, 0x100);
  m.write("02:00.0", PCI_PREF_LIMIT_UPPER32, 4, 0x100);
  EXPECT_EQ(m.violations(), 2U);
  EXPECT_EQ(rewrites(), 2U);
}

TEST_F(Rewrite, MemoryWindowIsNotExcused) {
  m.write(upstream, PCI_MEMORY_BASE, 4, 0x0000fff0);
  m.write(upstream, PCI_MEMORY_BASE, 4, 0x90709000);
  EXPECT_GT(m.violations(), 0U);
}

struct Users {
  std::vector<bool> in_use;
  static bool ask(void* context, u32 index) {
    return static_cast<Users*>(context)->in_use.at(index);
  }
};

TEST(Unused, LossesOfUnusedFunctionsAreCountedApart) {
  Machine m{two_cards()};
  Users users{std::vector<bool>(m.raw().nfunctions, false)};
  sim_oracle_set_in_use(m.raw().oracle, Users::ask, &users);
  m.write(upstream, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  EXPECT_EQ(m.violations(), 0U);
  EXPECT_EQ(sim_oracle_unused(m.raw().oracle), 4U);
}

TEST(Unused, OneOfTwoInUse) {
  Machine m{two_cards()};
  Users users{std::vector<bool>(m.raw().nfunctions, false)};
  users.in_use.at(sim_route_config(&m.raw().hosts[0], 5, 0)->index) = true;
  sim_oracle_set_in_use(m.raw().oracle, Users::ask, &users);
  m.write(upstream, PCI_PREF_MEMORY_BASE, 4, 0x0001fff1);
  EXPECT_EQ(m.violations(), 2U);
  EXPECT_EQ(sim_oracle_unused(m.raw().oracle), 2U);
}

TEST(Unused, OverlapCountsIfEitherIsInUse) {
  Machine m{two_cards()};
  Users users{std::vector<bool>(m.raw().nfunctions, false)};
  users.in_use.at(sim_route_config(&m.raw().hosts[0], 5, 1)->index) = true;
  sim_oracle_set_in_use(m.raw().oracle, Users::ask, &users);
  m.write(gpu_a, PCI_BASE_ADDRESS_5, 4, mem_base + 1 * mega);
  EXPECT_EQ(m.violations(), 1U);
}

}  // namespace
}  // namespace sim
