// SPDX-License-Identifier: GPL-2.0-only
//
// Plans that succeed: after the growth the kernel model resizes every card in
// every order, and with one megabyte less it would not.
#include "machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace kernel_model {

std::ostream& operator<<(std::ostream& out, Kernel kernel) {
  const char* const names[] = {"v6_1", "v6_12", "v6_18", "v7_0", "v7_1"};
  return out << names[static_cast<int>(kernel)];
}

namespace {

constexpr std::uint64_t base = 1 * T;

using Build = std::function<void(Machine&)>;

// Orders of n cards: all of them up to 4 cards, a random selection beyond.
std::vector<std::vector<std::size_t>> orders_of(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<std::size_t>> orders;
  if (n <= 4) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  std::mt19937 random(7);
  orders.push_back(order);
  orders.emplace_back(order.rbegin(), order.rend());
  for (int i = 0; i < 100; i++) {
    std::shuffle(order.begin(), order.end(), random);
    orders.push_back(order);
  }
  return orders;
}

struct HostWindow {
  std::uint64_t start;
  std::uint64_t size;
};

// Builds the machine afresh, lets @prepare change it, and resizes all cards.
std::size_t resized(HostWindow host, const Build& build, const std::function<void(Machine&)>& prepare,
                    const std::vector<std::size_t>& order, Kernel kernel) {
  Machine machine(host.start, host.size);
  build(machine);
  prepare(machine);
  std::size_t full = 0;
  for (auto i : order) full += resize(machine.host(), *machine.cards()[i], kernel);
  return full;
}

struct Outcome {
  int grown = 0;
  std::size_t cards = 0;
  std::uint64_t growth = 0; // of the root port
};

// The plan must let every order succeed.
Outcome expect_all_fit(HostWindow host, const Build& build, Kernel kernel) {
  Machine machine(host.start, host.size);
  build(machine);
  auto* port = machine.host().root.devices.front().get();
  Plan plan(machine, rules_of(kernel));
  Outcome outcome{plan.grown, machine.cards().size(),
                  plan.of(port).end - plan.of(port).start + 1 - port->window.size()};
  EXPECT_TRUE(plan.blocked().empty());
  for (auto& order : orders_of(outcome.cards))
    EXPECT_EQ(resized(host, build, [&](Machine& m) { plan.apply(m); }, order, kernel), outcome.cards)
        << "kernel " << kernel;
  plan.apply();
  EXPECT_EQ(Plan(machine, rules_of(kernel)).grown, 0) << "a second plan must find nothing to do";
  return outcome;
}

// With the grown end pulled back by one megabyte some order must fail.
void expect_no_more_than_needed(HostWindow host, const Build& build, Kernel kernel, bool upwards) {
  Machine machine(host.start, host.size);
  build(machine);
  Plan plan(machine, rules_of(kernel));
  auto less = [&](Machine& m) {
    plan.apply(m);
    std::function<void(Bus&)> trim = [&](Bus& bus) {
      for (auto& device : bus.devices) {
        if (!device->subordinate) continue;
        trim(*device->subordinate);
        auto fits = [&](auto* child) {
          return upwards ? child->end <= device->window.end - M : child->start >= device->window.start + M;
        };
        auto& children = device->window.children;
        if (!std::all_of(children.begin(), children.end(), fits)) continue;
        if (upwards)
          device->window.end -= M;
        else
          device->window.start += M;
      }
    };
    trim(m.host().root);
  };
  bool failed = false;
  for (auto& order : orders_of(machine.cards().size()))
    failed |= resized(host, build, less, order, kernel) < machine.cards().size();
  EXPECT_TRUE(failed) << "kernel " << kernel << ": the plan takes more than it needs";
}

// Cards on the downstream ports of one switch, as firmware lays them out.
Build flat(int cards, std::uint64_t at, std::uint64_t max = 32 * G) {
  return [=](Machine& machine) {
    auto size = (cards - 1) * 512 * M + 258 * M;
    auto* root = machine.bridge(nullptr, "root port", at, size);
    auto* up = machine.bridge(root, "switch", at, size);
    for (int i = 0; i < cards; i++) {
      auto start = at + i * 512 * M;
      auto* down = machine.bridge(up, "port " + std::to_string(i), start, 258 * M);
      machine.card(down, "card " + std::to_string(i), start, max);
    }
  };
}

// A second switch on the first one's first port, two cards on it, one beside.
Build nested(std::uint64_t at) {
  return [=](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", at, 2 * G);
    auto* up = machine.bridge(root, "switch", at, 2 * G);
    auto* one = machine.bridge(up, "lone port", at, 258 * M);
    machine.card(one, "card 0", at);
    auto* down = machine.bridge(up, "nest port", at + 1 * G, 770 * M);
    auto* up2 = machine.bridge(down, "second switch", at + 1 * G, 770 * M);
    for (int i = 0; i < 2; i++) {
      auto start = at + 1 * G + i * 512 * M;
      auto* port = machine.bridge(up2, "port " + std::to_string(i), start, 258 * M);
      machine.card(port, "card " + std::to_string(i + 1), start);
    }
  };
}

// Two cards and an NVMe drive with a 64-bit prefetchable BAR on one switch.
Build with_nvme(int cards, std::uint64_t at) {
  return [=](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", at, 2 * G);
    auto* up = machine.bridge(root, "switch", at, 2 * G);
    for (int i = 0; i < cards; i++) {
      auto start = at + i * 512 * M;
      auto* down = machine.bridge(up, "port " + std::to_string(i), start, 258 * M);
      machine.card(down, "card " + std::to_string(i), start);
    }
    auto* slot = machine.bridge(up, "nvme port", at + 1800 * M, 1 * M);
    machine.bar(machine.device(slot, "nvme"), at + 1800 * M, 16 * 1024);
  };
}

class EveryKernel : public testing::TestWithParam<Kernel> {};

TEST_P(EveryKernel, OneCardAloneNeedsNoGrowth) {
  auto outcome = expect_all_fit({base, 256 * G}, flat(1, base), GetParam());
  EXPECT_EQ(outcome.grown, 0);
}

TEST_P(EveryKernel, TwoCardsGrowTheRootPortAndTheSwitch) {
  auto outcome = expect_all_fit({base, 256 * G}, flat(2, base), GetParam());
  EXPECT_EQ(outcome.grown, 2);
  expect_no_more_than_needed({base, 256 * G}, flat(2, base), GetParam(), true);
}

TEST_P(EveryKernel, WithoutThePlanOnlyTheSmallBarsFit) {
  auto nothing = [](Machine&) {};
  EXPECT_EQ(resized({base, 256 * G}, flat(2, base), nothing, {0, 1}, GetParam()), 0u);
}

TEST_P(EveryKernel, FourCards) {
  expect_all_fit({base, 512 * G}, flat(4, base), GetParam());
  expect_no_more_than_needed({base, 512 * G}, flat(4, base), GetParam(), true);
}

TEST_P(EveryKernel, EightCards) {
  expect_all_fit({base, 1 * T}, flat(8, base), GetParam());
  expect_no_more_than_needed({base, 1 * T}, flat(8, base), GetParam(), true);
}

TEST_P(EveryKernel, WindowsThatStartAnywhere) {
  for (auto at : {base + 64 * M, base + 4 * G, base + 15 * G, base + 17 * G + 256 * M, base + 31 * G})
    expect_all_fit({base, 512 * G}, flat(2, at), GetParam());
}

TEST_P(EveryKernel, GrowsDownWhenANeighbourIsAbove) {
  auto at = base + 200 * G;
  Build build = [=](Machine& machine) {
    flat(2, at)(machine);
    machine.other("neighbour", at + 1 * G, 1 * G);
  };
  auto outcome = expect_all_fit({base, 256 * G}, build, GetParam());
  EXPECT_EQ(outcome.grown, 2);
  expect_no_more_than_needed({base, 256 * G}, build, GetParam(), false);
}

TEST_P(EveryKernel, GrowsBothWaysBetweenNeighbours) {
  auto at = base + 100 * G;
  Build build = [=](Machine& machine) {
    machine.other("below", at - 72 * G, 1 * G);
    flat(2, at)(machine);
    machine.other("above", at + 72 * G, 1 * G);
  };
  expect_all_fit({base, 256 * G}, build, GetParam());
}

TEST_P(EveryKernel, NestedSwitch) {
  expect_all_fit({base, 512 * G}, nested(base + 1 * G), GetParam());
  expect_all_fit({base, 512 * G}, nested(base + 160 * G), GetParam());
}

TEST_P(EveryKernel, ANeighbourDrivePinsOneCard) {
  auto outcome = expect_all_fit({base, 256 * G}, with_nvme(1, base), GetParam());
  EXPECT_EQ(outcome.grown, 2);
}

TEST_P(EveryKernel, ANeighbourDriveBesideThreeCards) {
  expect_all_fit({base, 512 * G}, with_nvme(3, base), GetParam());
}

TEST_P(EveryKernel, CardsOfDifferentSizes) {
  Build build = [](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", base, 2 * G);
    auto* up = machine.bridge(root, "switch", base, 2 * G);
    const std::uint64_t sizes[] = {8 * G, 32 * G, 16 * G, 4 * G};
    for (std::size_t i = 0; i < 4; i++) {
      auto start = base + i * 512 * M;
      machine.card(machine.bridge(up, "port", start, 258 * M), "card " + std::to_string(i), start, sizes[i]);
    }
  };
  expect_all_fit({base, 512 * G}, build, GetParam());
}

TEST_P(EveryKernel, CardsWithoutASwitchOfTheirOwn) {
  Build build = [](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", base, 1 * G);
    auto* up = machine.bridge(root, "switch", base, 1 * G);
    for (std::uint64_t i = 0; i < 2; i++) {
      auto start = base + i * 512 * M;
      auto* gpu = machine.device(machine.bridge(up, "port", start, 320 * M), "card " + std::to_string(i));
      machine.bar(gpu, start, 256 * M, 24 * G / 3 * 2);
      machine.bar(gpu, start + 256 * M, 32 * M);
    }
  };
  expect_all_fit({base, 256 * G}, build, GetParam());
}

TEST_P(EveryKernel, EightCardsOfDifferentSizes) {
  Build build = [](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", base, 4 * G);
    auto* up = machine.bridge(root, "switch", base, 4 * G);
    const std::uint64_t sizes[] = {32 * G, 4 * G, 16 * G, 32 * G, 8 * G, 16 * G, 1 * G, 32 * G};
    for (std::size_t i = 0; i < 8; i++) {
      auto start = base + i * 512 * M;
      machine.card(machine.bridge(up, "port", start, 258 * M), "card " + std::to_string(i), start, sizes[i]);
    }
  };
  expect_all_fit({base, 2 * T}, build, GetParam());
}

TEST_P(EveryKernel, AFixedBarOfHalfTheSizeLowersTheAlignment) {
  Build build = [](Machine& machine) {
    auto* root = machine.bridge(nullptr, "root port", base, 80 * G);
    auto* up = machine.bridge(root, "switch", base, 80 * G);
    for (std::uint64_t i = 0; i < 2; i++) {
      auto start = base + i * 32 * G;
      auto* gpu = machine.device(machine.bridge(up, "port", start, 17 * G), "card " + std::to_string(i));
      machine.bar(gpu, start, 16 * G);
      machine.bar(gpu, start + 16 * G, 256 * M, 32 * G);
    }
  };
  expect_all_fit({base, 512 * G}, build, GetParam());
  expect_no_more_than_needed({base, 512 * G}, build, GetParam(), true);
}

TEST_P(EveryKernel, GoesFurtherWhenRegistersNeedIt) {
  // From 3.75 GiB to about 5 GiB: the upper half of the limit goes up by one
  // and the lower half would go down.
  auto outcome = expect_all_fit({base + 3 * G, 64 * G}, flat(2, base + 3 * G, 512 * M), GetParam());
  EXPECT_EQ(outcome.growth, 4 * G);
}

TEST_P(EveryKernel, DownWhenThatIsLess) {
  auto host = base - 512 * G;
  Machine machine(host, 1 * T);
  flat(2, base + 1 * G)(machine);
  auto old = machine.host().root.devices.front()->window.end;
  Plan plan(machine, rules_of(GetParam()));
  auto& verdict = plan.of(machine.host().root.devices.front().get());
  if (GetParam() == Kernel::V7_0) {
    EXPECT_EQ(verdict.end, old);
    EXPECT_EQ(verdict.start, base - 96 * G);
  }
  expect_all_fit({host, 1 * T}, flat(2, base + 1 * G), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryKernel, testing::Values(Kernel::V6_1, Kernel::V6_12, Kernel::V6_18, Kernel::V7_0, Kernel::V7_1),
                         testing::PrintToStringParamName());

// The sizes worth knowing by heart: two cards of 32G with 2M each.
TEST(Sizes, TwoCardsOf32G) {
  auto size_for = [](unsigned rules) {
    Machine machine(base, 256 * G);
    flat(2, base)(machine);
    Plan plan(machine, rules);
    auto& verdict = plan.of(machine.host().root.devices.front().get());
    EXPECT_EQ(verdict.start, base);
    EXPECT_EQ(verdict.below, 2);
    return verdict.end + 1 - base;
  };
  EXPECT_EQ(size_for(WIDEN_RULE_ROUND), 112 * G);
  EXPECT_EQ(size_for(WIDEN_RULE_RELAX), 96 * G + 2 * M);
  EXPECT_EQ(size_for(WIDEN_RULE_RELAX_HEAD), 96 * G + 2 * M);
  EXPECT_EQ(size_for(WIDEN_RULE_EXACT), 128 * G + 2 * M);
  EXPECT_EQ(size_for(WIDEN_RULE_EXACT_HEAD), 96 * G + 2 * M);
}

// A kernel that may have a stable update or not: the plan holds for both.
TEST(Sizes, TwoRulesAtOnce) {
  for (auto kernel : {Kernel::V7_0, Kernel::V7_1}) {
    Machine machine(base, 256 * G);
    flat(2, base)(machine);
    Plan(machine, WIDEN_RULE_EXACT | WIDEN_RULE_EXACT_HEAD).apply();
    EXPECT_TRUE(resize(machine.host(), *machine.cards()[0], kernel)) << kernel;
    EXPECT_TRUE(resize(machine.host(), *machine.cards()[1], kernel)) << kernel;
  }
}

} // namespace
} // namespace kernel_model
