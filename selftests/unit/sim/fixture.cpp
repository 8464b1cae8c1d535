// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.hpp"

#include <array>
#include <stdexcept>

#include "sim_parse.h"

namespace sim {

namespace {

struct Address {
  u32 domain = 0;
  u8 bus = 0;
  u8 devfn = 0;
};

Address parse(std::string_view text) {
  Address a;
  const std::string full = "0000:" + std::string(text);
  if (sim_parse_function_name(full.c_str(), &a.domain, &a.bus, &a.devfn) != 0)
    throw std::invalid_argument(full);
  return a;
}

void add_card(Description& d, u8 bus, u64 pref, u64 mem) {
  auto hex = [](u8 b) {
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string{digits[b >> 4], digits[b & 15]};
  };
  auto& up = d.add(hex(bus) + ":00.0", 0x1002, 0x1478, SIM_PORT_UPSTREAM);
  make_bridge(up, bus + 1, bus + 2);
  up.bars[0] = {SIM_SPACE_MEM32, 16 * kilo, mem + 2 * mega};
  up.mem = range(mem, 2 * mega);
  up.pref = range(pref, 258 * mega);

  auto& down = d.add(hex(bus + 1) + ":00.0", 0x1002, 0x1479, SIM_PORT_DOWNSTREAM);
  make_bridge(down, bus + 2, bus + 2);
  down.mem = range(mem, 2 * mega);
  down.pref = range(pref, 258 * mega);

  auto& gpu = d.add(hex(bus + 2) + ":00.0", 0x1002, 0x744c, SIM_PORT_LEGACY_ENDPOINT);
  gpu.class_code = 0x030000;
  gpu.rom = 128 * kilo;
  gpu.bars[0] = {SIM_SPACE_PREF64, 256 * mega, pref};
  gpu.bars[2] = {SIM_SPACE_PREF64, 2 * mega, pref + 256 * mega};
  gpu.bars[4] = {SIM_SPACE_IO, 256, 0};
  gpu.bars[5] = {SIM_SPACE_MEM32, 1 * mega, mem};
  gpu.rebar[0] = {0xff00, 256 * mega};  // 256M to 32G
  gpu.rebar[2] = {0x1fe, 2 * mega};     // 2M to 256M
  gpu.decode = true;

  auto& audio = d.add(hex(bus + 2) + ":00.1", 0x1002, 0xab30, SIM_PORT_LEGACY_ENDPOINT);
  audio.class_code = 0x040300;
  audio.bars[0] = {SIM_SPACE_MEM32, 16 * kilo, mem + 1 * mega};
  audio.decode = true;
}

}  // namespace

sim_range range(u64 start, u64 size) { return {start, start + size - 1}; }

sim_host_desc& Description::add_host(u32 domain, u8 bus_start, u8 bus_end) {
  sim_host_desc h{};
  h.domain = domain;
  h.bus_start = bus_start;
  h.bus_end = bus_end;
  h.node = -1;
  return hosts.emplace_back(h);
}

sim_function_desc& Description::add(std::string_view address, u16 vendor, u16 device,
                                    sim_port port) {
  const Address a = parse(address);
  sim_function_desc f;
  sim_function_desc_init(&f);
  f.domain = a.domain;
  f.bus = a.bus;
  f.devfn = a.devfn;
  f.vendor = vendor;
  f.device = device;
  f.port = port;
  return functions.emplace_back(f);
}

sim_function_desc& Description::at(std::string_view address) {
  const Address a = parse(address);
  for (auto& f : functions)
    if (f.domain == a.domain && f.bus == a.bus && f.devfn == a.devfn) return f;
  throw std::out_of_range(std::string(address));
}

sim_machine_desc Description::view() {
  sim_machine_desc m{};
  m.preset = preset;
  m.nhosts = static_cast<u32>(hosts.size());
  m.nfunctions = static_cast<u32>(functions.size());
  m.hosts = hosts.data();
  m.functions = functions.data();
  return m;
}

std::string Description::why_invalid() const {
  Description copy = *this;
  sim_machine_desc m = copy.view();
  sim_error error{};
  sim_desc_sort(&m);
  if (sim_desc_validate(&m, &error) == 0) return "";
  return std::string(error.where) + ": " + error.text;
}

void add_window(sim_host_desc& host, sim_space space, u64 start, u64 end) {
  host.windows[host.nwindows++] = {space, {start, end}};
}

void make_bridge(sim_function_desc& f, u8 secondary, u8 subordinate) {
  f.bridge = true;
  f.class_code = 0x060400;
  f.secondary = secondary;
  f.subordinate = subordinate;
  f.decode = true;
}

Description two_cards() {
  Description d;
  auto& host = d.add_host(0, 0, 0x7e);
  add_window(host, SIM_SPACE_PREF64, pref_base, pref_base + 256 * giga - 1);
  add_window(host, SIM_SPACE_MEM32, mem_base, 0xfbffbfff);

  auto& dmi = d.add("00:00.0", 0x8086, 0x6f00, SIM_PORT_ROOT);
  dmi.class_code = 0x060000;
  auto& root = d.add("00:02.0", 0x8086, 0x6f04, SIM_PORT_ROOT);
  make_bridge(root, 1, 8);
  root.mem = range(mem_base, 9 * mega);
  root.pref = range(pref_base, 770 * mega);
  auto& up = d.add("01:00.0", 0x1000, 0xc010, SIM_PORT_UPSTREAM);
  make_bridge(up, 2, 8);
  up.bars[0] = {SIM_SPACE_MEM32, 256 * kilo, mem_base + 8 * mega};
  up.mem = range(mem_base, 8 * mega);
  up.pref = range(pref_base, 770 * mega);

  struct Slot {
    std::string_view address;
    u8 bus;
    u64 pref, mem;
  };
  const std::array slots{Slot{"02:00.0", 3, pref_base, mem_base},
                         Slot{"02:08.0", 6, pref_base + 512 * mega, mem_base + 4 * mega}};
  for (const Slot& s : slots) {
    auto& port = d.add(s.address, 0x1000, 0xc010, SIM_PORT_DOWNSTREAM);
    make_bridge(port, s.bus, s.bus + 2);
    port.mem = range(s.mem, 4 * mega);
    port.pref = range(s.pref, 258 * mega);
    port.has_acs = true;
    port.acs_capable = 0x5f;
    port.acs_enabled = 0x1d;
    add_card(d, s.bus, s.pref, s.mem);
  }
  return d;
}

Machine::Machine(Description description) {
  sim_machine_desc m = description.view();
  sim_error error{};
  machine_.reset(sim_machine_create(&m, &error));
  if (!machine_) throw std::runtime_error(std::string(error.where) + ": " + error.text);
}

sim_host& Machine::host_of(u32 domain, u8 bus) {
  for (u32 i = 0; i < machine_->nhosts; i++) {
    sim_host& h = machine_->hosts[i];
    if (h.desc.domain == domain && h.desc.bus_start <= bus && bus <= h.desc.bus_end) return h;
  }
  throw std::out_of_range("no host bridge");
}

u32 Machine::read(std::string_view address, u16 offset, u8 size) {
  const Address a = parse(address);
  return sim_config_read(&host_of(a.domain, a.bus), a.bus, a.devfn, offset, size);
}

void Machine::write(std::string_view address, u16 offset, u8 size, u32 value) {
  const Address a = parse(address);
  sim_config_write(&host_of(a.domain, a.bus), a.bus, a.devfn, offset, size, value);
}

u64 Machine::violations() const { return sim_oracle_violations(machine_->oracle); }

std::string Machine::first_violation() const {
  const sim_violation* v = sim_oracle_record(machine_->oracle, 0);
  if (v == nullptr) return "";
  std::array<char, 256> text{};
  sim_violation_print(v, text.data(), text.size());
  return text.data();
}

}  // namespace sim
