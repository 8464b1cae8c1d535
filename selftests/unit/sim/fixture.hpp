// SPDX-License-Identifier: GPL-2.0-only
// Machines for the tests, and a short way to their registers.
#pragma once

#include <gtest/gtest.h>
#include <linux/pci_regs.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim_model.h"

namespace sim {

inline constexpr u64 kilo = 1024;
inline constexpr u64 mega = 1024 * kilo;
inline constexpr u64 giga = 1024 * mega;
inline constexpr u64 tera = 1024 * giga;

// A description that owns its arrays.
class Description {
public:
  bool preset = true;
  std::vector<sim_host_desc> hosts;
  std::vector<sim_function_desc> functions;

  sim_host_desc& add_host(u32 domain, u8 bus_start, u8 bus_end);
  sim_function_desc& add(std::string_view address, u16 vendor, u16 device, sim_port port);
  sim_function_desc& at(std::string_view address);

  [[nodiscard]] sim_machine_desc view();
  // Empty when valid, otherwise "<where>: <what>".
  [[nodiscard]] std::string why_invalid() const;
};

void add_window(sim_host_desc& host, sim_space space, u64 start, u64 end);
void make_bridge(sim_function_desc& f, u8 secondary, u8 subordinate);
[[nodiscard]] sim_range range(u64 start, u64 size);

// Two cards behind one switch, firmware at 256M: the T7910 switch machine.
// Bus 1 the switch's upstream port, 5 and 8 the cards.
inline constexpr u64 pref_base = 1 * tera;
inline constexpr u64 mem_base = 0x90000000;
[[nodiscard]] Description two_cards();

// A machine at work.
class Machine {
public:
  explicit Machine(Description description);

  u32 read(std::string_view address, u16 offset, u8 size);
  void write(std::string_view address, u16 offset, u8 size, u32 value);

  [[nodiscard]] u64 violations() const;
  [[nodiscard]] std::string first_violation() const;
  [[nodiscard]] sim_machine& raw() { return *machine_; }

private:
  struct Destroy {
    void operator()(sim_machine* m) const { sim_machine_destroy(m); }
  };
  std::unique_ptr<sim_machine, Destroy> machine_;

  sim_host& host_of(u32 domain, u8 bus);
};

}  // namespace sim
