// SPDX-License-Identifier: GPL-2.0-only
//
// The small readers and writers of text: numbers, sizes, addresses, words.
#include <cerrno>

#include <gtest/gtest.h>

#include "model/pci_address.hpp"
#include "model/units.hpp"
#include "model/words.hpp"
#include "util/errno_name.hpp"
#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

TEST(Numbers, HexIsStrict)
{
    EXPECT_EQ(parse_hex("0x0"), 0U);
    EXPECT_EQ(parse_hex("0x10000000000"), 0x10000000000U);
    EXPECT_EQ(parse_hex("0xffffffffffffffff"), UINT64_MAX);
    for (const char *text : {"", "0x", "10", "0X10", "0xA", "0x1 ", " 0x1", "0x-1", "0x1g",
                             "0x10000000000000000", "0x0x1"}) {
        EXPECT_FALSE(parse_hex(text)) << text;
    }
}

TEST(Numbers, IdentifiersHaveAllTheirDigits)
{
    EXPECT_EQ(parse_hex_digits("0x1002", 4), 0x1002U);
    EXPECT_FALSE(parse_hex_digits("0x002", 4));
    EXPECT_FALSE(parse_hex_digits("0x01002", 4));
    EXPECT_EQ(format_hex(0x2, 4), "0x0002");
    EXPECT_EQ(format_hex(0), "0x0");
}

TEST(Units, SizesWithoutFractions)
{
    EXPECT_EQ(to_text(Bytes{0}), "0");
    EXPECT_EQ(to_text(Bytes{256}), "256");
    EXPECT_EQ(to_text(Bytes{1536}), "1536");
    EXPECT_EQ(to_text(Bytes{4096}), "4K");
    EXPECT_EQ(to_text(mebibytes(258)), "258M");
    EXPECT_EQ(to_text(mebibytes(32768)), "32G");
    EXPECT_EQ(to_text(Bytes{1ULL << 42}), "4T");
}

TEST(Units, RangesAreInclusive)
{
    const Range range = range_at(BusAddress{0x1000}, Bytes{0x1000});
    EXPECT_EQ(to_text(range), "0x1000-0x1fff");
    EXPECT_TRUE(overlap(range, Range{BusAddress{0x1fff}, BusAddress{0x1fff}}));
    EXPECT_FALSE(overlap(range, Range{BusAddress{0x2000}, BusAddress{0x2fff}}));
    EXPECT_FALSE(overlap(range, Range{BusAddress{0}, BusAddress{0xfff}}));
    EXPECT_TRUE(contains(range, range));
    EXPECT_FALSE(contains(range, Range{BusAddress{0x1000}, BusAddress{0x2000}}));
}

TEST(PciAddress, FullFormOnly)
{
    const auto address = parse_pci_address("0001:a0:1f.7");
    ASSERT_TRUE(address);
    EXPECT_EQ(*address, (PciAddress{1, 0xa0, 0x1f, 7}));
    EXPECT_EQ(to_text(*address), "0001:a0:1f.7");
    EXPECT_EQ(to_text(bus_of(*address)), "0001:a0");
    for (const char *text :
         {"", "05:00.0", "0000:05:00", "0000:05:00.8", "0000:05:20.0", "0000:05:00.00",
          "0000:05:00.0 ", "10000:05:00.0", "0000:0G:00.0", "0000:A0:00.0", "0000-05:00.0",
          "0000:05:00:0", "0000:5:00.0", "0000:05:0.0"}) {
        EXPECT_FALSE(parse_pci_address(text)) << text;
    }
}

TEST(PciAddress, SortsLikeAList)
{
    EXPECT_LT((PciAddress{0, 5, 0, 1}), (PciAddress{0, 8, 0, 0}));
    EXPECT_LT((PciAddress{0, 0xff, 0x1f, 7}), (PciAddress{1, 0, 0, 0}));
}

template <typename Enum> void expect_round_trip(std::initializer_list<Enum> values)
{
    for (const Enum value : values) {
        EXPECT_EQ(from_word<Enum>(to_word(value)), value) << to_word(value);
    }
}

TEST(Words, ComeBackAsTheSameValue)
{
    expect_round_trip(
        {SpaceType::io, SpaceType::mem32, SpaceType::pref32, SpaceType::mem64, SpaceType::pref64});
    expect_round_trip({WindowType::io, WindowType::mem, WindowType::pref32, WindowType::pref64});
    expect_round_trip({PortType::root, PortType::upstream, PortType::downstream, PortType::endpoint,
                       PortType::legacy_endpoint, PortType::conventional,
                       PortType::root_integrated});
    expect_round_trip(
        {AcsBit::sv, AcsBit::tb, AcsBit::rr, AcsBit::cr, AcsBit::uf, AcsBit::ec, AcsBit::dt});
    EXPECT_FALSE(from_word<SpaceType>("IO"));
    EXPECT_EQ(all_words<WindowType>(), "io, mem, pref32, pref64");
}

TEST(Words, Speeds)
{
    for (const double number : {2.5, 5.0, 8.0, 16.0, 32.0}) {
        const auto speed = speed_from_number(number);
        ASSERT_TRUE(speed) << number;
        EXPECT_EQ(to_number(*speed), number);
    }
    EXPECT_EQ(to_word(LinkSpeed::gt16), "16.0");
    EXPECT_FALSE(speed_from_number(4.0));
    EXPECT_FALSE(speed_from_number(64.0));
}

TEST(ErrnoName, NameOrNumber)
{
    EXPECT_EQ(errno_name(ENOSPC), "ENOSPC");
    EXPECT_EQ(errno_name(123456), "123456");
}

} // namespace
} // namespace peerbar
