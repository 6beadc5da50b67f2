#pragma once

#include <string>

#include "benches/kit/session.hpp"
#include "benches/protocol/emit.hpp"

namespace rackproof::collectives {

/// Shows the cells as nccl-tests does, a row each, written to `sink` line by line: size, count,
/// type, redop, time, algbw, busbw, #wrong. Checks and notes without a cell are passed on to
/// `next`; metrics are in the rows.
class TableSession final : public kit::Session {
 public:
  TableSession(kit::Session& next, protocol::Sink sink);

  void device(protocol::Device record) override;
  void token(protocol::Token record) override;
  void phase(std::string name, double fraction) override;
  void check(protocol::Check record) override;
  void metric(protocol::Metric record) override;
  void note(std::string text, contract::Parameters facts) override;
  std::optional<kit::Injection> injection() const override;

 private:
  kit::Session& next_;
  protocol::Sink sink_;
  std::string operation_;  // of the last header
};

}  // namespace rackproof::collectives
