// SPDX-License-Identifier: GPL-2.0-only
#include "util/files.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace peerbar
{
namespace
{

class Descriptor
{
public:
    Descriptor(const std::string &path, int flags)
        : m_number(::open(path.c_str(), flags | O_CLOEXEC, 0644))
    {
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor()
    {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }

    [[nodiscard]] int number() const { return m_number; }
    [[nodiscard]] bool is_open() const { return m_number >= 0; }

private:
    int m_number;
};

} // namespace

int write_attribute(const std::string &path, std::string_view text, Create create)
{
    const Descriptor file(path, O_WRONLY | (create == Create::yes ? O_CREAT | O_TRUNC : 0));
    if (!file.is_open()) {
        return errno;
    }
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0) {
        return errno;
    }
    // An attribute that takes a part of the text did not understand it.
    return static_cast<std::size_t>(written) == text.size() ? 0 : EIO;
}

tl::expected<std::string, int> read_file(const std::string &path)
{
    const Descriptor file(path, O_RDONLY);
    if (!file.is_open()) {
        return tl::unexpected(errno);
    }
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return tl::unexpected(errno);
        }
        if (count == 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

tl::expected<std::string, int> read_attribute(const std::string &path)
{
    const Descriptor file(path, O_RDONLY);
    if (!file.is_open()) {
        return tl::unexpected(errno);
    }
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0) {
        return tl::unexpected(errno);
    }
    std::string text(buffer.data(), static_cast<std::size_t>(count));
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

} // namespace peerbar
