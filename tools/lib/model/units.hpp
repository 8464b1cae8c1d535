// SPDX-License-Identifier: GPL-2.0-only
//
// Sizes and addresses are both 64-bit numbers and easy to mix up, so each has a
// type of its own. Ranges are inclusive at both ends, as resources are in the
// kernel and in /proc/iomem.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <string>

namespace peerbar
{

struct Bytes {
    std::uint64_t count = 0;
    auto operator<=>(const Bytes &) const = default;
};

struct BusAddress {
    std::uint64_t value = 0;
    auto operator<=>(const BusAddress &) const = default;
};

struct Range {
    BusAddress start;
    BusAddress end;
    auto operator<=>(const Range &) const = default;
};

constexpr Bytes mebibytes(std::uint64_t count)
{
    return Bytes{count << 20};
}

constexpr bool is_power_of_two(Bytes size)
{
    return std::has_single_bit(size.count);
}

// `granule` is a power of two.
constexpr bool is_aligned(BusAddress address, Bytes granule)
{
    return (address.value & (granule.count - 1)) == 0;
}

// `size` is not zero, and the range does not pass the end of 64 bits.
constexpr Range range_at(BusAddress start, Bytes size)
{
    return Range{start, BusAddress{start.value + size.count - 1}};
}

constexpr bool overlap(const Range &a, const Range &b)
{
    return a.start <= b.end && b.start <= a.end;
}

constexpr bool contains(const Range &outer, const Range &inner)
{
    return outer.start <= inner.start && inner.end <= outer.end;
}

// The largest of K, M, G, T that divides the size, "0" for zero, else plain
// bytes: the form of the files that peerbar.ko shows.
std::string to_text(Bytes size);
std::string to_text(BusAddress address);
std::string to_text(const Range &range);

} // namespace peerbar
