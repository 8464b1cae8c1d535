// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_model.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace kernel_model {
namespace {

std::uint64_t align_to(std::uint64_t value, std::uint64_t align) {
  return value % align == 0 ? value : (value / align + 1) * align;
}

bool rounds(Kernel kernel) { return kernel < Kernel::V7_0; }
bool relaxes(Kernel kernel) { return kernel == Kernel::V6_12 || kernel == Kernel::V6_18; }
bool uses_head_space(Kernel kernel) { return kernel == Kernel::V6_18 || kernel == Kernel::V7_1; }

// kernel/resource.c, __find_resource_space(): walk the gaps from the bottom.
std::optional<std::uint64_t> find_space(const Resource& root, std::uint64_t size, std::uint64_t align,
                                        bool head_space) {
  auto gap_start = root.start;
  auto try_gap = [&](std::uint64_t gap_end) -> std::optional<std::uint64_t> {
    auto start = align_to(gap_start, align);
    if (head_space) { // drivers/pci/setup-res.c, pci_align_resource()
      auto remainder = size % align;
      if (remainder != 0 && remainder % M == 0 && start >= gap_start + remainder) start -= remainder;
    }
    if (start > gap_end || gap_end - start + 1 < size) return std::nullopt;
    return start;
  };
  for (const auto* child : root.children) {
    if (child->start > gap_start)
      if (auto at = try_gap(child->start - 1)) return at;
    gap_start = child->end + 1;
  }
  if (gap_start > root.end) return std::nullopt;
  return try_gap(root.end);
}

// calculate_mem_align(): keyed by alignment, in place of the array of orders.
std::uint64_t mem_align(const std::map<std::uint64_t, std::uint64_t>& aligns, std::uint64_t max_align) {
  std::uint64_t align = 0;
  std::uint64_t min_align = 0;
  for (auto align1 = M; align1 <= max_align; align1 *= 2) {
    if (align == 0)
      min_align = align1;
    else if (align_to(align + min_align, min_align) < align1)
      min_align = align1 / 2;
    if (auto it = aligns.find(align1); it != aligns.end()) align += it->second;
  }
  return min_align;
}

std::uint64_t head_align(const std::map<std::uint64_t, std::uint64_t>& aligns, std::uint64_t max_align) {
  auto head = max_align;
  std::uint64_t remainder = 0;
  for (auto align1 = max_align / 2; align1 >= M; align1 /= 2) {
    if (auto it = aligns.find(align1); it != aligns.end()) remainder += it->second;
    while (head > align1 && remainder >= head / 2) {
      head /= 2;
      remainder -= head;
    }
  }
  return head;
}

// pbus_upstream_space_available(): the first window above that has a place.
bool space_above(const Bus& bus, std::uint64_t size, std::uint64_t align) {
  for (const auto* up = bus.parent; up != nullptr && up->bridge != nullptr; up = up->parent) {
    if (up->bridge->window.parent == nullptr) continue;
    return find_space(up->bridge->window, size, align, false).has_value();
  }
  return true;
}

// __pci_bus_size_bridges() and pbus_size_mem() for the 64-bit prefetchable
// window of one bus.
void size_bus(Bus& bus, Kernel kernel) {
  for (auto& device : bus.devices)
    if (device->subordinate) size_bus(*device->subordinate, kernel);

  auto& window = bus.bridge->window;
  if (window.parent != nullptr) return;

  std::uint64_t size = 0;
  std::uint64_t max_align = M;
  std::map<std::uint64_t, std::uint64_t> aligns;
  std::map<std::uint64_t, std::uint64_t> all_aligns;
  auto add = [&](std::uint64_t r_size, std::uint64_t align) {
    auto slot = std::max(align, M);
    size += std::max(r_size, align);
    if (r_size <= align) aligns[slot] += align;
    all_aligns[slot] += align;
    max_align = std::max(max_align, slot);
  };
  for (auto& device : bus.devices) {
    for (auto& bar : device->bars)
      if (bar->res.parent == nullptr) add(bar->res.size(), bar->res.size());
    if (device->subordinate && device->window.parent == nullptr && device->window.align != 0)
      add(device->window.size(), device->window.align);
  }

  std::uint64_t min_align = 0;
  std::uint64_t size0 = 0;
  if (rounds(kernel)) {
    min_align = mem_align(aligns, max_align);
    size0 = align_to(size, min_align);
    if (relaxes(kernel) && size0 != 0 && !space_above(bus, size0, min_align)) {
      min_align = max_align;
      size0 = align_to(size, M);
    }
  } else {
    min_align = head_align(all_aligns, max_align);
    size0 = align_to(size, M);
  }
  window.align = min_align;
  window.start = min_align;
  window.end = min_align + size0 - 1;
}

bool assign(Host& host, Bus& bus, Resource& res, std::uint64_t align, Kernel kernel) {
  std::vector<Resource*> candidates;
  if (bus.bridge != nullptr) {
    candidates.push_back(&bus.bridge->window);
  } else { // pci_bus_alloc_resource(): above 4 GiB first
    for (auto& window : host.windows)
      if (window->start >= 4 * G) candidates.push_back(window.get());
    for (auto& window : host.windows)
      if (window->start < 4 * G) candidates.push_back(window.get());
  }
  auto size = res.size();
  for (auto* candidate : candidates) {
    if (auto at = find_space(*candidate, size, align, uses_head_space(kernel))) {
      res.start = *at;
      res.end = *at + size - 1;
      return request(*candidate, res);
    }
  }
  return false;
}

// __pci_bus_assign_resources(): sorted by alignment, then the buses below.
bool assign_bus(Host& host, Bus& bus, Kernel kernel) {
  struct Want {
    Resource* res;
    std::uint64_t align;
  };
  std::vector<Want> wants;
  for (auto& device : bus.devices) {
    for (auto& bar : device->bars)
      if (bar->res.parent == nullptr) wants.push_back({&bar->res, bar->res.size()});
    if (device->subordinate && device->window.parent == nullptr)
      wants.push_back({&device->window, device->window.align});
  }
  std::stable_sort(wants.begin(), wants.end(), [](auto& a, auto& b) { return a.align > b.align; });
  for (auto& want : wants)
    if (!assign(host, bus, *want.res, want.align, kernel)) return false;
  for (auto& device : bus.devices)
    if (device->subordinate && !assign_bus(host, *device->subordinate, kernel)) return false;
  return true;
}

struct Saved {
  Resource* res;
  Resource* parent;
  std::uint64_t start;
  std::uint64_t end;
};

void restore(const std::vector<Saved>& saved) {
  for (auto it = saved.begin(); it != saved.end(); ++it)
    if (it->res->parent != nullptr) release(*it->res);
  for (auto it = saved.rbegin(); it != saved.rend(); ++it) {
    it->res->start = it->start;
    it->res->end = it->end;
    request(*it->parent, *it->res);
  }
}

} // namespace

