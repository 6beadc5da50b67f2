#include "benches/kit/nccl/local_progress.hpp"

namespace rackproof::kit::nccl {

using contract::Place;

void LocalProgress::begin(std::string_view title, std::int64_t bytes) {
  queued_.clear();
  is_over_ = nullptr;
  writer_.begin(title, bytes);
}

void LocalProgress::exchange(std::optional<std::size_t> event) {
  const Place place = writer_.next_exchange();
  queue({place, place, 1, event});
}

void LocalProgress::operations(std::int64_t count, std::optional<std::size_t> event) {
  const Place first = writer_.next_operation();
  Place last = first;
  for (std::int64_t i = 1; i < count; ++i) last = writer_.next_operation();
  queue({first, last, count, event});
}

void LocalProgress::batch(int count, const std::function<bool(int number)>& is_marked) {
  for (int from = 0, number = 1; number <= count; ++number) {
    if (!is_marked(number)) continue;
    operations(std::int64_t{number} - from, static_cast<std::size_t>(number));
    from = number;
  }
}

void LocalProgress::queue(const Queued& queued) {
  queued_.push_back(queued);
  if (queued_.size() == 1) enter();
}

bool LocalProgress::look() {
  while (!queued_.empty() && queued_.front().event && is_over_) {
    if (!is_over_(*queued_.front().event)) return false;
    writer_.complete(queued_.front().last);
    queued_.pop_front();
    if (!queued_.empty()) enter();
  }
  return true;
}

void LocalProgress::all_over() {
  if (queued_.empty()) return;
  const Queued last = queued_.back();
  queued_.clear();
  writer_.enter(last.first, last.count);
  writer_.complete(last.last);
}

}  // namespace rackproof::kit::nccl
