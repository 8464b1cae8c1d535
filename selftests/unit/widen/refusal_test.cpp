// SPDX-License-Identifier: GPL-2.0-only
//
// Plans that must not grow a window, and what they say.
#include "machine.hpp"

#include <gtest/gtest.h>

namespace kernel_model {
namespace {

constexpr std::uint64_t base = 1 * T;

struct Switch {
  Device* root;
  Device* up;
};

Switch two_cards(Machine& machine, std::uint64_t at) {
  auto* root = machine.bridge(nullptr, "root port", at, 770 * M);
  auto* up = machine.bridge(root, "switch", at, 770 * M);
  for (std::uint64_t i = 0; i < 2; i++) {
    auto start = at + i * 512 * M;
    machine.card(machine.bridge(up, "port", start, 258 * M), "card " + std::to_string(i), start);
  }
  return {root, up};
}

TEST(Refusal, HostWindowIsTooSmall) {
  Machine machine(base, 80 * G);
  auto sw = two_cards(machine, base);
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.grown, 0);
  ASSERT_EQ(plan.of(sw.up).fate, WIDEN_BLOCKED);
  EXPECT_EQ(plan.edge_name(plan.of(sw.up).up), "host");
  EXPECT_EQ(plan.edge_name(plan.of(sw.up).down), "host");
  EXPECT_EQ(plan.of(sw.up).up.addr, base + 80 * G - 1);
}

TEST(Refusal, NamesTheNeighboursOnBothSides) {
  Machine machine(base, 512 * G);
  machine.other("below", base + 90 * G, 1 * G);
  auto sw = two_cards(machine, base + 100 * G);
  machine.other("above", base + 110 * G, 1 * G);
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.grown, 0);
  ASSERT_EQ(plan.of(sw.up).fate, WIDEN_BLOCKED);
  EXPECT_EQ(plan.edge_name(plan.of(sw.up).up), "above");
  EXPECT_EQ(plan.edge_name(plan.of(sw.up).down), "below");
  EXPECT_EQ(plan.of(sw.up).up.addr, base + 110 * G - 1);
  EXPECT_EQ(plan.of(sw.up).down.addr, base + 91 * G);
}

TEST(Refusal, ABridgeThatMustNotGrowEndsTheRoom) {
  Machine machine(base, 512 * G);
  auto sw = two_cards(machine, base);
  machine.fixed(sw.root);
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.grown, 0);
  ASSERT_EQ(plan.of(sw.up).fate, WIDEN_BLOCKED);
  EXPECT_EQ(plan.edge_name(plan.of(sw.up).up), "root port");
}

TEST(Refusal, OneGroupBlockedLeavesTheOtherToGrow) {
  Machine machine(base, 512 * G);
  auto blocked = two_cards(machine, base + 1 * G);
  machine.other("wall", base + 2 * G, 1 * G);
  auto* root = machine.bridge(nullptr, "second root port", base + 8 * G, 770 * M);
  auto* up = machine.bridge(root, "second switch", base + 8 * G, 770 * M);
  for (std::uint64_t i = 0; i < 2; i++) {
    auto start = base + 8 * G + i * 512 * M;
    machine.card(machine.bridge(up, "port", start, 258 * M), "far card", start);
  }
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.grown, 2);
  EXPECT_EQ(plan.of(blocked.up).fate, WIDEN_BLOCKED);
  EXPECT_EQ(plan.of(up).fate, WIDEN_GROWS);
  plan.apply();
  EXPECT_TRUE(resize(machine.host(), *machine.cards()[3], Kernel::V6_12));
  EXPECT_TRUE(resize(machine.host(), *machine.cards()[2], Kernel::V6_12));
}

TEST(Refusal, DoesNotTakeTheRoomOfALoneCard) {
  // 128G: the pair's 96G would leave the lone card no 48G.
  Machine machine(base, 128 * G);
  auto sw = two_cards(machine, base);
  auto* port = machine.bridge(nullptr, "lone port", base + 127 * G, 258 * M);
  auto* lone = machine.card(port, "lone card", base + 127 * G);
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.of(sw.up).fate, WIDEN_TAKES_ROOM);
  plan.apply();
  EXPECT_TRUE(resize(machine.host(), *lone, Kernel::V6_12));
}

