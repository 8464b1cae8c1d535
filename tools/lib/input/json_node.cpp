// SPDX-License-Identifier: GPL-2.0-only
#include "input/json_node.hpp"

#include <algorithm>

#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

std::string_view kind_of(const Json &value)
{
    switch (value.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "an array";
    case Json::value_t::string:
        return "a string";
    case Json::value_t::boolean:
        return "true or false";
    case Json::value_t::number_integer:
        return "a negative number";
    case Json::value_t::number_unsigned:
        return "a whole number";
    case Json::value_t::number_float:
        return "a number with a fraction or beyond 64 bits";
    default:
        return "something else";
    }
}

// RFC 6901: "~" and "/" in a key are written "~0" and "~1". Control characters
// would break up the line that the pointer is printed in.
std::string escape_key(std::string_view key)
{
    std::string text;
    for (const char c : key) {
        if (c == '~') {
            text += "~0";
        } else if (c == '/') {
            text += "~1";
        } else if (static_cast<unsigned char>(c) < ' ') {
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            text += c;
        }
    }
    return text;
}

} // namespace

void Node::fail_type(std::string_view wanted, std::string remedy) const
{
    fail(fmt::format("expected {}, found {}", wanted, kind_of(m_value)), std::move(remedy));
}

std::optional<std::uint64_t> read_integer(const Node &node, Bounds bounds)
{
    const Json &value = node.value();
    if (!value.is_number_unsigned()) {
        node.fail_type("a whole number", "write plain digits, no quotes and no unit");
        return std::nullopt;
    }
    const auto number = value.get<std::uint64_t>();
    if (number < bounds.least || number > bounds.most) {
        node.fail(fmt::format("{} is out of range", number),
                  fmt::format("use {} to {}", bounds.least, bounds.most));
        return std::nullopt;
    }
    return number;
}

std::optional<bool> read_bool(const Node &node)
{
    if (!node.value().is_boolean()) {
        node.fail_type("true or false", "write it without quotes");
        return std::nullopt;
    }
    return node.value().get<bool>();
}

std::optional<std::string> read_string(const Node &node)
{
    if (!node.value().is_string()) {
        node.fail_type("a string", "put the text in double quotes");
        return std::nullopt;
    }
    return node.value().get<std::string>();
}

std::optional<std::uint64_t> read_id(const Node &node, std::size_t digits)
{
    const std::string remedy =
        fmt::format("write \"0x\" and {} lower-case hexadecimal digits", digits);
    if (!node.value().is_string()) {
        node.fail_type("a string", remedy);
        return std::nullopt;
    }
    const auto text = node.value().get<std::string>();
    const auto number = parse_hex_digits(text, digits);
    if (!number) {
        node.fail(fmt::format("{} is not an identifier", Json(text).dump()), remedy);
    }
    return number;
}

std::optional<std::uint64_t> read_address(const Node &node)
{
    constexpr std::string_view remedy =
        "write \"0x\" and up to 16 lower-case hexadecimal digits, no leading zeros";
    if (!node.value().is_string()) {
        node.fail_type("a string", std::string(remedy));
        return std::nullopt;
    }
    const auto text = node.value().get<std::string>();
    const auto number = parse_hex(text);
    if (!number || format_hex(*number) != text) {
        node.fail(fmt::format("{} is not an address", Json(text).dump()), std::string(remedy));
        return std::nullopt;
    }
    return number;
}

ObjectReader::ObjectReader(Node node) : m_node(std::move(node))
{
    if (!is_object()) {
        m_node.fail_type("an object", "write {...}");
    }
}

bool ObjectReader::has(std::string_view key) const
{
    return is_object() && m_node.value().contains(std::string(key));
}

void ObjectReader::fail_missing(std::string_view key, std::string_view example) const
{
    m_node.below(key, m_node.value()).fail("missing", fmt::format("add {}", example));
}

void ObjectReader::finish() const
{
    if (!is_object()) {
        return;
    }
    for (const auto &[key, value] : m_node.value().items()) {
        if (std::ranges::find(m_known, key) == m_known.end()) {
            m_node.below(escape_key(key), value)
                .note("unknown key", fmt::format("known here: {}", fmt::join(m_known, ", ")));
        }
    }
}

} // namespace peerbar
