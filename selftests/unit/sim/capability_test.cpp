// SPDX-License-Identifier: GPL-2.0-only
// Capability lists and the registers in them.
#include <map>

#include "fixture.hpp"

namespace sim {
namespace {

std::map<u32, u16> capabilities(Machine& m, std::string_view address) {
  std::map<u32, u16> found;
  u16 at = static_cast<u16>(m.read(address, PCI_CAPABILITY_LIST, 1));
  for (int steps = 0; at != 0 && steps < 48; steps++) {
    found.emplace(m.read(address, at, 1), at);
    at = static_cast<u16>(m.read(address, at + 1, 1));
  }
  return found;
}

std::map<u32, u16> extended(Machine& m, std::string_view address) {
  std::map<u32, u16> found;
  u16 at = 0x100;
  for (int steps = 0; at != 0 && steps < 48; steps++) {
    const u32 header = m.read(address, at, 4);
    found.emplace(header & 0xffff, at);
    at = static_cast<u16>(header >> 20);
  }
  return found;
}

TEST(Capability, Endpoint) {
  Machine m{two_cards()};
  const auto caps = capabilities(m, "05:00.0");
  const std::map<u32, u16> wanted{
      {PCI_CAP_ID_PM, 0x50}, {PCI_CAP_ID_EXP, 0x64}, {PCI_CAP_ID_MSI, 0xa0}};
  EXPECT_EQ(caps, wanted);
  EXPECT_EQ(m.read("05:00.0", 0x64 + PCI_EXP_FLAGS, 2), 0x0012U);
}

TEST(Capability, PortTypes) {
  Machine m{two_cards()};
  auto type = [&](std::string_view address) {
    const u16 at = capabilities(m, address).at(PCI_CAP_ID_EXP);
    return (m.read(address, at + PCI_EXP_FLAGS, 2) & PCI_EXP_FLAGS_TYPE) >> 4;
  };
  EXPECT_EQ(type("00:00.0"), static_cast<u32>(PCI_EXP_TYPE_ROOT_PORT));
  EXPECT_EQ(type("00:02.0"), static_cast<u32>(PCI_EXP_TYPE_ROOT_PORT));
  EXPECT_EQ(type("01:00.0"), static_cast<u32>(PCI_EXP_TYPE_UPSTREAM));
  EXPECT_EQ(type("02:08.0"), static_cast<u32>(PCI_EXP_TYPE_DOWNSTREAM));
}

TEST(Capability, BridgeSubsystem) {
  Description d = two_cards();
  d.at("02:00.0").subsystem_vendor = 0x1000;
  d.at("02:00.0").subsystem_device = 0xa096;
  Machine m{d};
  const u16 at = capabilities(m, "02:00.0").at(PCI_CAP_ID_SSVID);
  EXPECT_EQ(m.read("02:00.0", at + PCI_SSVID_VENDOR_ID, 4), 0xa0961000U);
  EXPECT_FALSE(capabilities(m, "02:08.0").contains(PCI_CAP_ID_SSVID));
}

TEST(Capability, ConventionalHasNoExtendedSpace) {
  Description d = two_cards();
  auto& f = d.add("00:1f.0", 0x8086, 0x1234, SIM_PORT_CONVENTIONAL);
  f.class_code = 0x060100;
  Machine m{d};
  EXPECT_FALSE(capabilities(m, "00:1f.0").contains(PCI_CAP_ID_EXP));
  EXPECT_EQ(m.read("00:1f.0", 0x100, 4), 0xffffffffU);
  EXPECT_EQ(m.read("00:1f.0", 0x100, 1), 0xffU);
}

TEST(Capability, MisalignedAccessIsNotAnswered) {
  Machine m{two_cards()};
  EXPECT_EQ(m.read("05:00.0", 2, 4), 0xffffffffU);
  m.write("05:00.0", PCI_COMMAND + 1, 2, 0);
  EXPECT_EQ(m.read("05:00.0", PCI_COMMAND, 2), 3U);
}

TEST(Capability, LinkRegisters) {
  Description d = two_cards();
  auto& f = d.at("05:00.0");
  f.link_max_speed = 4;
  f.link_speed = 2;
  f.link_target = 3;
  f.link_max_width = 16;
  f.link_width = 8;
  Machine m{d};
  EXPECT_EQ(m.read("05:00.0", 0x64 + PCI_EXP_LNKCAP, 4), 0x00000104U);
  EXPECT_EQ(m.read("05:00.0", 0x64 + PCI_EXP_LNKSTA, 2), 0x1082U);
  EXPECT_EQ(m.read("05:00.0", 0x64 + PCI_EXP_LNKCAP2, 4), 0x1eU);
  EXPECT_EQ(m.read("05:00.0", 0x64 + PCI_EXP_LNKCTL2, 2), 3U);
}

TEST(Capability, RetrainReadsZero) {
  Machine m{two_cards()};
  const u16 at = capabilities(m, "02:00.0").at(PCI_CAP_ID_EXP) + PCI_EXP_LNKCTL;
  m.write("02:00.0", at, 2, PCI_EXP_LNKCTL_RL | PCI_EXP_LNKCTL_CCC);
  EXPECT_EQ(m.read("02:00.0", at, 2), static_cast<u32>(PCI_EXP_LNKCTL_CCC));
}

TEST(Capability, SlotOnlyWithHotplug) {
  Description d = two_cards();
  d.at("02:08.0").hotplug = true;
  Machine m{d};
  const u16 at = capabilities(m, "02:08.0").at(PCI_CAP_ID_EXP);
  EXPECT_TRUE(m.read("02:08.0", at + PCI_EXP_FLAGS, 2) & PCI_EXP_FLAGS_SLOT);
  EXPECT_FALSE(m.read("02:00.0", at + PCI_EXP_FLAGS, 2) & PCI_EXP_FLAGS_SLOT);
  EXPECT_TRUE(m.read("02:08.0", at + PCI_EXP_SLTCAP, 4) & PCI_EXP_SLTCAP_HPC);
  EXPECT_EQ(m.read("02:08.0", at + PCI_EXP_SLTSTA, 2), 0x40U);
  EXPECT_EQ(m.read("02:00.0", at + PCI_EXP_SLTCAP, 4), 0U);
}

TEST(Capability, AcsWhereRealPartsHaveIt) {
  Machine m{two_cards()};
  const u16 at = extended(m, "02:00.0").at(PCI_EXT_CAP_ID_ACS);
  EXPECT_EQ(at, 0xf24);
  EXPECT_EQ(m.read("02:00.0", at + PCI_ACS_CAP, 2), 0x5fU);
  EXPECT_EQ(m.read("02:00.0", at + PCI_ACS_CTRL, 2), 0x1dU);
  m.write("02:00.0", at + PCI_ACS_CTRL, 2, 0xffff);
  EXPECT_EQ(m.read("02:00.0", at + PCI_ACS_CTRL, 2), 0x5fU);
  EXPECT_FALSE(extended(m, "05:00.0").contains(PCI_EXT_CAP_ID_ACS));
}

TEST(Capability, AcsAndRebarInOneList) {
  Description d = two_cards();
  d.at("05:00.0").has_acs = true;
  Machine m{d};
  const auto caps = extended(m, "05:00.0");
  EXPECT_EQ(caps.at(PCI_EXT_CAP_ID_REBAR), 0x200);
  EXPECT_EQ(caps.at(PCI_EXT_CAP_ID_ACS), 0x2a0);
  EXPECT_EQ(m.read("05:00.0", 0x2a4, 4), 0U);
}

TEST(Capability, PowerState) {
  Machine m{two_cards()};
  m.write("05:00.0", 0x54, 2, 0xffff);
  EXPECT_EQ(m.read("05:00.0", 0x54, 2), 0x000bU);
}

TEST(Capability, MsiRegisters) {
  Machine m{two_cards()};
  m.write("05:00.0", 0xa2, 2, 0xffff);
  EXPECT_EQ(m.read("05:00.0", 0xa2, 2), 0x00f1U);
  m.write("05:00.0", 0xa4, 4, 0xfee00003);
  EXPECT_EQ(m.read("05:00.0", 0xa4, 4), 0xfee00000U);
}

}  // namespace
}  // namespace sim
