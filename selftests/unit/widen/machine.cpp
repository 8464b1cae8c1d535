// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <algorithm>
#include <stdexcept>

namespace kernel_model {

Machine::Machine(std::uint64_t start, std::uint64_t size) {
  auto window = std::make_unique<Resource>();
  window->name = "host";
  window->start = start;
  window->end = start + size - 1;
  host_.windows.push_back(std::move(window));
}

Device* Machine::device(Device* up, std::string name) {
  auto& bus = up == nullptr ? host_.root : *up->subordinate;
  bus.devices.push_back(std::make_unique<Device>());
  auto* device = bus.devices.back().get();
  device->name = std::move(name);
  device->bus = &bus;
  return device;
}

Device* Machine::bridge(Device* up, std::string name, std::uint64_t start, std::uint64_t size) {
  auto* bridge = device(up, std::move(name));
  bridge->subordinate = std::make_unique<Bus>();
  bridge->subordinate->bridge = bridge;
  bridge->subordinate->parent = bridge->bus;
  bridge->window.name = bridge->name;
  bridge->window.start = start;
  bridge->window.end = start + size - 1;
  auto& parent = up == nullptr ? *host_.windows.front() : up->window;
  if (!request(parent, bridge->window)) throw std::logic_error(bridge->name + " does not fit");
  return bridge;
}

void Machine::bar(Device* device, std::uint64_t start, std::uint64_t size, std::uint64_t max) {
  device->bars.push_back(std::make_unique<Bar>());
  auto& bar = *device->bars.back();
  bar.max = max;
  bar.res.name = device->name + " BAR";
  bar.res.start = start;
  bar.res.end = start + size - 1;
  if (!request(device->bus->bridge->window, bar.res)) throw std::logic_error(bar.res.name + " does not fit");
  if (max > size) cards_.push_back(device);
}

void Machine::other(std::string name, std::uint64_t start, std::uint64_t size) {
  host_.others.push_back(std::make_unique<Resource>());
  auto& res = *host_.others.back();
  res.name = std::move(name);
  res.start = start;
  res.end = start + size - 1;
  if (!request(*host_.windows.front(), res)) throw std::logic_error(res.name + " does not fit");
}

Device* Machine::card(Device* up, std::string name, std::uint64_t start, std::uint64_t max) {
  auto* upstream = bridge(up, name + " upstream", start, 258 * M);
  auto* downstream = bridge(upstream, name + " downstream", start, 258 * M);
  auto* gpu = device(downstream, name);
  bar(gpu, start, 256 * M, max);
  bar(gpu, start + 256 * M, 2 * M);
  return gpu;
}

namespace {

// All windows in the order in which the planner gets them.
std::vector<Resource*> windows_of(Host& host) {
  std::vector<Resource*> windows;
  for (auto& window : host.windows) windows.push_back(window.get());
  auto add_bus = [&](auto& self, Bus& bus) -> void {
    for (auto& device : bus.devices) {
      if (!device->subordinate) continue;
      windows.push_back(&device->window);
      self(self, *device->subordinate);
    }
  };
  add_bus(add_bus, host.root);
  return windows;
}

struct Walk {
  std::vector<widen_window> windows;
  std::vector<widen_claim> claims;
  std::int32_t devices = 0;
};

} // namespace

Plan::Plan(Machine& machine, unsigned rules) : machine_(machine) {
  Walk walk;
  auto add_window = [&](Resource* res, const Device* bridge, std::int32_t parent, bool grows) {
    windows_.push_back(res);
    bridges_.push_back(bridge);
    walk.windows.push_back({parent, grows, true, res->start, res->end});
  };
  auto add_claim = [&](Resource* res, std::int32_t window) {
    claims_.push_back(res);
    walk.claims.push_back({window, WIDEN_NONE, false, true, res->start, res->end, res->size()});
  };
  auto index_of = [&](Resource* res) {
    return static_cast<std::int32_t>(std::find(windows_.begin(), windows_.end(), res) - windows_.begin());
  };
  auto& host = machine.host();
  for (auto& window : host.windows) add_window(window.get(), nullptr, WIDEN_NONE, false);
  for (auto& other : host.others) add_claim(other.get(), index_of(other->parent));

  auto add_bus = [&](auto& self, Bus& bus) -> void {
    for (auto& device : bus.devices) {
      Bar* resized = nullptr;
      for (auto& bar : device->bars)
        if (bar->max > bar->res.size() && (resized == nullptr || bar->max > resized->max)) resized = bar.get();
      for (auto& bar : device->bars) {
        add_claim(&bar->res, index_of(bar->res.parent));
        auto& claim = walk.claims.back();
        if (resized == nullptr || bar->res.parent != resized->res.parent) continue;
        claim.device = walk.devices;
        claim.resized = bar.get() == resized;
        if (claim.resized) claim.later = bar->max;
      }
      if (resized != nullptr) walk.devices++;
      if (!device->subordinate) continue;
      bool grows = std::find(machine.fixed_.begin(), machine.fixed_.end(), device.get()) == machine.fixed_.end();
      add_window(&device->window, device.get(), index_of(device->window.parent), grows);
      self(self, *device->subordinate);
    }
  };
  add_bus(add_bus, host.root);

  widen_tree tree{walk.windows.data(), walk.claims.data(), static_cast<std::int32_t>(walk.windows.size()),
                  static_cast<std::int32_t>(walk.claims.size()), walk.devices};
  verdicts_.resize(walk.windows.size());
  std::vector<std::uint64_t> memory(widen_plan_memory(&tree) / 8 + 1);
  grown = widen_plan(&tree, rules, verdicts_.data(), memory.data());
}

const widen_verdict& Plan::of(const Device* bridge) const {
  auto at = std::find(bridges_.begin(), bridges_.end(), bridge);
  return verdicts_.at(static_cast<std::size_t>(at - bridges_.begin()));
}

std::string Plan::edge_name(const widen_edge& edge) const {
  if (edge.claim != WIDEN_NONE) return claims_.at(static_cast<std::size_t>(edge.claim))->name;
  if (edge.window != WIDEN_NONE) return windows_.at(static_cast<std::size_t>(edge.window))->name;
  return "nothing";
}

void Plan::apply(Machine& machine) const {
  auto windows = windows_of(machine.host());
  for (std::size_t i = 0; i < windows.size(); i++) {
    auto& res = *windows[i];
    auto& verdict = verdicts_[i];
    if (verdict.start > res.start || verdict.end < res.end) throw std::logic_error(res.name + " shrinks");
    if ((verdict.fate == WIDEN_GROWS) != (verdict.start != res.start || verdict.end != res.end))
      throw std::logic_error(res.name + " has a wrong fate");
    if (verdict.fate != WIDEN_GROWS) continue;
    if (verdict.start % M != 0 || (verdict.end + 1) % M != 0) throw std::logic_error(res.name + " is off the grain");
    // One register at a time: see regs_test.cpp, can_raise().
    auto one_up = [](auto from, auto to) { return (to >> 32) == (from >> 32) + 1; };
    auto low = [](auto addr) { return addr & 0xffffffff; };
    if ((one_up(res.end, verdict.end) && low(verdict.end) < low(res.end)) ||
        (one_up(verdict.start, res.start) && low(verdict.start) > low(res.start)))
      throw std::logic_error(res.name + " cannot be grown by live register writes");
    // As adjust_resource() does: in the parent, clear of the siblings.
    auto* parent = res.parent;
    release(res);
    res.start = verdict.start;
    res.end = verdict.end;
    if (!request(*parent, res)) throw std::logic_error(res.name + " hits a neighbour or leaves its parent");
  }
}

std::vector<const widen_verdict*> Plan::blocked() const {
  std::vector<const widen_verdict*> found;
  for (auto& verdict : verdicts_)
    if (verdict.fate == WIDEN_BLOCKED || verdict.fate == WIDEN_TAKES_ROOM) found.push_back(&verdict);
  return found;
}

unsigned rules_of(Kernel kernel) {
  switch (kernel) {
  case Kernel::V6_1: return WIDEN_RULE_ROUND;
  case Kernel::V6_12: return WIDEN_RULE_RELAX;
  case Kernel::V6_18: return WIDEN_RULE_RELAX_HEAD;
  case Kernel::V7_0: return WIDEN_RULE_EXACT;
  default: return WIDEN_RULE_EXACT_HEAD;
  }
}

} // namespace kernel_model
