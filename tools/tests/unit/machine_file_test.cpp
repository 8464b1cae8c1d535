// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "input/machine_file.hpp"
#include "machines.hpp"

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

// Every key of the format, with values that the writer does not leave out.
Machine full_machine()
{
    Machine machine = testing::small_machine();
    machine.comment = "every key \u00e9";
    machine.preset = false;
    machine.host_bridges[0].node = 1;
    Function &port = machine.functions[testing::port];
    port.subsystem = SubsystemId{0x1028, 0x0619};
    port.revision = 0;
    port.acs = Acs{{AcsBit::sv, AcsBit::dt}, {AcsBit::dt}};
    port.link = Link{LinkSpeed::gt2_5, LinkSpeed::gt8, LinkSpeed::gt5, 8, 16};
    port.hotplug = true;
    port.decode = false;
    port.driver = "pcieport";
    Function &gpu = machine.functions[testing::gpu];
    gpu.rom = Bytes{131072};
    gpu.acs = Acs{};
    gpu.config = std::string(512, 'f');
    gpu.bars[1].address.reset();
    return machine;
}

TEST(MachineFile, EveryKeyComesBack)
{
    const std::string text = format_machine(full_machine());
    const auto machine = parse_machine(text);
    ASSERT_TRUE(machine) << testing::text_of(machine.error());
    EXPECT_EQ(*machine, full_machine());
    EXPECT_EQ(format_machine(*machine), text);
}

TEST(MachineFile, HeaderFollowsFromThePortUnlessItIsGiven)
{
    Machine machine = testing::small_machine();
    std::string text = format_machine(machine);
    const std::string key = "      \"header\": 1,\n";
    ASSERT_NE(text.find(key), std::string::npos);
    text.erase(text.find(key), key.size());
    EXPECT_EQ(parse_machine(text), machine);

    machine.functions[testing::port].header = 0;
    EXPECT_NE(format_machine(machine).find("\"header\": 0"), std::string::npos);
}

TEST(MachineFile, AddressZeroMeansNotAssigned)
{
    Machine machine = testing::small_machine();
    machine.functions[testing::gpu].bars[0].address = BusAddress{0};
    const auto read = parse_machine(format_machine(machine));
    ASSERT_TRUE(read) << testing::text_of(read.error());
    EXPECT_FALSE(read->functions[testing::gpu].bars[0].address);
}

TEST(MachineFile, ControlCharactersInAKeyDoNotBreakTheLine)
{
    const auto machine = parse_machine(R"({"a\nb/c~": 1})");
    ASSERT_FALSE(machine);
    EXPECT_EQ(machine.error().back().where, "/a\\u000ab~1c~0");
}

} // namespace
} // namespace peerbar
