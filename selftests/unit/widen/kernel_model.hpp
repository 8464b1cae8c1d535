// SPDX-License-Identifier: GPL-2.0-only
//
// A model of what the kernel does in pci_resize_resource(), written from
// drivers/pci/setup-bus.c and kernel/resource.c as a tree of objects. It is
// the judge of the plans and shares no code with them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kernel_model {

inline constexpr std::uint64_t M = 1ull << 20;
inline constexpr std::uint64_t G = 1ull << 30;
inline constexpr std::uint64_t T = 1ull << 40;

// V6_18 stands for a 6.x that got "PCI: Align head space better".
enum class Kernel { V6_1, V6_12, V6_18, V7_0, V7_1 };

// struct resource: a range with the ranges requested inside it, in order.
struct Resource {
  std::string name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t align = 0; // of a window that waits for a place
  Resource* parent = nullptr;
  std::vector<Resource*> children;

  std::uint64_t size() const { return end - start + 1; }
};

bool request(Resource& parent, Resource& child);
void release(Resource& child);

struct Bar {
  Resource res;
  std::uint64_t max = 0; // 0: cannot be resized
};

struct Bus;

struct Device {
  std::string name;
  std::vector<std::unique_ptr<Bar>> bars;
  Bus* bus = nullptr;
  Resource window;                 // of a bridge
  std::unique_ptr<Bus> subordinate; // of a bridge
};

struct Bus {
  Device* bridge = nullptr; // nullptr: root bus
  Bus* parent = nullptr;
  std::vector<std::unique_ptr<Device>> devices;
};

// One host bridge with its windows and everything below it.
struct Host {
  std::vector<std::unique_ptr<Resource>> windows;
  std::vector<std::unique_ptr<Resource>> others; // no PCI device
  Bus root;
};

// pci_resize_resource() of the device's BAR to its largest size. On failure
// the machine is as before.
bool resize(Host& host, Device& device, Kernel kernel);

} // namespace kernel_model
