// SPDX-License-Identifier: GPL-2.0-only
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "machines.hpp"
#include "sim/configfs_plan.hpp"
#include "sim/configfs_tree.hpp"
#include "util/files.hpp"

namespace peerbar
{
namespace
{

namespace fs = std::filesystem;
using Kind = ConfigfsStep::Kind;

std::vector<std::string> lines_of(const ConfigfsPlan &plan)
{
    std::vector<std::string> lines;
    for (const ConfigfsStep &step : plan) {
        lines.push_back(step.kind == Kind::attribute ? step.path + "=" + step.value
                                                     : step.path + "/");
    }
    return lines;
}

bool has_line(const ConfigfsPlan &plan, const std::string &line)
{
    const auto lines = lines_of(plan);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST(ConfigfsPlan, OneFunctionInOrder)
{
    Machine machine = testing::small_machine();
    machine.host_bridges[0].windows.resize(1);
    machine.functions.erase(machine.functions.begin());
    machine.functions[0].bars.resize(1);
    machine.functions[0].rom = Bytes{131072};
    const std::vector<std::string> expected = {
        "small/",
        "small/preset=1",
        "small/host_bridges/",
        "small/host_bridges/0000:00/",
        "small/host_bridges/0000:00/bus_start=0",
        "small/host_bridges/0000:00/bus_end=15",
        "small/host_bridges/0000:00/windows/",
        "small/host_bridges/0000:00/windows/0/",
        "small/host_bridges/0000:00/windows/0/start=0x1000",
        "small/host_bridges/0000:00/windows/0/end=0x8fff",
        "small/host_bridges/0000:00/windows/0/type=io",
        "small/functions/",
        "small/functions/0000:01:00.0/",
        "small/functions/0000:01:00.0/vendor=0x1002",
        "small/functions/0000:01:00.0/device=0x744c",
        "small/functions/0000:01:00.0/class=0x030000",
        "small/functions/0000:01:00.0/port=legacy-endpoint",
        "small/functions/0000:01:00.0/header=0",
        "small/functions/0000:01:00.0/rom=131072",
        "small/functions/0000:01:00.0/bars/",
        "small/functions/0000:01:00.0/bars/0/",
        "small/functions/0000:01:00.0/bars/0/size=268435456",
        "small/functions/0000:01:00.0/bars/0/type=pref64",
        "small/functions/0000:01:00.0/bars/0/address=0x10000000000",
        "small/functions/0000:01:00.0/rebar/",
        "small/functions/0000:01:00.0/rebar/0/",
        "small/functions/0000:01:00.0/rebar/0/sizes=268435456,536870912",
        "small/functions/0000:01:00.0/rebar/0/current=268435456",
        "small/functions/0000:01:00.0/windows/",
        "small/live=1",
    };
    EXPECT_EQ(lines_of(plan_configfs(machine)), expected);
}

TEST(ConfigfsPlan, WhatIsOptionalIsWrittenOnlyWhenItIsThere)
{
    Machine machine = testing::small_machine();
    machine.preset = false;
    machine.host_bridges[0].node = 1;
    Function &port = machine.functions[testing::port];
    const std::string at = "small/functions/0000:00:01.0/";
    EXPECT_FALSE(has_line(plan_configfs(machine), at + "acs_capable="));
    EXPECT_FALSE(has_line(plan_configfs(machine), at + "hotplug=0"));

    port.hotplug = true;
    port.decode = false;
    port.revision = 1;
    port.subsystem = SubsystemId{0x1028, 0x0619};
    port.acs = Acs{{AcsBit::sv, AcsBit::dt}, {}};
    port.link = Link{LinkSpeed::gt5, LinkSpeed::gt8, LinkSpeed::gt2_5, 8, 16};
    const ConfigfsPlan plan = plan_configfs(machine);
    EXPECT_TRUE(has_line(plan, "small/preset=0"));
    EXPECT_TRUE(has_line(plan, "small/host_bridges/0000:00/node=1"));
    for (const char *line :
         {"hotplug=1", "decode=0", "revision=0x01", "subsystem_vendor=0x1028",
          "subsystem_device=0x0619", "acs_capable=sv,dt", "acs_enabled=", "link_speed=5.0",
          "link_max_speed=8.0", "link_target=2.5", "link_width=8", "link_max_width=16",
          "secondary=1", "subordinate=1", "windows/io/start=0x2000", "windows/mem/end=0xe00fffff",
          "windows/pref64/start=0x10000000000"}) {
        EXPECT_TRUE(has_line(plan, at + line)) << line;
    }
    EXPECT_EQ(plan.back().path, "small/live");
}

class ConfigfsTreeTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = (fs::temp_directory_path() / "peerbar-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_mount = name;
        fs::create_directory(m_mount / "peerbar-sim");
    }
    void TearDown() override { fs::remove_all(m_mount); }

    [[nodiscard]] fs::path folder() const { return m_mount / "peerbar-sim"; }
    [[nodiscard]] ConfigfsTree tree() const { return *ConfigfsTree::open(m_mount.string()); }

    fs::path m_mount; // NOLINT: protected by design of the fixture
};

TEST_F(ConfigfsTreeTest, LoadWritesEveryAttributeAndUnloadRemovesIt)
{
    const ConfigfsPlan plan = plan_configfs(testing::small_machine());
    ASSERT_TRUE(tree().load(plan));
    for (const ConfigfsStep &step : plan) {
        const std::string path = (folder() / step.path).string();
        if (step.kind == Kind::attribute) {
            EXPECT_EQ(read_file(path).value_or("?"), step.value + "\n") << path;
        } else {
            EXPECT_TRUE(fs::is_directory(path)) << path;
        }
    }
    ASSERT_TRUE(tree().unload("small"));
    EXPECT_TRUE(fs::is_empty(folder()));
}

TEST_F(ConfigfsTreeTest, EveryStepThatFailsTakesBackTheOnesBefore)
{
    const ConfigfsPlan good = plan_configfs(testing::small_machine());
    for (std::size_t i = 1; i < good.size(); i++) {
        ConfigfsPlan plan = good;
        plan[i].path = "small/absent/" + plan[i].path;
        const auto loaded = tree().load(plan);
        ASSERT_FALSE(loaded) << i;
        EXPECT_NE(loaded.error().text.find("/" + plan[i].path + ": ENOENT ("), std::string::npos)
            << loaded.error().text;
        EXPECT_EQ(loaded.error().text.find('\n'), std::string::npos) << loaded.error().text;
        EXPECT_TRUE(fs::is_empty(folder())) << i;
    }
}

TEST_F(ConfigfsTreeTest, WhatAnotherMadeIsNotTakenBack)
{
    fs::create_directory(folder() / "small");
    std::ofstream(folder() / "small" / "file") << "kept";
    const auto loaded = tree().load(plan_configfs(testing::small_machine()));
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().text.find("EEXIST"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder() / "small" / "file"));
}

TEST_F(ConfigfsTreeTest, UnloadStaysInItsFolder)
{
    fs::create_directories(m_mount / "beside");
    for (const char *name : {"", ".", "..", "../beside", "absent", "/"}) {
        const auto unloaded = tree().unload(name);
        ASSERT_FALSE(unloaded) << name;
        EXPECT_TRUE(unloaded.error().input) << name;
    }
    EXPECT_TRUE(fs::exists(m_mount / "beside"));
    EXPECT_TRUE(fs::exists(folder()));
}

TEST_F(ConfigfsTreeTest, OpenSaysWhatIsMissing)
{
    fs::remove(folder());
    const auto no_module = ConfigfsTree::open(m_mount.string());
    ASSERT_FALSE(no_module);
    EXPECT_NE(no_module.error().text.find("modprobe peerbar-sim"), std::string::npos);
    const auto no_mount = ConfigfsTree::open((m_mount / "absent").string());
    ASSERT_FALSE(no_mount);
    EXPECT_NE(no_mount.error().text.find("where configfs is mounted"), std::string::npos);
}

} // namespace
} // namespace peerbar
