// SPDX-License-Identifier: GPL-2.0-only
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "input/machine_file.hpp"
#include "sim/configfs_plan.hpp"
#include "sim/configfs_tree.hpp"

namespace peerbar
{
namespace
{

struct Options {
    std::string file;
    std::vector<std::string> files;
    std::string name;
    std::string root = std::string(configfs_mount);
};

int report(const SimFailure &failure)
{
    fmt::print(stderr, "peerbar: {}\n", failure.text);
    return failure.input ? exit_usage : exit_failure;
}

void report(const std::string &file, const Problems &problems)
{
    for (const Problem &problem : problems) {
        fmt::print(stderr, "{}\n", to_line(file, problem));
    }
}

std::string summary_of(const Machine &machine)
{
    const auto count = [](std::size_t number, const char *what) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    return fmt::format("{}: {}, {}", machine.name,
                       count(machine.host_bridges.size(), "host bridge"),
                       count(machine.functions.size(), "function"));
}

int load(const Options &options)
{
    const auto machine = read_machine_file(options.file);
    if (!machine) {
        report(options.file, machine.error());
        return exit_usage;
    }
    const auto tree = ConfigfsTree::open(options.root);
    if (!tree) {
        return report(tree.error());
    }
    const auto loaded = tree->load(plan_configfs(*machine));
    if (!loaded) {
        return report(loaded.error());
    }
    fmt::print("loaded {}\n", summary_of(*machine));
    return exit_yes;
}

// Users have the file at hand that they loaded; it names its machine.
bool is_file(const std::string &word)
{
    return word.ends_with(".json");
}

int unload(const Options &options)
{
    std::string name = options.name;
    if (is_file(name)) {
        const auto machine = read_machine_file(name);
        if (!machine) {
            report(name, machine.error());
            return exit_usage;
        }
        name = machine->name;
    }
    const auto tree = ConfigfsTree::open(options.root);
    if (!tree) {
        return report(tree.error());
    }
    const auto unloaded = tree->unload(name);
    if (!unloaded) {
        return report(unloaded.error());
    }
    fmt::print("unloaded {}\n", name);
    return exit_yes;
}

int check(const Options &options)
{
    int exit_code = exit_yes;
    for (const std::string &file : options.files) {
        const auto machine = read_machine_file(file);
        if (machine) {
            fmt::print("{}: good: {}\n", file, summary_of(*machine));
        } else {
            report(file, machine.error());
            exit_code = exit_usage;
        }
    }
    return exit_code;
}

// Declares one subcommand that runs `action`.
CLI::App *add(CLI::App &parent, const char *name, const char *text, int (*action)(const Options &),
              const std::shared_ptr<Options> &options, int &exit_code)
{
    CLI::App *command = parent.add_subcommand(name, text);
    command->callback([action, options, &exit_code] { exit_code = action(*options); });
    command->footer("See peerbar-sim(8).");
    return command;
}

void add_root(CLI::App *command, const std::shared_ptr<Options> &options)
{
    command->add_option("--root", options->root, "Where configfs is mounted")->type_name("DIR");
}

} // namespace

void add_sim(CLI::App &app, int &exit_code)
{
    const auto options = std::make_shared<Options>();
    CLI::App *sim = app.add_subcommand("sim", "Simulate a machine with peerbar-sim.ko");
    sim->require_subcommand(0, 1);
    sim->footer("See peerbar-sim(8).");

    CLI::App *load_command =
        add(*sim, "load", "Load a machine file into the simulator", load, options, exit_code);
    load_command->add_option("FILE", options->file, "Machine file")->required()->option_text(" ");
    add_root(load_command, options);

    CLI::App *unload_command =
        add(*sim, "unload", "Take a machine out of the simulator", unload, options, exit_code);
    unload_command->add_option("NAME", options->name, "The machine's name, or its file")
        ->required()
        ->option_text(" ");
    add_root(unload_command, options);

    CLI::App *check_command =
        add(*sim, "check", "Say whether machine files are good", check, options, exit_code);
    check_command->add_option("FILE", options->files, "Machine files")
        ->required()
        ->option_text("...");
}

} // namespace peerbar
