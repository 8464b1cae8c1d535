// SPDX-License-Identifier: GPL-2.0-only
//
// A small machine that is good in every way, for tests to spoil: one root port
// with a GPU on its link.
#pragma once

#include "model/machine.hpp"
#include "model/problem.hpp"

namespace peerbar::testing
{

inline constexpr std::size_t port = 0;
inline constexpr std::size_t gpu = 1;

Machine small_machine();

// "where: reason" of each problem, one a line.
std::string text_of(const Problems &problems);

} // namespace peerbar::testing
