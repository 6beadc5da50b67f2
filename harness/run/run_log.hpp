#pragma once

#include <string>
#include <vector>

#include "harness/crew/order.hpp"
#include "harness/ingest/account.hpp"
#include "harness/journal/entry.hpp"
#include "harness/plan/plan.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/store.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::run {

/// Rank 0's entries in its journal, and the account of the run that they and the attempts of all
/// ranks give. What assemble reads later is made of the same entries in the same way.
class RunLog {
 public:
  RunLog(warden::Warden& warden, support::Clock& clock, double began);

  /// Writes the entry, waits until it is on disk where a crash may not take it back, and takes it
  /// into the account.
  void append(const journal::Entry& entry);
  /// Takes an attempt of any rank into the account, whose journal has it already. Gives it as it is
  /// in the report; null for one of no step. Valid until the next attempt.
  const model::Attempt* take(ingest::Transcript&& transcript, int rank);
  const ingest::Account& account() const { return account_; }

  // The same for entries that say when, and for those that come in numbers.
  void ranks(const std::vector<crew::Arrival>& arrivals, const std::vector<crew::Roster>& rosters,
             int size);
  void plan(const plan::Plan& plan);
  void step(const std::string& id, model::StepState state,
            const model::Reason<model::StepReason>& reason);
  void roll_call(const std::string& step, const std::vector<int>& missing);
  void rank_lost(int rank, const std::string& host, const std::string& why,
                 const std::string& reached);
  /// The run was asked to stop. Written at once: the launcher may grant one second.
  void stopping(const std::string& reason);
  void ended(bool completed, bool interrupted);

 private:
  double now() const;

  warden::Warden& warden_;
  support::Clock& clock_;
  double began_;
  ingest::JournalHead own_;
  ingest::Account account_;
};

}  // namespace rackproof::run
