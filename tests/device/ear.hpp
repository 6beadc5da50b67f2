#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/session.hpp"

namespace rackproof::device_tests {

/// Keeps what a bench says.
struct Ear final : kit::Session {
  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string, double) override {}
  void check(protocol::Check record) override { checks.push_back(std::move(record)); }
  void metric(protocol::Metric record) override { metrics.push_back(std::move(record)); }
  void note(std::string text, contract::Parameters said) override {
    notes.emplace_back(std::move(text), std::move(said));
  }
  std::optional<kit::Injection> injection() const override { return fault; }

  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<std::pair<std::string, contract::Parameters>> notes;
  std::optional<kit::Injection> fault;
};

}  // namespace rackproof::device_tests
