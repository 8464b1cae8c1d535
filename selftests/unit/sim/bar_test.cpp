// SPDX-License-Identifier: GPL-2.0-only
// BARs: sizing as PCIe r6.2, sec. 7.5.1.2.1 describes it, and resizing.
#include "fixture.hpp"

namespace sim {
namespace {

constexpr std::string_view gpu = "05:00.0";
constexpr u16 bar0 = PCI_BASE_ADDRESS_0;
constexpr u16 rebar = 0x200;

class Bar : public testing::Test {
protected:
  Machine m{two_cards()};

  void SetUp() override { m.write(gpu, PCI_COMMAND, 2, 0); }

  u32 probe(std::string_view address, u16 reg) {
    m.write(address, reg, 4, 0xffffffff);
    return m.read(address, reg, 4);
  }
};

TEST_F(Bar, ShowsPresetAddressAndType) {
  EXPECT_EQ(m.read(gpu, bar0, 4), 0x0000000cU);
  EXPECT_EQ(m.read(gpu, bar0 + 4, 4), 0x100U);
  EXPECT_EQ(m.read(gpu, PCI_BASE_ADDRESS_5, 4), 0x90000000U);
}

TEST_F(Bar, SizesOf64BitBar) {
  EXPECT_EQ(probe(gpu, bar0), 0xf000000cU);
  EXPECT_EQ(probe(gpu, bar0 + 4), 0xffffffffU);
}

TEST_F(Bar, SizesOf32BitBar) {
  EXPECT_EQ(probe(gpu, PCI_BASE_ADDRESS_5), 0xfff00000U);
  EXPECT_EQ(probe("01:00.0", bar0), 0xfffc0000U);
}

TEST_F(Bar, SizesOfIoBar) { EXPECT_EQ(probe(gpu, PCI_BASE_ADDRESS_4), 0xffffff01U); }

TEST_F(Bar, SizesOfRom) {
  EXPECT_EQ(probe(gpu, PCI_ROM_ADDRESS), 0xfffe0001U);
  EXPECT_EQ(m.read("05:00.1", PCI_ROM_ADDRESS, 4), 0U);
}

TEST_F(Bar, AbsentBarReadsZero) {
  EXPECT_EQ(probe("05:00.1", PCI_BASE_ADDRESS_1), 0U);
  EXPECT_EQ(probe("00:02.0", bar0), 0U);
}

TEST_F(Bar, ByteWritesReachOnlyTheirByte) {
  m.write(gpu, PCI_BASE_ADDRESS_5 + 3, 1, 0xa5);
  EXPECT_EQ(m.read(gpu, PCI_BASE_ADDRESS_5, 4), 0xa5000000U);
  EXPECT_EQ(m.read(gpu, PCI_BASE_ADDRESS_5 + 2, 2), 0xa500U);
}

TEST_F(Bar, RebarRegistersMatchRealCards) {
  // hardware: BAR0 256M-32G and BAR2 2M-256M, defaults 256M and 2M
  EXPECT_EQ(m.read(gpu, rebar, 4) & 0xfffff, 0x10015U);
  EXPECT_EQ(m.read(gpu, rebar + 4, 4), 0x000ff000U);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0840U);
  EXPECT_EQ(m.read(gpu, rebar + 12, 4), 0x00001fe0U);
  EXPECT_EQ(m.read(gpu, rebar + 16, 4), 0x0102U);
}

TEST_F(Bar, ResizeChangesTheMask) {
  m.write(gpu, rebar + 8, 4, 0x0f40);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0f40U);
  EXPECT_EQ(probe(gpu, bar0), 0x0000000cU);
  EXPECT_EQ(probe(gpu, bar0 + 4), 0xfffffff8U);
}

TEST_F(Bar, ResizeClearsAddressBitsBelowTheSize) {
  m.write(gpu, bar0, 4, 0xf0000000);
  m.write(gpu, bar0 + 4, 4, 0x107);
  m.write(gpu, rebar + 8, 4, 0x0f40);
  EXPECT_EQ(m.read(gpu, bar0, 4), 0x0000000cU);
  EXPECT_EQ(m.read(gpu, bar0 + 4, 4), 0x100U);
}

TEST_F(Bar, ResizeBackGivesTheBitsBackAsZero) {
  m.write(gpu, rebar + 8, 4, 0x0f40);
  m.write(gpu, rebar + 8, 4, 0x0840);
  EXPECT_EQ(m.read(gpu, bar0, 4), 0x0000000cU);
  EXPECT_EQ(probe(gpu, bar0), 0xf000000cU);
}

TEST_F(Bar, ResizeOfSecondEntryLeavesTheFirst) {
  m.write(gpu, rebar + 16, 4, 0x0802);
  EXPECT_EQ(probe(gpu, PCI_BASE_ADDRESS_2), 0xf000000cU);
  EXPECT_EQ(probe(gpu, bar0), 0xf000000cU);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0840U);
}

TEST_F(Bar, SizeThatIsNotListedIsNotTaken) {
  m.write(gpu, rebar + 8, 4, 0x1040);  // 64G
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0840U);
  m.write(gpu, rebar + 8, 4, 0x3f40);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0840U);
}

TEST_F(Bar, RebarCapabilityAndIndexAreReadOnly) {
  m.write(gpu, rebar + 4, 4, 0xffffffff);
  m.write(gpu, rebar + 8, 1, 0xff);
  EXPECT_EQ(m.read(gpu, rebar + 4, 4), 0x000ff000U);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x0840U);
}

TEST(BarSizes, LargestSizesSitInTheControlRegister) {
  Description d = two_cards();
  d.at("05:00.0").rebar[0].sizes = 0xff00 | 1ULL << 28 | 1ULL << 43;
  Machine m{d};
  EXPECT_EQ(m.read(gpu, rebar + 4, 4), 0x000ff000U);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x80010840U);
  m.write(gpu, PCI_COMMAND, 2, 0);
  m.write(gpu, rebar + 8, 4, 28U << 8);
  EXPECT_EQ(m.read(gpu, rebar + 8, 4), 0x80011c40U);
}

}  // namespace
}  // namespace sim
