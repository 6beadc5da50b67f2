#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// GpuColumns and GpmColumns behind a thread of their own: a driver that hangs costs the GPUs'
/// columns, which then say for how long there was no answer, and nothing else.
class GpuThread : public Columns {
 public:
  /// Loads `library` and waits at most `start_seconds` for the list of GPUs; each read waits at
  /// most `patience_seconds`.
  GpuThread(const std::string& library, double start_seconds, double patience_seconds);
  /// Waits for the thread for at most a second. One that hangs is left behind (see hangs()).
  ~GpuThread() override;
  GpuThread(const GpuThread&) = delete;
  GpuThread& operator=(const GpuThread&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;
  std::vector<Event> take_events() override;
  std::size_t gpus() const { return gpus_; }
  /// What is not recorded, and why: no driver, GPUs that cannot be asked.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Whether a call is under way that has outlasted its deadline. A process with such a thread ends
  /// by _exit(): nothing may be taken down under it.
  bool hangs() const;

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared, const std::string& library);

  std::shared_ptr<Shared> shared_;
  double patience_seconds_;
  std::size_t gpus_ = 0;
  std::vector<Column> columns_;
  std::vector<std::string> notes_;
};

}  // namespace rackproof::telemetry
