#include "harness/warden/streams.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace rackproof::warden {
namespace {

// Reads once. Gives the bytes, an empty view when there is nothing now, and closes `fd` at its end.
std::string_view read_once(support::Fd& fd, std::array<char, 65536>& buffer) {
  ssize_t n = 0;
  do {
    n = ::read(fd.get(), buffer.data(), buffer.size());
  } while (n < 0 && errno == EINTR);
  if (n > 0) return {buffer.data(), static_cast<std::size_t>(n)};
  if (n == 0 || errno != EAGAIN) fd.reset();
  return {};
}

}  // namespace

Streams::Streams(support::Fd in, support::Fd out, support::Fd err, std::string input)
    : in_(std::move(in)), out_(std::move(out)), err_(std::move(err)), input_(std::move(input)) {
  write_in();
}

void Streams::pump(std::vector<OutLine>& lines) {
  if (in_) write_in();
  if (out_) read_out(lines);
  if (err_) read_err();
}

void Streams::write_in() {
  while (in_ && sent_ < input_.size()) {
    // SIGPIPE is ignored in the warden, so a child that closed its stdin is only an error here.
    const ssize_t n = ::write(in_.get(), input_.data() + sent_, input_.size() - sent_);
    if (n > 0) {
      sent_ += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      break;
    }
  }
  in_.reset();
}

void Streams::read_out(std::vector<OutLine>& lines) {
  // A flood must not starve the other descriptors: a bounded number of reads at a time.
  std::array<char, 65536> buffer{};
  for (int i = 0; i < 16 && out_; ++i) {
    const std::string_view bytes = read_once(out_, buffer);
    if (bytes.empty()) break;
    take_out(bytes, lines);
  }
  if (!out_ && !line_.empty()) {
    lines.push_back({line_, false});
    line_.clear();
  }
}

void Streams::take_out(std::string_view bytes, std::vector<OutLine>& lines) {
  out_bytes_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view part = bytes.substr(0, newline);
    if (line_.size() + part.size() > kMaxLineBytes) line_too_long_ = true;
    line_ += part.substr(0, kMaxLineBytes - std::min(kMaxLineBytes, line_.size()));
    if (newline == std::string_view::npos) return;
    if (out_bytes_ > kMaxOutputBytes || line_too_long_) {
      ++dropped_lines_;
    } else {
      lines.push_back({line_, true});
    }
    line_.clear();
    line_too_long_ = false;
    bytes.remove_prefix(newline + 1);
  }
}

void Streams::read_err() {
  std::array<char, 65536> buffer{};
  for (int i = 0; i < 16 && err_; ++i) {
    std::string_view bytes = read_once(err_, buffer);
    if (bytes.empty()) return;
    err_bytes_ += static_cast<std::int64_t>(bytes.size());
    const std::size_t head = std::min(bytes.size(), kStderrHead - err_head_.size());
    err_head_ += bytes.substr(0, head);
    err_tail_ += bytes.substr(head);
    if (err_tail_.size() > kStderrTail) err_tail_.erase(0, err_tail_.size() - kStderrTail);
  }
}

void Streams::close() {
  in_.reset();
  out_.reset();
  err_.reset();
}

void Streams::describe(journal::End& facts) const {
  facts.dropped_lines = dropped_lines_;
  facts.out_bytes = out_bytes_;
  facts.err_bytes = err_bytes_;
  facts.err = err_head_;
  const auto kept = static_cast<std::int64_t>(err_head_.size() + err_tail_.size());
  if (err_bytes_ > kept) {
    facts.err += "\n[" + std::to_string(err_bytes_ - kept) + " bytes left out]\n";
  }
  facts.err += err_tail_;
}

}  // namespace rackproof::warden
