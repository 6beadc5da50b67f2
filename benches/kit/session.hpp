#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/kit/progress.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::kit {

/// The reporter of a bench: every call becomes a record, or a row of the table for people. Order
/// rule: a check is said before the metrics that name it, so that a reader who stops early never
/// sees a speed without its proof; every metric names one. Breaking this, saying a check twice, or
/// a unit that is no base unit is an error in the bench: std::logic_error.
class Session {
 public:
  virtual ~Session() = default;

  virtual void device(protocol::Device record) = 0;
  virtual void token(protocol::Token record) = 0;
  virtual void phase(std::string name, double fraction) = 0;
  /// A failed check makes the exit code 4 (wrong answer). A check that compared nothing, or counts
  /// something wrong, is failed whatever it says of itself.
  virtual void check(protocol::Check record) = 0;
  /// A value or sample that is not finite, or negative, becomes a failed check named
  /// "<metric>.finite" and no metric.
  virtual void metric(protocol::Metric record) = 0;
  virtual void note(std::string text, contract::Parameters facts = {}) = 0;

  /// The test-only fault asked for, if any.
  virtual std::optional<Injection> injection() const = 0;

  /// Where a member of a group tells how far it is.
  virtual ProgressWriter& progress() { return progress_; }

 protected:
  ProgressWriter progress_;
};

}  // namespace rackproof::kit
