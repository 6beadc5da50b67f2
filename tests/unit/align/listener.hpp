#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/session.hpp"

namespace rackproof::align {

/// Keeps what a bench says.
class Listener final : public kit::Session {
 public:
  explicit Listener(std::optional<kit::Injection> fault = {}) : fault_(fault) {}

  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string, double fraction) override { fractions.push_back(fraction); }
  void check(protocol::Check record) override { checks.push_back(std::move(record)); }
  void metric(protocol::Metric record) override { metrics.push_back(std::move(record)); }
  void note(std::string text, contract::Parameters facts) override {
    notes.push_back({std::move(text), std::move(facts)});
  }
  std::optional<kit::Injection> injection() const override { return fault_; }

  /// The names of the checks that failed.
  std::vector<std::string> failed() const {
    std::vector<std::string> names;
    for (const protocol::Check& check : checks) {
      if (!check.passed) names.push_back(check.name);
    }
    return names;
  }

  std::vector<double> fractions;
  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<protocol::Note> notes;

 private:
  std::optional<kit::Injection> fault_;
};

}  // namespace rackproof::align
