#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "benches/kit/progress.hpp"

namespace rackproof::kit::nccl {

/// How far the devices of this process are in what was queued on them. The host says what it queues
/// before it does, and looks while it waits: so nothing is added between two launches, and what is
/// told stands still while the host does.
class LocalProgress {
 public:
  explicit LocalProgress(ProgressWriter& writer) : writer_(writer) {}

  void begin(std::string_view title, std::int64_t bytes);

  /// An exchange comes next, or so many operations that are seen to be over at once. They are when
  /// `is_over(event)` says so, or when everything is.
  void exchange(std::optional<std::size_t> event = {});
  void operations(std::int64_t count, std::optional<std::size_t> event = {});
  /// So many operations, with an event N behind the Nth of them where `is_marked(N)`.
  void batch(int count, const std::function<bool(int number)>& is_marked);

  /// Whom to ask whether an event has been reached, until the next begin().
  void ask(std::function<bool(std::size_t event)> is_over) { is_over_ = std::move(is_over); }

  /// True when nothing is left whose event has not been reached.
  bool look();
  void all_over();

 private:
  struct Queued {
    contract::Place first;
    contract::Place last;
    std::int64_t count = 1;
    std::optional<std::size_t> event;
  };

  void queue(const Queued& queued);
  void enter() { writer_.enter(queued_.front().first, queued_.front().count); }

  ProgressWriter& writer_;
  std::deque<Queued> queued_;
  std::function<bool(std::size_t event)> is_over_;
};

}  // namespace rackproof::kit::nccl
