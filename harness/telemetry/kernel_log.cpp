#include "harness/telemetry/kernel_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "harness/inventory/file_tree.hpp"
#include "harness/telemetry/kernel_lines.hpp"
#include "harness/telemetry/recorder.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

constexpr const char* kFile = "/dev/kmsg";
// The longest message that the kernel gives, with its head.
constexpr std::size_t kLongest = 16384;
// More at once than a sample has time for: the rest is read at the next.
constexpr int kMostReads = 256;

}  // namespace

KernelLog::KernelLog(const std::string& root) : read_at_(monotonic_ns()) {
  const std::string path = inventory::FileTree(root).full(kFile);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) {
    problem_ = std::string("kernel messages are not watched: ") + kFile + ": " +
               std::system_category().message(errno);
    return;
  }
  columns_.push_back(column_of(model::column_name::kKernelMessages, "", Kind::kCounter, kFile));
  // What was there before is not of this time. A FIFO has no end to go to, and no past.
  ::lseek(descriptor_, 0, SEEK_END);
}

KernelLog::~KernelLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void KernelLog::read(Moment /*moment*/, std::span<double> values) {
  if (descriptor_ < 0) return;
  std::array<char, kLongest> buffer;
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    // EPIPE: messages were overwritten before they were read; the next read goes on behind them.
    if (count < 0 && (errno == EINTR || errno == EPIPE)) continue;
    if (count <= 0) break;
    pending_.append(buffer.data(), static_cast<std::size_t>(count));
    take_lines(monotonic_ns());
  }
  read_at_ = monotonic_ns();
  values[0] = messages_;
}

// The kernel's clock of messages is not set by anybody and drifts away from CLOCK_MONOTONIC; but
// what was not there at the last look came after it.
void KernelLog::take_lines(std::uint64_t now) {
  std::size_t begin = 0;
  for (std::size_t end = pending_.find('\n'); end != std::string::npos;
       end = pending_.find('\n', begin)) {
    const std::string_view line = std::string_view(pending_).substr(begin, end - begin);
    if (auto event = event_in(line)) {
      const std::uint64_t since = std::min(read_at_, now);
      if (event->monotonic_ns < since || event->monotonic_ns > now) {
        event->monotonic_ns = now;
        event->within_ns = now - since;
      }
      events_.push_back(*std::move(event));
    }
    messages_ += 1;
    begin = end + 1;
  }
  pending_.erase(0, begin);
  // No message is as long as this.
  if (pending_.size() > kLongest) pending_.clear();
}

std::vector<Event> KernelLog::take_events() { return std::exchange(events_, {}); }

}  // namespace rackproof::telemetry
