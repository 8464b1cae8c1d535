// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/machine.hpp"
#include "model/problem.hpp"

namespace peerbar
{

// Everything that is wrong with the machine, in the order of its parts. Empty
// when such a machine can exist and the simulator can be given it.
Problems validate(const Machine &machine);

// Only what one host bridge or one function shows by itself. For a file of
// which parts could not be read, where buses and neighbours are not known.
Problems validate_parts(const Machine &machine);

} // namespace peerbar
