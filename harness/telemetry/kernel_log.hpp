#pragma once

#include <string>
#include <vector>

#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// The kernel's messages from now on, as events. A column counts them (kKernelMessages), unless the
/// log may not be read: a recording without it heard no log.
class KernelLog : public Columns {
 public:
  /// Reads /dev/kmsg below a root folder (empty: this machine), or what lies there in its place: a
  /// FIFO, or a file that grows.
  explicit KernelLog(const std::string& root);
  ~KernelLog() override;
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;
  std::vector<Event> take_events() override;
  /// Why kernel messages are not watched; empty: they are.
  const std::string& problem() const { return problem_; }

 private:
  void take_lines(std::uint64_t now);

  std::vector<Column> columns_;
  double messages_ = 0;
  std::string problem_;
  int descriptor_ = -1;
  std::uint64_t read_at_ = 0;  ///< CLOCK_MONOTONIC in ns
  std::string pending_;        ///< without its newline yet
  std::vector<Event> events_;
};

}  // namespace rackproof::telemetry
