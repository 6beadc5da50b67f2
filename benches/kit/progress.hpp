#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "contract/progress_page.hpp"

namespace rackproof::kit {

/// Tells whoever supervises this process how far it is in what the members of its group do
/// together, so that a group that hangs can be asked who had not come. Where nobody supervises, or
/// the bench is started by hand, it is told to memory that nobody reads: no caller has to know.
///
/// Every member has to count alike: the same cells, iterations and exchanges in the same order. To
/// enter or complete something writes a word of memory, and neither waits nor asks a clock.
class ProgressWriter {
 public:
  /// Told to nobody.
  ProgressWriter();
  /// Told in `page`, which outlives this; null: to nobody.
  explicit ProgressWriter(contract::ProgressPage* page);
  /// Told in the page whose descriptor the environment names, which is closed: what this process
  /// starts does not get it.
  static ProgressWriter from_environment();

  /// From here on all is about `title`, of messages of so many bytes.
  void begin(std::string_view title, std::int64_t bytes);

  /// The place of the next operation of the cell, and of the next exchange before it.
  contract::Place next_operation();
  contract::Place next_exchange();

  /// `span` operations that are over at once, this one being the first.
  void enter(const contract::Place& place, std::int64_t span = 1) {
    page_->span.store(static_cast<std::uint64_t>(span), std::memory_order_relaxed);
    page_->entered.store(packed(place), std::memory_order_release);
  }
  void complete(const contract::Place& place) {
    page_->completed.store(packed(place), std::memory_order_release);
  }

  /// Enters the next exchange, calls, and completes it.
  template <class Call>
  void exchange(Call&& call) {
    const contract::Place place = next_exchange();
    enter(place);
    call();
    complete(place);
  }

 private:
  std::shared_ptr<contract::ProgressPage> page_;
  contract::Place next_;  ///< the operation that comes next; its exchange: how many were before it
};

}  // namespace rackproof::kit
