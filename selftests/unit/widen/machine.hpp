// SPDX-License-Identifier: GPL-2.0-only
//
// Machines for the tests: built as firmware leaves them, turned into the
// planner's numbers, and changed by its verdicts.
#pragma once

#include "kernel_model.hpp"
#include "widen_plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kernel_model {

class Machine {
public:
  Machine(std::uint64_t start, std::uint64_t size);

  // A bridge below @up (nullptr: on the root bus) with a preset window.
  Device* bridge(Device* up, std::string name, std::uint64_t start, std::uint64_t size);
  Device* device(Device* up, std::string name);
  void bar(Device* device, std::uint64_t start, std::uint64_t size, std::uint64_t max = 0);
  // A range that no PCI device of ours owns.
  void other(std::string name, std::uint64_t start, std::uint64_t size);
  // 258M card like Navi 31: on-card upstream and downstream port, 256M + 2M.
  Device* card(Device* up, std::string name, std::uint64_t start, std::uint64_t max = 32 * G);
  void fixed(Device* bridge) { fixed_.push_back(bridge); }

  Host& host() { return host_; }
  const std::vector<Device*>& cards() const { return cards_; }

private:
  Host host_;
  std::vector<Device*> cards_;

public:
  std::vector<Device*> fixed_; // bridges that must not grow
};

// The planner's view of a machine, and its answer.
class Plan {
public:
  Plan(Machine& machine, unsigned rules);

  int grown = 0;
  const widen_verdict& of(const Device* bridge) const;
  std::string edge_name(const widen_edge& edge) const;
  // Change the windows of the machine, or of another one built the same way,
  // as the plan says; throws when that would shrink one, leave a parent, touch
  // a neighbour or be more than live register writes can do.
  void apply() const { apply(machine_); }
  void apply(Machine& machine) const;
  std::vector<const widen_verdict*> blocked() const;

private:
  Machine& machine_;
  std::vector<Resource*> windows_;
  std::vector<const Device*> bridges_;
  std::vector<Resource*> claims_;
  std::vector<widen_verdict> verdicts_;
};

unsigned rules_of(Kernel kernel);

} // namespace kernel_model
