#pragma once

#include <cstdint>
#include <vector>

namespace rackproof::swing {

/// Work by bins of time: what stands for power where nothing measures that.
class WorkTrace {
 public:
  /// `count` bins of `width` seconds from `start`.
  WorkTrace(double start, double width, std::int64_t count);

  /// One piece of work from `began` to `ended`, shared out evenly over its time; what lies outside
  /// of the bins is left out.
  void add(double began, double ended);
  /// Adds the work of a trace of the same bins.
  void add(const WorkTrace& other);

  /// Pieces of work in each bin.
  const std::vector<double>& bins() const { return bins_; }

 private:
  double start_;
  double width_;
  std::vector<double> bins_;
};

}  // namespace rackproof::swing
