#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benches/kit/session.hpp"

namespace rackproof::test {

/// Keeps what a bench says, in order.
class RecordingSession : public kit::Session {
 public:
  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string, double fraction) override { fractions.push_back(fraction); }
  void check(protocol::Check record) override {
    order.push_back("check " + record.name);
    checks.push_back(std::move(record));
  }
  void metric(protocol::Metric record) override {
    order.push_back("metric " + record.check);
    metrics.push_back(std::move(record));
  }
  void note(std::string text, contract::Parameters said) override {
    notes.push_back(std::move(text));
    facts.push_back(std::move(said));
  }
  std::optional<kit::Injection> injection() const override { return fault; }

  std::optional<kit::Injection> fault;
  std::vector<std::string> order;
  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<std::string> notes;
  std::vector<contract::Parameters> facts;  ///< of each note
  std::vector<double> fractions;
};

}  // namespace rackproof::test
