// SPDX-License-Identifier: GPL-2.0-only
//
// Address space of one function: BARs, Resizable BAR entries, ROM and the
// bridge windows, each by itself. Neighbours are looked at in check_claims.cpp.
#include <algorithm>
#include <set>

#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

constexpr BusAddress max_io{0xffff};
constexpr BusAddress max_32bit{0xffffffff};
// x86 has at most 52 physical address bits.
constexpr BusAddress max_physical{(std::uint64_t{1} << 52) - 1};

constexpr Bytes min_mem_bar{16};
constexpr Bytes min_io_bar{4};
constexpr Bytes max_io_bar{256};
constexpr Bytes max_mem_bar{std::uint64_t{1} << 51};
constexpr Bytes max_32bit_bar{std::uint64_t{1} << 31};
constexpr Bytes min_rom{2048};
constexpr Bytes max_rom = mebibytes(16);
constexpr std::size_t max_rebar_entries = 6;

constexpr Bytes io_granule{4096};
constexpr Bytes mem_granule = mebibytes(1);

unsigned bar_count(const Function &function)
{
    return is_bridge(function) ? 2 : 6;
}

Bytes granule_of(WindowType type)
{
    return type == WindowType::io ? io_granule : mem_granule;
}

// PCI r3.0, sec. 6.2.5.1: a BAR is a power of two, at least 16 bytes of memory
// or 4 of I/O, and at most 256 bytes of I/O.
void check_bar_size(const Bar &bar, std::string_view at, Findings &findings)
{
    const std::string below = fmt::format("{}/size", at);
    if (!is_power_of_two(bar.size)) {
        findings.add(below, fmt::format("{} bytes is not a power of two", bar.size.count),
                     "a BAR decodes a power of two");
        return;
    }
    const Bytes least = is_io(bar.type) ? min_io_bar : min_mem_bar;
    Bytes most = max_mem_bar;
    if (is_io(bar.type)) {
        most = max_io_bar;
    } else if (!is_64bit(bar.type)) {
        most = max_32bit_bar;
    }
    if (bar.size < least || bar.size > most) {
        findings.add(
            below,
            fmt::format("{} is out of range for type {}", to_text(bar.size), to_word(bar.type)),
            fmt::format("use {} to {}", to_text(least), to_text(most)));
    }
}

void check_bar_address(const Bar &bar, std::string_view at, Findings &findings)
{
    if (!bar.address || !is_power_of_two(bar.size)) {
        return;
    }
    const std::string below = fmt::format("{}/address", at);
    if (!is_aligned(*bar.address, bar.size)) {
        findings.add(below,
                     fmt::format("{} is not aligned to the BAR's size {}", to_text(*bar.address),
                                 to_text(bar.size)),
                     "use a multiple of the size");
    }
    const BusAddress limit = limit_of(bar.type);
    if (*bar.address > limit || bar.size.count - 1 > limit.value - bar.address->value) {
        findings.add(below,
                     fmt::format("{} of size {} ends above {}, the limit of type {}",
                                 to_text(*bar.address), to_text(bar.size), to_text(limit),
                                 to_word(bar.type)),
                     "use a lower address or another type");
    }
}

// A 64-bit BAR takes two registers (PCI r3.0, sec. 6.2.5.1).
void check_bar_registers(const Function &function, Findings &findings)
{
    std::set<unsigned> taken;
    for (std::size_t i = 0; i < function.bars.size(); i++) {
        const Bar &bar = function.bars[i];
        const unsigned last = bar.index + (is_64bit(bar.type) ? 1 : 0);
        const std::string below = fmt::format("/bars/{}/index", i);
        if (last >= bar_count(function)) {
            findings.add(below,
                         fmt::format("BAR {} of type {} does not fit in the {} BAR registers of "
                                     "header type {}",
                                     bar.index, to_word(bar.type), bar_count(function),
                                     function.header),
                         "use a lower index");
        }
        for (unsigned reg = bar.index; reg <= last; reg++) {
            if (!taken.insert(reg).second) {
                findings.add(below, fmt::format("BAR register {} is used twice", reg),
                             "a 64-bit BAR also takes the next index");
                break;
            }
        }
    }
}

// PCIe r6.2, sec. 7.8.6.2 and 7.8.6.3: sizes are powers of two from 1 MiB on.
void check_rebar_sizes(const Rebar &rebar, std::string_view at, Findings &findings)
{
    for (std::size_t i = 0; i < rebar.sizes.size(); i++) {
        const Bytes size = rebar.sizes[i];
        const std::string below = fmt::format("{}/sizes/{}", at, i);
        if (!is_power_of_two(size) || size < mebibytes(1) || size > max_mem_bar) {
            findings.add(below, fmt::format("{} bytes cannot be a resizable size", size.count),
                         fmt::format("use powers of two from 1M to {}", to_text(max_mem_bar)));
        } else if (i > 0 && size <= rebar.sizes[i - 1]) {
            findings.add(below,
                         fmt::format("{} does not come after {}", to_text(size),
                                     to_text(rebar.sizes[i - 1])),
                         "list each size once, smallest first");
        }
    }
    if (rebar.sizes.empty()) {
        findings.add(fmt::format("{}/sizes", at), "no supported size", "list at least one size");
    } else if (std::ranges::find(rebar.sizes, rebar.current) == rebar.sizes.end()) {
        findings.add(
            fmt::format("{}/current", at),
            fmt::format("{} is not in the list of supported sizes", to_text(rebar.current)),
            "use one of sizes, or add it there");
    }
}

