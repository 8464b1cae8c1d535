// SPDX-License-Identifier: GPL-2.0-only
#include "model/words.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

namespace peerbar
{
namespace
{

template <typename Enum> using Entry = std::pair<Enum, std::string_view>;

constexpr std::array<Entry<SpaceType>, 5> space_types = {{
    {SpaceType::io, "io"},
    {SpaceType::mem32, "mem32"},
    {SpaceType::pref32, "pref32"},
    {SpaceType::mem64, "mem64"},
    {SpaceType::pref64, "pref64"},
}};

constexpr std::array<Entry<WindowType>, 4> window_types = {{
    {WindowType::io, "io"},
    {WindowType::mem, "mem"},
    {WindowType::pref32, "pref32"},
    {WindowType::pref64, "pref64"},
}};

constexpr std::array<Entry<PortType>, 7> port_types = {{
    {PortType::root, "root"},
    {PortType::upstream, "upstream"},
    {PortType::downstream, "downstream"},
    {PortType::endpoint, "endpoint"},
    {PortType::legacy_endpoint, "legacy-endpoint"},
    {PortType::conventional, "conventional"},
    {PortType::root_integrated, "root-integrated"},
}};

constexpr std::array<Entry<AcsBit>, 7> acs_bits = {{
    {AcsBit::sv, "sv"},
    {AcsBit::tb, "tb"},
    {AcsBit::rr, "rr"},
    {AcsBit::cr, "cr"},
    {AcsBit::uf, "uf"},
    {AcsBit::ec, "ec"},
    {AcsBit::dt, "dt"},
}};

constexpr std::array<Entry<LinkSpeed>, 5> link_speeds = {{
    {LinkSpeed::gt2_5, "2.5"},
    {LinkSpeed::gt5, "5.0"},
    {LinkSpeed::gt8, "8.0"},
    {LinkSpeed::gt16, "16.0"},
    {LinkSpeed::gt32, "32.0"},
}};

// All five speeds are exact in binary, so they compare with ==.
constexpr std::array<double, 5> link_numbers = {2.5, 5.0, 8.0, 16.0, 32.0};

template <typename Enum> constexpr std::span<const Entry<Enum>> table_of();

template <> constexpr std::span<const Entry<SpaceType>> table_of<SpaceType>()
{
    return space_types;
}

template <> constexpr std::span<const Entry<WindowType>> table_of<WindowType>()
{
    return window_types;
}

template <> constexpr std::span<const Entry<PortType>> table_of<PortType>()
{
    return port_types;
}

template <> constexpr std::span<const Entry<AcsBit>> table_of<AcsBit>()
{
    return acs_bits;
}

template <> constexpr std::span<const Entry<LinkSpeed>> table_of<LinkSpeed>()
{
    return link_speeds;
}

template <typename Enum> std::string_view find_word(Enum value)
{
    const auto table = table_of<Enum>();
    const auto entry = std::ranges::find(table, value, &Entry<Enum>::first);
    return entry != table.end() ? entry->second : std::string_view("unknown");
}

} // namespace

std::string_view to_word(SpaceType type)
{
    return find_word(type);
}

std::string_view to_word(WindowType type)
{
    return find_word(type);
}

std::string_view to_word(PortType port)
{
    return find_word(port);
}

std::string_view to_word(AcsBit bit)
{
    return find_word(bit);
}

std::string_view to_word(LinkSpeed speed)
{
    return find_word(speed);
}

template <typename Enum> std::optional<Enum> from_word(std::string_view word)
{
    const auto table = table_of<Enum>();
    const auto entry = std::ranges::find(table, word, &Entry<Enum>::second);
    return entry != table.end() ? std::optional<Enum>(entry->first) : std::nullopt;
}

template <typename Enum> std::string all_words()
{
    std::string words;
    for (const auto &[value, word] : table_of<Enum>()) {
        words.append(words.empty() ? "" : ", ").append(word);
    }
    return words;
}

template std::optional<SpaceType> from_word(std::string_view);
template std::optional<WindowType> from_word(std::string_view);
template std::optional<PortType> from_word(std::string_view);
template std::optional<AcsBit> from_word(std::string_view);
template std::string all_words<SpaceType>();
template std::string all_words<WindowType>();
template std::string all_words<PortType>();
template std::string all_words<AcsBit>();
template std::string all_words<LinkSpeed>();

double to_number(LinkSpeed speed)
{
    return link_numbers.at(static_cast<std::size_t>(speed));
}

std::optional<LinkSpeed> speed_from_number(double gigatransfers)
{
    const auto *found = std::ranges::find(link_numbers, gigatransfers);
    if (found == link_numbers.end()) {
        return std::nullopt;
    }
    return link_speeds.at(static_cast<std::size_t>(std::distance(link_numbers.begin(), found)))
        .first;
}

} // namespace peerbar
