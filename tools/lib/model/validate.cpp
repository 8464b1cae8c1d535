// SPDX-License-Identifier: GPL-2.0-only
#include "model/validate.hpp"

#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
constexpr std::size_t max_name = 63;

// The name becomes a folder in configfs.
void check_name(const Machine &machine, Problems &problems)
{
    const std::string &name = machine.name;
    if (name.empty() || name.size() > max_name ||
        name.find_first_not_of(name_characters) != std::string::npos || name.front() == '.' ||
        name.front() == '-') {
        problems.push_back({"/name", fmt::format("\"{}\" cannot be the name of a folder", name),
                            "use 1 to 63 of a-z A-Z 0-9 . _ -, not . or - first"});
    }
}

void check_counts(const Machine &machine, Problems &problems)
{
    if (machine.host_bridges.empty()) {
        problems.push_back({"/host_bridges", "no host bridge", "give at least one"});
    }
}

} // namespace

std::string pointer_to_host_bridge(std::size_t index)
{
    return fmt::format("/host_bridges/{}", index);
}

std::string pointer_to_function(std::size_t index)
{
    return fmt::format("/functions/{}", index);
}

std::string describe(const Function &function, const Bar &bar)
{
    return fmt::format("{} BAR {}", to_text(function.address), bar.index);
}

std::string describe(const Function &function, const BridgeWindow &window)
{
    return fmt::format("{} {} window", to_text(function.address), to_word(window.type));
}

Problems validate_parts(const Machine &machine)
{
    Problems problems;
    check_name(machine, problems);
    for (std::size_t i = 0; i < machine.host_bridges.size(); i++) {
        check_host_bridge(machine.host_bridges[i], Findings(problems, pointer_to_host_bridge(i)));
    }
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const Function &function = machine.functions[i];
        const Findings findings(problems, pointer_to_function(i));
        check_function(function, findings);
        check_address_space(function, findings);
        check_capabilities(function, findings);
    }
    return problems;
}

Problems validate(const Machine &machine)
{
    Problems problems = validate_parts(machine);
    check_counts(machine, problems);
    check_host_bridges(machine, problems);

    const BusMap buses = map_buses(machine);
    check_buses(machine, buses, problems);
    check_ports(machine, buses, problems);
    check_claims(machine, buses, problems);
    return problems;
}

} // namespace peerbar
