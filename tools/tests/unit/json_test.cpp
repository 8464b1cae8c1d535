// SPDX-License-Identifier: GPL-2.0-only
#include <gtest/gtest.h>

#include "input/json.hpp"

namespace peerbar
{
namespace
{

std::string where_of(std::string_view text)
{
    const auto json = parse_json(text);
    return json ? "good" : json.error().front().where;
}

TEST(JsonParse, SaysLineAndColumn)
{
    EXPECT_EQ(where_of("{\"a\": 1}"), "good");
    EXPECT_EQ(where_of("{\n  \"a\": 1,\n  b\n}"), "line 3, column 3");
    EXPECT_EQ(where_of(""), "line 1, column 1");
    EXPECT_EQ(where_of("[1,"), "line 1, column 4");
    EXPECT_EQ(where_of("[]]"), "line 1, column 3");
}

TEST(JsonParse, DuplicateKeysAreFoundWhereverTheyAre)
{
    EXPECT_EQ(where_of(R"({"a": 1, "a": 1})"), "/a");
    EXPECT_EQ(where_of(R"({"x": [0, [], {"b": {}, "c": 2, "b": 3}]})"), "/x/2/b");
    EXPECT_EQ(where_of(R"({"a": {"a": 1}, "b": {"a": 1}})"), "good");
    EXPECT_EQ(where_of(R"({"~/": 1, "~/": 1})"), "/~0~1");
}

TEST(JsonParse, DeepNestingIsNoRecursion)
{
    const std::string deep(100000, '[');
    EXPECT_EQ(where_of(deep), "line 1, column 100001");
}

TEST(JsonLayout, ShortValuesTakeOneLine)
{
    const Json json = Json::parse(R"({"name":"x","list":[1,2],"object":{"k":16.0},"empty":{}})");
    EXPECT_EQ(format_json(json), "{\n"
                                 "  \"name\": \"x\",\n"
                                 "  \"list\": [1, 2],\n"
                                 "  \"object\": {\"k\": 16.0},\n"
                                 "  \"empty\": {}\n"
                                 "}\n");
}

TEST(JsonLayout, LongValuesAreOpenedUp)
{
    const Json numbers = std::vector<std::uint64_t>(20, 34359738368);
    const Json json{{"objects", {{{"first", std::string(60, 'x')}}, {{"second", numbers}}}}};
    const std::string list = format_json(Json{{"l", numbers}}).substr(10, 20 * 13 - 2);
    EXPECT_EQ(format_json(json), "{\n"
                                 "  \"objects\": [\n"
                                 "    {\"first\": \"" +
                                     std::string(60, 'x') +
                                     "\"},\n"
                                     "    {\n"
                                     "      \"second\": [" +
                                     list +
                                     "]\n"
                                     "    }\n"
                                     "  ]\n"
                                     "}\n");
    EXPECT_TRUE(list.starts_with("34359738368, 34359738368"));
}

TEST(JsonLayout, KeepsTheOrderAndTheMeaning)
{
    const Json json = Json::parse(R"({"z": "\u00e9\n\"", "a": [null, true, -1, {"y": []}]})");
    EXPECT_EQ(Json::parse(format_json(json)), json);
    EXPECT_LT(format_json(json).find("\"z\""), format_json(json).find("\"a\""));
}

} // namespace
} // namespace peerbar
