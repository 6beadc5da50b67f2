#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/crew/crew.hpp"
#include "harness/crew/gathered.hpp"
#include "harness/crew/keepsake.hpp"
#include "harness/fleet/team.hpp"
#include "harness/resume/request.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/run_log.hpp"
#include "harness/support/store.hpp"

namespace rackproof::run {

/// The seams and the ears of a run.
struct Surroundings {
  fleet::Team& team;
  warden::Warden& warden;
  support::Clock& clock;
  support::Store& store;
  crew::Local& local;
  Progress& progress;
  /// How many times the user has asked to stop.
  std::function<int()> interrupts;
  crew::Keepsake* keepsake = nullptr;  ///< takes what the attempts of other ranks said
};

/// What the parts of rank 0's work share: what is asked for, the ranks and what they are on, what
/// was written, and whether the run goes on.
struct Context {
  Context(resume::Request asked, Surroundings with, crew::Arrival own);
  Context(const Context&) = delete;

  std::string host_of(int rank) const;
  /// Whether the rank is on a host that is not to be tested.
  bool is_left_out(int rank) const;
  /// Since the run began.
  double elapsed() const { return around.clock.now() - began; }
  bool goes_on() const { return stop.empty(); }
  /// Sets `stop` when the user has asked for it or the time of the run is over.
  void look_for_stop();
  /// Writes a finding as the suite wants it told.
  void keep(model::Finding& finding);
  /// The same for what is found before the first step, which ends the run where the suite says so.
  void note(model::Finding finding);
  void stop_for(const model::Finding& finding);
  /// Ranks newly found lost since the last call: each is written down and said.
  std::vector<crew::LostRank> take_lost();

  resume::Request request;
  Surroundings around;
  crew::Arrival self;
  double began;
  crew::Crew crew;
  RunLog log;
  crew::Gathered gathered;
  plan::Site site;
  const model::Report& live;  ///< as it is by what was written
  model::Reason<model::StepReason> stop =
      {};  ///< why no further step begins; empty: the run goes on
  bool interrupted = false;
};

}  // namespace rackproof::run
