// SPDX-License-Identifier: GPL-2.0-only
//
// The groups of checks that validate() is made of. Private to lib/model.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/machine.hpp"
#include "model/problem.hpp"

namespace peerbar
{

// Collects problems below one JSON pointer.
class Findings
{
public:
    Findings(Problems &problems, std::string base) : m_problems(problems), m_base(std::move(base))
    {
    }

    void add(std::string_view below, std::string reason, std::string remedy)
    {
        m_problems.push_back(
            {fmt::format("{}{}", m_base, below), std::move(reason), std::move(remedy)});
    }

private:
    Problems &m_problems;
    std::string m_base;
};

std::string pointer_to_host_bridge(std::size_t index);
std::string pointer_to_function(std::size_t index);

// "0000:05:00.0 BAR 0", "0000:02:00.0 pref64 window".
std::string describe(const Function &function, const Bar &bar);
std::string describe(const Function &function, const BridgeWindow &window);

// True when the numbers of the BAR or window make a range at all; others were
// reported by the checks of parts and would only repeat themselves.
bool is_usable(const Bar &bar);
bool is_usable(const BridgeWindow &window);

// Upper end of what the type can address.
BusAddress limit_of(SpaceType type);
BusAddress limit_of(WindowType type);

// What leads to each bus: a host bridge, or the bridge function with that
// secondary bus. The first one in the file when several claim it.
struct BusLeader {
    const HostBridge *host = nullptr;
    const Function *bridge = nullptr;
};

using BusMap = std::map<PciBus, BusLeader>;

BusMap map_buses(const Machine &machine);

void check_host_bridge(const HostBridge &host, Findings findings);
void check_function(const Function &function, Findings findings);
void check_address_space(const Function &function, Findings findings);
void check_capabilities(const Function &function, Findings findings);

void check_host_bridges(const Machine &machine, Problems &problems);
void check_buses(const Machine &machine, const BusMap &buses, Problems &problems);
void check_ports(const Machine &machine, const BusMap &buses, Problems &problems);
void check_claims(const Machine &machine, const BusMap &buses, Problems &problems);

} // namespace peerbar
