#include "benches/swing/work_trace.hpp"

#include <algorithm>
#include <functional>

namespace rackproof::swing {

WorkTrace::WorkTrace(double start, double width, std::int64_t count)
    : start_(start), width_(width), bins_(static_cast<std::size_t>(count)) {}

void WorkTrace::add(double began, double ended) {
  if (ended <= began) return;
  const double end = start_ + width_ * static_cast<double>(bins_.size());
  double at = std::max(began, start_);
  const double until = std::min(ended, end);
  auto bin = static_cast<std::size_t>(std::max(0.0, (at - start_) / width_));
  for (; at < until && bin < bins_.size(); ++bin) {
    const double edge = std::min(until, start_ + width_ * static_cast<double>(bin + 1));
    if (edge <= at) continue;  // rounding put it into the bin before
    bins_[bin] += (edge - at) / (ended - began);
    at = edge;
  }
}

void WorkTrace::add(const WorkTrace& other) {
  std::transform(bins_.begin(), bins_.end(), other.bins_.begin(), bins_.begin(), std::plus<>());
}

}  // namespace rackproof::swing
