// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "input/json.hpp"

namespace peerbar
{
namespace
{

// One open object or array while the parser goes through the text.
struct Frame {
    bool array = false;
    std::size_t index = 0;
    std::string key;
    std::set<std::string> keys;
};

// Follows the parser's events to know where it is, and which keys it saw.
class DuplicateFinder
{
public:
    bool operator()(Json::parse_event_t event, Json &parsed)
    {
        using Event = Json::parse_event_t;
        switch (event) {
        case Event::object_start:
            m_frames.push_back({});
            break;
        case Event::array_start:
            m_frames.push_back({.array = true, .index = 0, .key = {}, .keys = {}});
            break;
        case Event::key:
            enter_key(parsed.get<std::string>());
            break;
        case Event::object_end:
        case Event::array_end:
            m_frames.pop_back();
            next_element();
            break;
        case Event::value:
            next_element();
            break;
        }
        return true;
    }

    [[nodiscard]] const Problems &problems() const { return m_problems; }

private:
    void enter_key(const std::string &key)
    {
        Frame &frame = m_frames.back();
        frame.key = key;
        if (!frame.keys.insert(key).second) {
            m_problems.push_back({pointer(), "the key appears twice", "keep one of them"});
        }
    }

    void next_element()
    {
        if (!m_frames.empty() && m_frames.back().array) {
            m_frames.back().index++;
        }
    }

    [[nodiscard]] std::string pointer() const
    {
        Json::json_pointer path;
        for (const Frame &frame : m_frames) {
            path.push_back(frame.array ? std::to_string(frame.index) : frame.key);
        }
        return path.to_string();
    }

    std::vector<Frame> m_frames;
    Problems m_problems;
};

// `byte` counts from 1 and is the last byte the parser looked at.
std::string position_of(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
    return fmt::format("line {}, column {}", line, column);
}

// The library's text behind `mark`, without its own number and position. What it
// quotes may be in any encoding.
std::string reason_of(const Json::exception &error, std::string_view mark)
{
    std::string text = error.what();
    const std::size_t found = text.find(mark);
    if (found != std::string::npos) {
        text.erase(0, found + mark.size());
    }
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) > '~'; }, '?');
    return fmt::format("not JSON: {}", text);
}

} // namespace

tl::expected<Json, Problems> parse_json(std::string_view text)
{
    DuplicateFinder duplicates;
    const auto on_event = [&duplicates](int /*depth*/, Json::parse_event_t event, Json &parsed) {
        return duplicates(event, parsed);
    };
    try {
        Json value = Json::parse(text, on_event);
        if (!duplicates.problems().empty()) {
            return tl::unexpected(duplicates.problems());
        }
        return value;
    } catch (const Json::parse_error &error) {
        return tl::unexpected(
            Problems{{position_of(text, error.byte), reason_of(error, ": "), ""}});
    } catch (const Json::out_of_range &error) {
        return tl::unexpected(Problems{{"", reason_of(error, "] "), ""}});
    }
}

} // namespace peerbar
