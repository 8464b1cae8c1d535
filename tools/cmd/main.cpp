// SPDX-License-Identifier: GPL-2.0-only
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "commands.hpp"

namespace peerbar
{
namespace
{

// Sub-options of a subcommand are named in full: "peerbar sim load".
std::string full_name(const CLI::App &app)
{
    const CLI::App *parent = app.get_parent();
    return parent != nullptr ? full_name(*parent) + " " + app.get_name() : app.get_name();
}

// The innermost subcommand that was given.
const CLI::App &innermost(const CLI::App &app)
{
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : innermost(*chosen.front());
}

int refuse(const CLI::App &app, const std::string &reason)
{
    fmt::print(stderr, "peerbar: {}\nTry \"{} --help\".\n", reason, full_name(app));
    return exit_usage;
}

bool takes_command(const CLI::App &app)
{
    return !app.get_subcommands([](const CLI::App *) { return true; }).empty();
}

std::string reason_of(const CLI::App &app, const std::string &given)
{
    return takes_command(app) && !given.starts_with('-')
               ? fmt::format("unknown command \"{}\"", given)
               : fmt::format("unexpected \"{}\"", given);
}

// CLI11's own demand for a subcommand comes before its look at what was left
// over, and would call a mistyped command none at all; hence the demand here.
int parse(CLI::App &app, int argc, char **argv)
{
    try {
        app.parse(argc, argv);
        const CLI::App &chosen = innermost(app);
        return takes_command(chosen) ? refuse(chosen, "a command is required") : int{exit_yes};
    } catch (const CLI::CallForHelp &) {
        fmt::print("{}", app.help());
        return exit_yes;
    } catch (const CLI::CallForVersion &) {
        fmt::print("peerbar {}\n", PEERBAR_VERSION);
        return exit_yes;
    } catch (const CLI::ExtrasError &) {
        const CLI::App &chosen = innermost(app);
        return refuse(chosen, reason_of(chosen, app.remaining(true).front()));
    } catch (const CLI::ParseError &error) {
        return refuse(innermost(app), error.what());
    }
}

int run(int argc, char **argv)
{
    CLI::App app("Shows and repairs Resizable BAR and peer-to-peer PCIe on machines with several "
                 "GPUs.",
                 "peerbar");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", std::string(PEERBAR_VERSION), "Print the version and exit");
    app.require_subcommand(0, 1);
    app.footer("See peerbar(8).");

    int exit_code = exit_yes;
    add_sim(app, exit_code);

    const int parsed = parse(app, argc, argv);
    return parsed != exit_yes ? parsed : exit_code;
}

} // namespace
} // namespace peerbar

int main(int argc, char **argv)
{
    int exit_code = peerbar::exit_failure;
    try {
        exit_code = peerbar::run(argc, argv);
    } catch (const std::exception &error) {
        // Only libraries throw, and only when something is out of reach.
        std::fputs("peerbar: ", stderr);
        std::fputs(error.what(), stderr);
        std::fputs("\n", stderr);
    }
    // Output that did not arrive, such as on a full disk, is a failure too.
    if (std::fflush(stdout) != 0 && exit_code == peerbar::exit_yes) {
        std::perror("peerbar: standard output");
        exit_code = peerbar::exit_failure;
    }
    return exit_code;
}