TEST(Refusal, TheMiddleOfThreeNestedSwitchesIsWalledIn) {
  Machine machine(base, 1 * T);
  auto* root = machine.bridge(nullptr, "root port", base + 400 * G, 8 * G);
  auto* up = machine.bridge(root, "switch", base + 400 * G, 8 * G);
  std::vector<Device*> inner;
  for (std::uint64_t s = 0; s < 3; s++) {
    auto at = base + 400 * G + s * G;
    auto* down = machine.bridge(up, "port " + std::to_string(s), at, 770 * M);
    inner.push_back(machine.bridge(down, "inner " + std::to_string(s), at, 770 * M));
    for (std::uint64_t i = 0; i < 2; i++) {
      auto start = at + i * 512 * M;
      machine.card(machine.bridge(inner.back(), "slot", start, 258 * M), "card", start);
    }
  }
  Plan plan(machine, WIDEN_RULE_RELAX);
  EXPECT_EQ(plan.of(inner[0]).fate, WIDEN_GROWS);
  EXPECT_EQ(plan.of(inner[1]).fate, WIDEN_BLOCKED);
  EXPECT_EQ(plan.edge_name(plan.of(inner[1]).up), "port 2");
  EXPECT_EQ(plan.edge_name(plan.of(inner[1]).down), "port 0");
  EXPECT_EQ(plan.of(inner[2]).fate, WIDEN_GROWS);
  plan.apply();
  for (auto i : {0, 1, 4, 5})
    EXPECT_TRUE(resize(machine.host(), *machine.cards()[static_cast<std::size_t>(i)], Kernel::V6_12));
}

TEST(Refusal, FourCardsOn7_0NeedMoreThan256G) {
  // Without head space each 32G + 2M takes 64G and the low end stays free.
  for (auto rule : {WIDEN_RULE_EXACT, WIDEN_RULE_EXACT_HEAD, WIDEN_RULE_RELAX}) {
    Machine machine(base, 256 * G);
    auto* root = machine.bridge(nullptr, "root port", base, 2 * G);
    auto* up = machine.bridge(root, "switch", base, 2 * G);
    for (std::uint64_t i = 0; i < 4; i++)
      machine.card(machine.bridge(up, "port", base + i * 512 * M, 258 * M), "card", base + i * 512 * M);
    Plan plan(machine, rule);
    EXPECT_EQ(plan.of(up).fate, rule == WIDEN_RULE_EXACT ? WIDEN_BLOCKED : WIDEN_GROWS);
  }
}

TEST(Refusal, NoRoomForTheDetourOfTheRegisters) {
  // The cards' 512M would fit below 6 GiB, but no order of register writes
  // takes the limit from 3.75 GiB to there.
  for (auto wall : {6 * G, 9 * G}) {
    Machine machine(base + 3 * G, 64 * G);
    auto* root = machine.bridge(nullptr, "root port", base + 3 * G, 770 * M);
    auto* up = machine.bridge(root, "switch", base + 3 * G, 770 * M);
    for (std::uint64_t i = 0; i < 2; i++) {
      auto start = base + 3 * G + i * 512 * M;
      machine.card(machine.bridge(up, "port", start, 258 * M), "card", start, 512 * M);
    }
    machine.other("wall", base + wall, 1 * G);
    Plan plan(machine, WIDEN_RULE_RELAX);
    EXPECT_EQ(plan.of(up).fate, wall == 6 * G ? WIDEN_BLOCKED : WIDEN_GROWS);
    plan.apply();
  }
}

TEST(Refusal, NoRoomForTheDetourDownwards) {
  for (auto room : {3 * G, 6 * G}) {
    auto at = base + 8 * G + 256 * M;
    Machine machine(at - room, room + 770 * M);
    auto* root = machine.bridge(nullptr, "root port", at, 770 * M);
    auto* up = machine.bridge(root, "switch", at, 770 * M);
    for (std::uint64_t i = 0; i < 2; i++) {
      auto start = at + i * 512 * M;
      machine.card(machine.bridge(up, "port", start, 258 * M), "card", start, 512 * M);
    }
    Plan plan(machine, WIDEN_RULE_RELAX);
    EXPECT_EQ(plan.of(up).fate, room == 3 * G ? WIDEN_BLOCKED : WIDEN_GROWS);
    plan.apply();
  }
}

TEST(Refusal, NoResizableBarIsNoWork) {
  Machine machine(base, 64 * G);
  auto* root = machine.bridge(nullptr, "root port", base, 1 * G);
  machine.bar(machine.device(root, "nic"), base, 64 * M);
  EXPECT_EQ(Plan(machine, WIDEN_RULE_RELAX).grown, 0);
}

} // namespace
} // namespace kernel_model
