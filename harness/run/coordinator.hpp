#pragma once

#include <functional>
#include <vector>

#include "harness/run/confirmation.hpp"
#include "harness/run/narrowing.hpp"
#include "harness/run/session.hpp"
#include "harness/run/step_runner.hpp"
#include "harness/run/survey.hpp"

namespace rackproof::run {

/// Rank 0 of a run: rendezvous, inventory, plan, then step after step. What it learns goes into the
/// journal at once; the report is made from the journals afterwards.
class Coordinator {
 public:
  Coordinator(resume::Request request, Surroundings around, crew::Arrival self);
  Coordinator(const Coordinator&) = delete;

  /// Rendezvous, inventory, platforms, plan. With `record`, journals are opened and the plan is in
  /// rank 0's when this returns. Throws Refused (a rank of another version or that cannot keep a
  /// journal, a resumed run that would not be the same), NothingOwed, and lets WardenError pass.
  const plan::Plan& prepare(bool record);

  /// Runs the plan and writes the end of the run into the journal.
  void perform();

  /// Lets the other ranks go. They stay until they are told how to leave.
  void dismiss() { session_.dismiss(); }
  /// Goes on telling them that rank 0 is there, until `done`.
  void keep_heard_until(const std::function<bool()>& done) { context_.crew.keep_heard_until(done); }

  bool everyone() const { return context_.crew.everyone(); }
  /// The other ranks that still hear what is said to them.
  std::vector<int> listeners() const { return context_.crew.listeners(); }
  bool interrupted() const { return context_.interrupted; }
  const ingest::Account& account() const { return context_.log.account(); }

 private:
  void make_plan();
  bool run_step(std::size_t number);
  Expected expected(std::size_t from) const;
  double at_most_left(std::size_t from) const;

  Context context_;
  InFlight in_flight_{context_};
  HostClocks clocks_{context_};
  HostLoads loads_{context_, in_flight_};
  Recorders recorders_{context_};
  Session session_{context_, clocks_};
  StepRunner runner_{context_, in_flight_, loads_, recorders_};
  Confirmation confirmation_{context_, runner_};
  Narrowing narrowing_{context_, runner_};
  plan::Plan plan_;
};

}  // namespace rackproof::run
