#include "harness/telemetry/kernel_history.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "harness/inventory/file_tree.hpp"
#include "harness/telemetry/kernel_lines.hpp"

namespace rackproof::telemetry {
namespace {

constexpr const char* kKmsg = "/dev/kmsg";
// The longest message that the kernel gives, with its head.
constexpr std::size_t kLongestMessage = 16384;
// The largest log that a kernel can be built with (CONFIG_LOG_BUF_SHIFT 25) has fewer messages.
constexpr int kMostMessages = 1'000'000;

// "PRIORITY,SEQUENCE,...": nothing for what continues a message, which begins with a blank.
std::optional<std::uint64_t> sequence_of(std::string_view line) {
  const std::size_t comma = line.find(',');
  if (line.empty() || line.front() == ' ' || comma == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const char* const begin = line.data() + comma + 1;
  const char* const end = line.data() + line.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc{} || stop == end || *stop != ',') return std::nullopt;
  return number;
}

void take_line(std::string_view line, KernelHistory& history) {
  const auto sequence = sequence_of(line);
  if (!sequence) return;
  history.last = *sequence;
  if (auto event = event_in(line)) history.events.emplace_back(*sequence, *std::move(event));
}

}  // namespace

KernelHistory kernel_history(const std::string& root) {
  KernelHistory history;
  const std::string path = inventory::FileTree(root).full(kKmsg);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    history.problem = std::string("the kernel's log cannot be read: ") + kKmsg + ": " +
                      std::system_category().message(errno);
    return history;
  }
  std::array<char, kLongestMessage> buffer;
  std::string pending;
  for (int i = 0; i < kMostMessages; ++i) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    // EPIPE: messages were overwritten before they were read; the next read goes on behind them.
    if (count < 0 && (errno == EINTR || errno == EPIPE)) continue;
    if (count < 0 && errno != EAGAIN) {
      history.problem = std::string("the kernel's log cannot be read: ") + kKmsg + ": " +
                        std::system_category().message(errno);
    }
    if (count <= 0) break;
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos;
         end = pending.find('\n', begin)) {
      take_line(std::string_view(pending).substr(begin, end - begin), history);
      begin = end + 1;
    }
    pending.erase(0, begin);
    if (pending.size() > kLongestMessage) pending.clear();
  }
  ::close(descriptor);
  return history;
}

}  // namespace rackproof::telemetry
