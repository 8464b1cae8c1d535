// SPDX-License-Identifier: GPL-2.0-only
//
// Host bridges: bus ranges and windows, each by itself and against the others.
#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

std::string name_of(const HostBridge &host)
{
    return to_text(PciBus{host.domain, host.bus_start});
}

void check_bus_ranges(const Machine &machine, Problems &problems)
{
    for (std::size_t i = 0; i < machine.host_bridges.size(); i++) {
        const HostBridge &host = machine.host_bridges[i];
        for (std::size_t j = 0; j < i; j++) {
            const HostBridge &other = machine.host_bridges[j];
            if (host.domain == other.domain && host.bus_start <= other.bus_end &&
                other.bus_start <= host.bus_end) {
                problems.push_back({pointer_to_host_bridge(i) + "/bus_start",
                                    fmt::format("buses {}-{} overlap buses {}-{} of host bridge {}",
                                                host.bus_start, host.bus_end, other.bus_start,
                                                other.bus_end, name_of(other)),
                                    "give each host bridge of a domain buses of its own"});
            }
        }
    }
}

struct PlacedWindow {
    const HostBridge *host;
    const HostWindow *window;
};

// The processor sees one memory space and one I/O space, whatever the domain.
void check_window_overlaps(const Machine &machine, Problems &problems)
{
    std::vector<PlacedWindow> seen;
    for (std::size_t i = 0; i < machine.host_bridges.size(); i++) {
        const HostBridge &host = machine.host_bridges[i];
        for (std::size_t j = 0; j < host.windows.size(); j++) {
            const HostWindow &window = host.windows[j];
            for (const PlacedWindow &other : seen) {
                if (is_io(window.type) == is_io(other.window->type) &&
                    overlap(window.range, other.window->range)) {
                    problems.push_back(
                        {fmt::format("{}/windows/{}", pointer_to_host_bridge(i), j),
                         fmt::format("{} overlaps {}, the {} window of host bridge {}",
                                     to_text(window.range), to_text(other.window->range),
                                     to_word(other.window->type), name_of(*other.host)),
                         "move or shorten one of them"});
                }
            }
            seen.push_back({&host, &window});
        }
    }
}

} // namespace

void check_host_bridge(const HostBridge &host, Findings findings)
{
    if (host.bus_end < host.bus_start) {
        findings.add("/bus_end",
                     fmt::format("bus_end {} is below bus_start {}", host.bus_end, host.bus_start),
                     "the range is inclusive and at least one bus");
    }
    for (std::size_t i = 0; i < host.windows.size(); i++) {
        const HostWindow &window = host.windows[i];
        const std::string below = fmt::format("/windows/{}/end", i);
        if (window.range.end < window.range.start) {
            findings.add(below,
                         fmt::format("end {} is below start {}", to_text(window.range.end),
                                     to_text(window.range.start)),
                         "the range is inclusive and not empty");
        }
        const BusAddress limit = limit_of(window.type);
        if (window.range.end > limit) {
            findings.add(below,
                         fmt::format("{} is above {}, the limit of type {}",
                                     to_text(window.range.end), to_text(limit),
                                     to_word(window.type)),
                         "use lower addresses or another type");
        }
    }
}

void check_host_bridges(const Machine &machine, Problems &problems)
{
    check_bus_ranges(machine, problems);
    check_window_overlaps(machine, problems);
}

} // namespace peerbar
