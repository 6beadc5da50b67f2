#include "harness/warden/frame.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "harness/support/clock.hpp"

namespace rackproof::warden {
namespace {

void append_u32(std::string& out, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  std::array<char, 4> bytes{};
  std::memcpy(bytes.data(), &number, bytes.size());
  out.append(bytes.data(), bytes.size());
}

std::uint32_t read_u32(const char* at) {
  std::uint32_t number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}

}  // namespace

std::string encode(const Frame& frame) {
  std::string body(1, static_cast<char>(frame.word));
  for (const std::string& field : frame.fields) {
    append_u32(body, field.size());
    body += field;
  }
  std::string out;
  append_u32(out, body.size());
  return out + body;
}

void FrameReader::feed(std::string_view bytes) {
  buffer_.erase(0, used_);
  used_ = 0;
  buffer_ += bytes;
}

std::optional<Frame> FrameReader::next() {
  const std::string_view rest = std::string_view(buffer_).substr(used_);
  if (rest.size() < 4) return std::nullopt;
  const std::size_t length = read_u32(rest.data());
  if (rest.size() < 4 + length) return std::nullopt;
  Frame frame;
  std::string_view body = rest.substr(4, length);
  frame.word = static_cast<Word>(body.empty() ? 0 : body.front());
  if (!body.empty()) body.remove_prefix(1);
  while (body.size() >= 4) {
    const std::size_t size = std::min<std::size_t>(read_u32(body.data()), body.size() - 4);
    frame.fields.emplace_back(body.substr(4, size));
    body.remove_prefix(4 + size);
  }
  used_ += 4 + length;
  return frame;
}

bool write_fully(int fd, std::string_view bytes, double seconds) {
  support::SystemClock clock;
  double until = clock.now() + seconds;
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
      until = clock.now() + seconds;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (clock.now() >= until) return false;
      wait_for(fd, POLLOUT, until - clock.now());
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void wait_for(int fd, short events, double seconds) {
  constexpr double kBlindSeconds = 0.01;
  pollfd wait{fd, events, 0};
  const double bounded = std::clamp(seconds, 0.0, 60.0);
  if (::poll(&wait, 1, static_cast<int>(std::ceil(bounded * 1000))) < 0 && errno != EINTR) {
    support::SystemClock().sleep(std::min(kBlindSeconds, bounded));
  }
}

bool read_available(int fd, FrameReader& reader) {
  std::array<char, 65536> bytes{};
  for (;;) {
    const ssize_t n = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n > 0) {
      reader.feed({bytes.data(), static_cast<std::size_t>(n)});
      if (static_cast<std::size_t>(n) < bytes.size()) return true;
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

}  // namespace rackproof::warden
