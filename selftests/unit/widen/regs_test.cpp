// SPDX-License-Identifier: GPL-2.0-only
#include "widen_regs.h"

#include <gtest/gtest.h>

#include <random>

namespace {

widen_regs regs_for(std::uint64_t start, std::uint64_t end) {
  return {static_cast<u16>((start >> 16 & 0xfff0) | 1), static_cast<u16>((end >> 16 & 0xfff0) | 1),
          static_cast<u32>(start >> 32), static_cast<u32>(end >> 32)};
}

// What a bridge decodes, from the registers alone.
std::uint64_t decoded_start(const widen_regs& r) {
  return std::uint64_t{r.base_upper} << 32 | std::uint64_t(r.base >> 4) << 20;
}
std::uint64_t decoded_end(const widen_regs& r) {
  return std::uint64_t{r.limit_upper} << 32 | std::uint64_t(r.limit >> 4) << 20 | 0xfffff;
}

std::uint32_t get(const widen_regs& r, int reg) {
  switch (reg) {
  case 0x24: return r.base;
  case 0x26: return r.limit;
  case 0x28: return r.base_upper;
  default: return r.limit_upper;
  }
}

void set(widen_regs& r, int reg, std::uint32_t value) {
  switch (reg) {
  case 0x24: r.base = static_cast<u16>(value); break;
  case 0x26: r.limit = static_cast<u16>(value); break;
  case 0x28: r.base_upper = value; break;
  default: r.limit_upper = value; break;
  }
}

struct Window {
  std::uint64_t start;
  std::uint64_t end;
};

// Plays the writes forward and back and checks the window after each.
// Returns the number of writes, or -1 when the growth was refused.
int play(Window from, Window to) {
  auto regs = regs_for(from.start, from.end);
  const auto before = regs;
  widen_write writes[WIDEN_MAX_WRITES];
  int count = widen_regs_writes(&regs, to.start, to.end, writes);
  if (count < 0) return count;
  auto safe = [&] {
    return decoded_start(regs) <= from.start && decoded_end(regs) >= from.end && decoded_start(regs) >= to.start &&
           decoded_end(regs) <= to.end && (regs.base & 0xf) == 1 && (regs.limit & 0xf) == 1;
  };
  for (int i = 0; i < count; i++) {
    EXPECT_EQ(writes[i].was, get(regs, writes[i].reg));
    EXPECT_EQ(writes[i].width, writes[i].reg == 0x24 || writes[i].reg == 0x26 ? 2 : 4);
    set(regs, writes[i].reg, writes[i].value);
    EXPECT_TRUE(safe()) << "write " << i << std::hex << " of [" << from.start << "," << from.end << "] -> ["
                        << to.start << "," << to.end << "]";
  }
  EXPECT_EQ(decoded_start(regs), to.start);
  EXPECT_EQ(decoded_end(regs), to.end);
  for (int i = count; i-- > 0;) {
    set(regs, writes[i].reg, writes[i].was);
    EXPECT_TRUE(safe());
  }
  EXPECT_EQ(decoded_start(regs), decoded_start(before));
  EXPECT_EQ(decoded_end(regs), decoded_end(before));
  return count;
}

// Whether any order of any writes could raise the limit: it cannot when the
// upper half goes up by one and the lower half goes down.
bool can_raise(std::uint64_t from, std::uint64_t to) {
  return to >= from && !((to >> 32) == (from >> 32) + 1 && (to & 0xffffffff) < (from & 0xffffffff));
}
bool can_lower(std::uint64_t from, std::uint64_t to) {
  return to <= from && !((from >> 32) == (to >> 32) + 1 && (to & 0xffffffff) > (from & 0xffffffff));
}

// Low halves that are equal, adjacent, extreme and in between.
const std::uint64_t lows[] = {0x0, 0x100000, 0x200000, 0x7ff00000, 0x80000000, 0xffe00000, 0xfff00000};
const std::uint64_t highs[] = {0x0, 0x1, 0x2, 0x3, 0x100, 0xffffffff};

TEST(Regs, EveryGrowthOfTheLimit) {
  for (auto h : highs)
    for (auto l : lows)
      for (auto h2 : highs)
        for (auto l2 : lows) {
          Window from{0, h << 32 | l | 0xfffff};
          Window to{0, h2 << 32 | l2 | 0xfffff};
          EXPECT_EQ(play(from, to) >= 0, can_raise(from.end, to.end)) << std::hex << from.end << " " << to.end;
        }
}

TEST(Regs, EveryGrowthOfTheBase) {
  for (auto h : highs)
    for (auto l : lows)
      for (auto h2 : highs)
        for (auto l2 : lows) {
          Window from{h << 32 | l, 0xffffffffffffffff};
          Window to{h2 << 32 | l2, 0xffffffffffffffff};
          EXPECT_EQ(play(from, to) >= 0, can_lower(from.start, to.start)) << std::hex << from.start << " " << to.start;
        }
}

TEST(Regs, BothEndsAtOnce) {
  for (auto h : highs)
    for (auto l : lows)
      for (auto h2 : highs)
        for (auto l2 : lows) {
          Window from{0x2ull << 32 | 0x40000000, 0x2ull << 32 | 0x6fffffff};
          Window to{h << 32 | l, h2 << 32 | l2 | 0xfffff};
          bool possible = can_lower(from.start, to.start) && can_raise(from.end, to.end);
          EXPECT_EQ(play(from, to) >= 0, possible);
        }
}

TEST(Regs, RandomGrowth) {
  std::mt19937_64 random(1);
  int grown = 0;
  for (int i = 0; i < 200000; i++) {
    auto a = random() >> (random() % 44) & ~0xfffffull;
    auto b = a + ((random() >> (20 + random() % 44)) & ~0xfffffull);
    auto c = a - std::min(a, (random() >> (20 + random() % 44)) & ~0xfffffull);
    auto d = b + ((random() >> (20 + random() % 44)) & ~0xfffffull);
    if (b < a || d < b) continue;
    Window from{a, b | 0xfffff};
    Window to{c, d | 0xfffff};
    bool possible = can_lower(from.start, to.start) && can_raise(from.end, to.end);
    ASSERT_EQ(play(from, to) >= 0, possible);
    grown += possible;
  }
  EXPECT_GT(grown, 100000);
}

TEST(Regs, ThePrototypesMachineTakesThreeWrites) {
  // 770M -> 96G + 2M: the lower half of the limit goes down.
  EXPECT_EQ(play({0x10000000000, 0x100301fffff}, {0x10000000000, 0x118001fffff}), 3);
}

TEST(Regs, NothingToDoIsNoWrite) {
  EXPECT_EQ(play({0x10000000000, 0x100301fffff}, {0x10000000000, 0x100301fffff}), 0);
}

TEST(Regs, RefusesToShrinkToMoveAndToCutMegabytes) {
  EXPECT_EQ(play({0x100000, 0x4fffff}, {0x200000, 0x4fffff}), -1);
  EXPECT_EQ(play({0x100000, 0x4fffff}, {0x100000, 0x3fffff}), -1);
  EXPECT_EQ(play({0x100000, 0x4fffff}, {0x600000, 0x9fffff}), -1);
  EXPECT_EQ(play({0x100000, 0x4fffff}, {0x100000, 0x57ffff}), -1);
  EXPECT_EQ(play({0x100000, 0x4fffff}, {0x080000, 0x4fffff}), -1);
}

TEST(Regs, RefusesAClosedWindow) {
  widen_regs closed{0xfff1, 0x0001, 0, 0};
  widen_write writes[WIDEN_MAX_WRITES];
  EXPECT_EQ(widen_regs_writes(&closed, 0, 0xfffff, writes), -1);
}

TEST(Regs, ReachGoesNoFurtherThanItMust) {
  for (auto h : highs)
    for (auto l : lows)
      for (auto h2 : highs)
        for (auto l2 : lows) {
          auto from = h << 32 | l | 0xfffff;
          auto to = h2 << 32 | l2 | 0xfffff;
          if (to < from) continue;
          auto reach = widen_limit_reach(from, to);
          EXPECT_TRUE(can_raise(from, reach));
          EXPECT_GE(reach, to);
          EXPECT_TRUE(reach == to || (!can_raise(from, to) && !can_raise(from, reach - 0x100000)));
          auto base = widen_base_reach(to & ~0xfffffull, from & ~0xfffffull);
          EXPECT_TRUE(can_lower(to & ~0xfffffull, base));
          EXPECT_LE(base, from & ~0xfffffull);
        }
}

} // namespace
