// SPDX-License-Identifier: GPL-2.0-only
//
// Subcommands. Each add_*() declares one with its options and has it set the
// exit code when it ran. Only cmd/ prints and only cmd/ includes CLI11.
#pragma once

namespace CLI
{
class App;
} // namespace CLI

namespace peerbar
{

// The exit codes of every command.
enum ExitCode : int {
    exit_yes = 0,
    exit_no = 1,
    exit_usage = 2,  // wrong usage or unusable input
    exit_failure = 3 // failure while working
};

void add_sim(CLI::App &app, int &exit_code);

} // namespace peerbar
