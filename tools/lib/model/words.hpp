// SPDX-License-Identifier: GPL-2.0-only
//
// The words that stand for the model's enumerations in machine files and in
// configfs. One table each; everything else goes through these functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/machine.hpp"

namespace peerbar
{

std::string_view to_word(SpaceType type);
std::string_view to_word(WindowType type);
std::string_view to_word(PortType port);
std::string_view to_word(AcsBit bit);
std::string_view to_word(LinkSpeed speed); // GT/s, "16.0"

// Empty when the word is not in the table of that type.
template <typename Enum> std::optional<Enum> from_word(std::string_view word);

// "io, mem32, ..." for messages.
template <typename Enum> std::string all_words();

double to_number(LinkSpeed speed); // GT/s
std::optional<LinkSpeed> speed_from_number(double gigatransfers);

} // namespace peerbar
