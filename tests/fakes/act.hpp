#pragma once

#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/attempt.hpp"
#include "reports/model/inventory.hpp"
#include "tests/fakes/fake_warden.hpp"

namespace rackproof::fakes {

/// What the head of a launch says: who is to do what.
model::Attempt head_of(const warden::Launch& launch);

/// Writes what a bench says, for a Performance. Everything is said half-way through.
class Act {
 public:
  explicit Act(const warden::Launch& launch, double seconds = 1);

  Act& hello();
  Act& hello(const protocol::Hello& record);
  Act& phase(double at, const std::string& name, double fraction);
  Act& token(double at, const std::string& name, const std::string& value);
  Act& check(bool passed = true, const std::string& name = "answer");
  /// A number in B/s, proven by the check "answer"; its value is the median of the samples.
  Act& metric(const std::string& name, const std::vector<double>& samples);
  Act& metric(const protocol::Metric& metric);
  Act& check(const protocol::Check& check);
  Act& sample(const protocol::Sample& sample);
  Act& end(int exit_code = 0);
  Act& line(const std::string& text, bool whole = true);
  /// The process ends with `exit_code`.
  Performance done(int exit_code = 0) const;
  /// The process ends by a signal.
  Performance killed(int signal) const;

 private:
  template <class Record>
  Act& say(const Record& record);

  model::Attempt head_;
  double at_;
  Performance performance_;
};

/// A bench that works: one number, proven.
Performance good(const warden::Launch& launch, const std::string& metric,
                 const std::vector<double>& samples, double seconds = 1);

/// Ten samples around `middle`, at most `spread` (a fraction) away; their median is `middle`.
std::vector<double> samples_around(double middle, double spread = 0.01);

/// `rackproof inventory --record` on a host.
Performance inventory(const model::NodeInventory& node, double seconds = 0.1);

}  // namespace rackproof::fakes
