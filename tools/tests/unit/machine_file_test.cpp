// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "input/machine_file.hpp"

namespace peerbar
{
namespace
{

std::string contents_of(const std::filesystem::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> our_machines()
{
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(PEERBAR_MACHINES)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    return files;
}

TEST(MachineFile, OurMachinesComeBackByteForByte)
{
    const auto files = our_machines();
    EXPECT_GE(files.size(), 5U);
    for (const auto &file : files) {
        const std::string text = contents_of(file);
        const auto machine = parse_machine(text);
        ASSERT_TRUE(machine) << to_line(file.string(), machine.error().front());
        EXPECT_EQ(format_machine(*machine), text) << file;
    }
}

TEST(MachineFile, OurMachinesAreNamedLikeTheirFiles)
{
    for (const auto &file : our_machines()) {
        const auto machine = read_machine_file(file.string());
        ASSERT_TRUE(machine) << file;
        EXPECT_EQ(machine->name, file.stem().string());
        EXPECT_FALSE(machine->comment.empty()) << file;
    }
}

} // namespace
} // namespace peerbar