bool request(Resource& parent, Resource& child) {
  if (child.start < parent.start || child.end > parent.end || child.start > child.end) return false;
  auto at = std::find_if(parent.children.begin(), parent.children.end(),
                         [&](auto* other) { return other->start > child.start; });
  if (at != parent.children.begin() && (*std::prev(at))->end >= child.start) return false;
  if (at != parent.children.end() && (*at)->start <= child.end) return false;
  parent.children.insert(at, &child);
  child.parent = &parent;
  return true;
}

void release(Resource& child) {
  std::erase(child.parent->children, &child);
  child.parent = nullptr;
}

bool resize(Host& host, Device& device, Kernel kernel) {
  auto largest = std::max_element(device.bars.begin(), device.bars.end(),
                                  [](auto& a, auto& b) { return a->max < b->max; });
  auto& bar = **largest;
  auto* window = bar.res.parent;

  std::vector<Saved> saved;
  for (auto& other : device.bars) {
    if (other->res.parent != window) continue;
    saved.push_back({&other->res, window, other->res.start, other->res.end});
    release(other->res);
  }
  bar.res.end = bar.res.start + bar.max - 1;

  // pci_reassign_bridge_resources(): release up to the first one in use.
  auto* top = device.bus->bridge;
  for (auto* bridge = top; bridge != nullptr; bridge = bridge->bus->bridge) {
    if (!bridge->window.children.empty()) break;
    saved.push_back({&bridge->window, bridge->window.parent, bridge->window.start, bridge->window.end});
    release(bridge->window);
    top = bridge;
  }
  size_bus(*top->subordinate, kernel);
  bool ok = top->window.parent != nullptr || assign(host, *top->bus, top->window, top->window.align, kernel);
  ok = ok && assign_bus(host, *top->subordinate, kernel);
  if (!ok) restore(saved);
  return ok;
}

} // namespace kernel_model
