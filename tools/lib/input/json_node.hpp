// SPDX-License-Identifier: GPL-2.0-only
//
// Reading JSON strictly. A Node is a value and the place it stands at; the
// read_*() functions turn one into a C++ value or record a problem and return
// nothing. ObjectReader goes through an object's keys and, at the end, records
// every key that nobody asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "input/json.hpp"

namespace peerbar
{

// What went wrong while reading.
struct ReadLog {
    Problems problems;
    // Pointers to values that were not read, so that defaults stand in for them.
    std::vector<std::string> unread;
};

class Node
{
public:
    Node(const Json &value, std::string pointer, ReadLog &log)
        : m_value(value), m_pointer(std::move(pointer)), m_log(log)
    {
    }

    [[nodiscard]] const Json &value() const { return m_value; }
    [[nodiscard]] const std::string &pointer() const { return m_pointer; }

    [[nodiscard]] Node below(std::string_view key, const Json &value) const
    {
        return {value, fmt::format("{}/{}", m_pointer, key), m_log};
    }

    // Records why the value cannot be read.
    void fail(std::string reason, std::string remedy) const
    {
        note(std::move(reason), std::move(remedy));
        m_log.get().unread.push_back(m_pointer);
    }

    // Records what is wrong with the file though nothing is missing for it.
    void note(std::string reason, std::string remedy) const
    {
        m_log.get().problems.push_back({m_pointer, std::move(reason), std::move(remedy)});
    }

    // "expected a string, found a number"
    void fail_type(std::string_view wanted, std::string remedy) const;

private:
    std::reference_wrapper<const Json> m_value;
    std::string m_pointer;
    std::reference_wrapper<ReadLog> m_log;
};

// A whole number from `least` to `most`.
struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = UINT64_MAX;
};

std::optional<std::uint64_t> read_integer(const Node &node, Bounds bounds);
std::optional<bool> read_bool(const Node &node);
std::optional<std::string> read_string(const Node &node);

// "0x" and exactly `digits` lower-case hexadecimal digits.
std::optional<std::uint64_t> read_id(const Node &node, std::size_t digits);

// "0x" and lower-case hexadecimal digits without leading zeros.
std::optional<std::uint64_t> read_address(const Node &node);

// Calls `read` for each element. One that cannot be read is recorded and leaves
// an empty value in its place, so that the others keep their positions.
template <typename Read> auto read_list(const Node &node, Read read)
{
    using Element = typename std::invoke_result_t<Read, const Node &>::value_type;
    std::vector<Element> list;
    if (!node.value().is_array()) {
        node.fail_type("an array", "write [...], also for one element");
        return std::optional<std::vector<Element>>();
    }
    for (std::size_t i = 0; i < node.value().size(); i++) {
        auto element = read(node.below(std::to_string(i), node.value()[i]));
        list.push_back(element ? std::move(*element) : Element{});
    }
    return std::optional<std::vector<Element>>(std::move(list));
}

class ObjectReader
{
public:
    explicit ObjectReader(Node node);

    [[nodiscard]] bool is_object() const { return m_node.value().is_object(); }

    // Reads the key into `out`, which keeps its value when that fails.
    template <typename Read, typename T>
    void required(std::string_view key, Read read, T &out, std::string_view example)
    {
        if (!take(key, read, out) && is_object() && !has(key)) {
            fail_missing(key, example);
        }
    }

    template <typename Read, typename T> void optional(std::string_view key, Read read, T &out)
    {
        take(key, read, out);
    }

    [[nodiscard]] bool has(std::string_view key) const;

    // Records the keys that were not read.
    void finish() const;

private:
    template <typename Read, typename T> bool take(std::string_view key, Read read, T &out)
    {
        m_known.emplace_back(key);
        if (!has(key)) {
            return false;
        }
        auto value = read(m_node.below(key, m_node.value()[std::string(key)]));
        if (value) {
            out = static_cast<T>(std::move(*value));
        }
        return value.has_value();
    }

    void fail_missing(std::string_view key, std::string_view example) const;

    Node m_node;
    std::vector<std::string> m_known;
};

} // namespace peerbar
