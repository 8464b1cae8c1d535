// SPDX-License-Identifier: GPL-2.0-only
// Words and numbers of the configfs attributes.
#include "sim_parse.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sim {
namespace {

TEST(Parse, Numbers) {
  u64 v = 0;
  EXPECT_EQ(sim_parse_u64("0x1F\n", &v), 0);
  EXPECT_EQ(v, 0x1fU);
  EXPECT_EQ(sim_parse_u64("34359738368", &v), 0);
  EXPECT_EQ(v, 34359738368U);
  EXPECT_EQ(sim_parse_u64("18446744073709551615", &v), 0);
  EXPECT_EQ(v, ~0ULL);
  EXPECT_EQ(sim_parse_u64("0xffffffffffffffff", &v), 0);
  EXPECT_EQ(v, ~0ULL);
}

TEST(Parse, NumbersThatAreNone) {
  u64 v = 7;
  for (const char* text : {"", "\n", "0x", "x", "-1", "+1", " 1", "1 ", "1\n\n", "0xg", "12a",
                           "18446744073709551616", "0x10000000000000000", "99999999999999999999"})
    EXPECT_EQ(sim_parse_u64(text, &v), -EINVAL) << text;
  EXPECT_EQ(v, 7U);
}

TEST(Parse, Addresses) {
  u32 domain = 0;
  u8 bus = 0, devfn = 0;
  EXPECT_EQ(sim_parse_function_name("10001:a0:1f.7", &domain, &bus, &devfn), 0);
  EXPECT_EQ(domain, 0x10001U);
  EXPECT_EQ(bus, 0xa0);
  EXPECT_EQ(devfn, 0xff);
  for (const char* text : {"", "00:00.0", "0000:00:20.0", "0000:00:00.8", "0000:000:00.0",
                           "0000:00:00.0 ", "0000:00:00", "0000:00:00.", ":00:00.0", "g:00:00.0"})
    EXPECT_EQ(sim_parse_function_name(text, &domain, &bus, &devfn), -EINVAL) << text;
  EXPECT_EQ(sim_parse_host_name("0000:a0", &domain, &bus), 0);
  EXPECT_EQ(bus, 0xa0);
  for (const char* text : {"", "0000", "0000:", "0000:100", "0000:00:00", "80000000:00"})
    EXPECT_EQ(sim_parse_host_name(text, &domain, &bus), -EINVAL) << text;
}

TEST(Parse, Spaces) {
  for (sim_space s : {SIM_SPACE_IO, SIM_SPACE_MEM32, SIM_SPACE_PREF32, SIM_SPACE_MEM64,
                      SIM_SPACE_PREF64}) {
    sim_space got = SIM_SPACE_NONE;
    EXPECT_EQ(sim_parse_space((std::string(sim_space_name(s)) + "\n").c_str(), &got), 0);
    EXPECT_EQ(got, s);
  }
  sim_space got = SIM_SPACE_IO;
  for (const char* text : {"", "\n", "mem", "pref", "io,", "IO", "mem640"})
    EXPECT_EQ(sim_parse_space(text, &got), -EINVAL) << text;
}

TEST(Parse, Ports) {
  for (int i = SIM_PORT_ENDPOINT; i <= SIM_PORT_ROOT_INTEGRATED; i++) {
    const auto p = static_cast<sim_port>(i);
    sim_port got = SIM_PORT_ENDPOINT;
    EXPECT_EQ(sim_parse_port(sim_port_name(p), &got), 0);
    EXPECT_EQ(got, p);
  }
  sim_port got = SIM_PORT_ROOT;
  EXPECT_EQ(sim_parse_port("roots", &got), -EINVAL);
  EXPECT_EQ(sim_parse_port("", &got), -EINVAL);
}

TEST(Parse, Speeds) {
  u8 v = 0;
  EXPECT_EQ(sim_parse_speed("2.5\n", &v), 0);
  EXPECT_EQ(v, 1);
  EXPECT_EQ(sim_parse_speed("16.0", &v), 0);
  EXPECT_EQ(v, 4);
  EXPECT_EQ(sim_parse_speed("32", &v), 0);
  EXPECT_EQ(v, 5);
  for (const char* text : {"", "2", "2.", "64.0", "8.", "8.0x", "3"})
    EXPECT_EQ(sim_parse_speed(text, &v), -EINVAL) << text;
}

TEST(Parse, AcsLists) {
  u16 bits = 0;
  std::array<char, 64> text{};
  EXPECT_EQ(sim_parse_acs("sv,rr,cr,uf\n", &bits), 0);
  EXPECT_EQ(bits, 0x1d);
  EXPECT_EQ(sim_print_acs(bits, text.data(), text.size()), 11U);
  EXPECT_STREQ(text.data(), "sv,rr,cr,uf");
  EXPECT_EQ(sim_parse_acs("", &bits), 0);
  EXPECT_EQ(bits, 0);
  for (const char* t : {",", "sv,", ",sv", "sv,,rr", "xx", "sv rr"})
    EXPECT_EQ(sim_parse_acs(t, &bits), -EINVAL) << t;
}

TEST(Parse, SizeLists) {
  u64 sizes = 0;
  std::array<char, 64> text{};
  EXPECT_EQ(sim_parse_sizes("268435456,34359738368\n", &sizes), 0);
  EXPECT_EQ(sizes, 0x8100U);
  sim_print_sizes(sizes, text.data(), text.size());
  EXPECT_STREQ(text.data(), "268435456,34359738368");
  for (const char* t : {"524288", "3145728", "268435456,", "1M"})
    EXPECT_EQ(sim_parse_sizes(t, &sizes), -EINVAL) << t;
}

}  // namespace
}  // namespace sim
