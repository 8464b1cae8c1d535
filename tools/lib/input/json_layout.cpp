// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "input/json.hpp"

namespace peerbar
{
namespace
{

constexpr std::size_t width = 100;
constexpr std::size_t step = 2;

std::string on_one_line(const Json &value)
{
    if (!value.is_structured()) {
        return value.dump();
    }
    const bool object = value.is_object();
    std::string text = object ? "{" : "[";
    bool first = true;
    for (const auto &[key, element] : value.items()) {
        text += first ? "" : ", ";
        text += object ? Json(key).dump() + ": " : "";
        text += on_one_line(element);
        first = false;
    }
    return text + (object ? "}" : "]");
}

bool holds_structure(const Json &value)
{
    return std::any_of(value.begin(), value.end(),
                       [](const Json &element) { return element.is_structured(); });
}

bool belongs_on_one_line(const Json &value, std::size_t room_used, const std::string &line)
{
    if (!value.is_structured() || value.empty() || room_used + line.size() < width) {
        return true;
    }
    return value.is_array() && !holds_structure(value);
}

// `column` is where the value starts, `indent` where its line starts.
// NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
std::string lay_out(const Json &value, std::size_t indent, std::size_t column)
{
    std::string line = on_one_line(value);
    const bool outermost = indent == 0; // always opened up
    if (!outermost && belongs_on_one_line(value, column, line)) {
        return line;
    }
    const bool object = value.is_object();
    const std::string margin(indent + step, ' ');
    std::string text = object ? "{" : "[";
    bool first = true;
    for (const auto &[key, element] : value.items()) {
        const std::string label = object ? Json(key).dump() + ": " : "";
        text += first ? "\n" : ",\n";
        text += margin + label + lay_out(element, indent + step, indent + step + label.size());
        first = false;
    }
    return text + "\n" + std::string(indent, ' ') + (object ? "}" : "]");
}

} // namespace

std::string format_json(const Json &value)
{
    return lay_out(value, 0, 0) + "\n";
}

} // namespace peerbar