void check_rebar_bar(const Function &function, const Rebar &rebar, std::string_view at,
                     Findings &findings)
{
    const auto bar = std::ranges::find(function.bars, rebar.bar, &Bar::index);
    if (bar == function.bars.end()) {
        findings.add(fmt::format("{}/bar", at), fmt::format("there is no BAR {}", rebar.bar),
                     "name the index of one of bars");
        return;
    }
    if (is_io(bar->type)) {
        findings.add(fmt::format("{}/bar", at), fmt::format("BAR {} is an I/O BAR", rebar.bar),
                     "only memory BARs are resizable");
        return;
    }
    if (!is_64bit(bar->type) && !rebar.sizes.empty() && rebar.sizes.back() > max_32bit_bar) {
        findings.add(fmt::format("{}/sizes", at),
                     fmt::format("{} does not fit in BAR {} of type {}",
                                 to_text(rebar.sizes.back()), rebar.bar, to_word(bar->type)),
                     "use sizes up to 2G, or a 64-bit BAR");
    }
    if (bar->size != rebar.current) {
        findings.add(fmt::format("{}/current", at),
                     fmt::format("current size {} differs from the size {} of BAR {}",
                                 to_text(rebar.current), to_text(bar->size), rebar.bar),
                     "the BAR decodes its current size: make them equal");
    }
}

void check_rebar(const Function &function, Findings &findings)
{
    std::set<unsigned> seen;
    for (std::size_t i = 0; i < function.rebar.size(); i++) {
        const Rebar &rebar = function.rebar[i];
        const std::string at = fmt::format("/rebar/{}", i);
        check_rebar_sizes(rebar, at, findings);
        check_rebar_bar(function, rebar, at, findings);
        if (!seen.insert(rebar.bar).second) {
            findings.add(fmt::format("{}/bar", at),
                         fmt::format("BAR {} has two entries", rebar.bar), "keep one of them");
        }
    }
    if (function.rebar.size() > max_rebar_entries) {
        findings.add("/rebar", fmt::format("{} entries", function.rebar.size()),
                     "the capability holds at most 6");
    }
}

void check_rom(const Function &function, Findings &findings)
{
    const Bytes rom = function.rom;
    if (rom.count == 0) {
        return;
    }
    if (!is_power_of_two(rom) || rom < min_rom || rom > max_rom) {
        findings.add("/rom", fmt::format("{} bytes cannot be the size of a ROM", rom.count),
                     "use 0 for none, or a power of two from 2K to 16M");
    }
}

void check_window_range(const BridgeWindow &window, const std::string &at, Findings &findings)
{
    const Bytes granule = granule_of(window.type);
    if (!is_aligned(window.range.start, granule)) {
        findings.add(at + "/start",
                     fmt::format("{} is not a multiple of {}", to_text(window.range.start),
                                 to_text(granule)),
                     "bridge windows come in steps of 1M of memory and 4K of I/O");
    }
    if (!is_aligned(BusAddress{window.range.end.value + 1}, granule)) {
        findings.add(
            at + "/end",
            fmt::format("{} is not the last byte of {}", to_text(window.range.end),
                        to_text(granule)),
            fmt::format("the end is inclusive: one below a multiple of {}", to_text(granule)));
    }
    if (window.range.end < window.range.start) {
        findings.add(at + "/end",
                     fmt::format("end {} is below start {}", to_text(window.range.end),
                                 to_text(window.range.start)),
                     "leave a closed window out");
    }
    const BusAddress limit = limit_of(window.type);
    if (window.range.end > limit) {
        findings.add(at + "/end",
                     fmt::format("{} is above {}, the limit of {} windows",
                                 to_text(window.range.end), to_text(limit), to_word(window.type)),
                     "use lower addresses or another type");
    }
}

// PCI-to-PCI bridge r1.2, sec. 3.2.5: one I/O, one memory and one prefetchable
// window.
void check_windows(const Function &function, Findings &findings)
{
    if (!is_bridge(function) && !function.windows.empty()) {
        findings.add("/windows", "a function with header type 0 has no windows",
                     "remove them, or set header to 1");
        return;
    }
    std::set<WindowType> seen;
    for (std::size_t i = 0; i < function.windows.size(); i++) {
        const BridgeWindow &window = function.windows[i];
        const std::string at = fmt::format("/windows/{}", i);
        check_window_range(window, at, findings);
        const WindowType registers =
            is_prefetchable(window.type) ? WindowType::pref64 : window.type;
        if (!seen.insert(registers).second) {
            findings.add(at + "/type",
                         fmt::format("a second {} window", is_prefetchable(window.type)
                                                               ? "prefetchable"
                                                               : to_word(window.type)),
                         "a bridge has one io, one mem and one pref32 or pref64 window");
        }
    }
}

} // namespace

BusAddress limit_of(SpaceType type)
{
    if (is_io(type)) {
        return max_io;
    }
    return is_64bit(type) ? max_physical : max_32bit;
}

BusAddress limit_of(WindowType type)
{
    if (type == WindowType::io) {
        return max_io;
    }
    return type == WindowType::pref64 ? max_physical : max_32bit;
}

bool is_usable(const Bar &bar)
{
    return bar.address && is_power_of_two(bar.size) && is_aligned(*bar.address, bar.size) &&
           *bar.address <= limit_of(bar.type);
}

bool is_usable(const BridgeWindow &window)
{
    return window.range.start <= window.range.end && window.range.end <= limit_of(window.type);
}

void check_address_space(const Function &function, Findings findings)
{
    for (std::size_t i = 0; i < function.bars.size(); i++) {
        const std::string at = fmt::format("/bars/{}", i);
        check_bar_size(function.bars[i], at, findings);
        check_bar_address(function.bars[i], at, findings);
    }
    check_bar_registers(function, findings);
    check_rebar(function, findings);
    check_rom(function, findings);
    check_windows(function, findings);
}

} // namespace peerbar
