#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/config/comparison.hpp"
#include "harness/config/suite.hpp"
#include "harness/judge/hang.hpp"
#include "harness/judge/judge.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/crew.hpp"
#include "harness/run/keepsake.hpp"
#include "harness/run/logbook.hpp"
#include "harness/run/progress.hpp"
#include "harness/warden/seal.hpp"
#include "harness/warden/store.hpp"
#include "reports/model/states.hpp"

namespace rackproof::run {

/// The run cannot begin, and why: exit 2, nothing was measured.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A host that a resumed run leaves out, and what is known of it from before.
struct SetAside {
  std::string host;
  std::string why;
  std::optional<model::NodeInventory> node;
  std::string platform;  ///< id of its table, empty when it had none
};

/// What the user asked for.
struct Request {
  std::string run_id;
  int segment = 1;
  std::string directory;  ///< of the run, absolute: the other ranks keep their journals there
  config::Suite suite;
  std::vector<model::PlatformTable> tables;
  /// What there is to doubt in a table, by its id.
  std::map<std::string, std::vector<std::string>> table_warnings;
  config::Comparison comparison;           ///< what is compared across the hosts; empty: nothing
  model::CauseTable causes;                ///< what explains cells; without rules: nothing
  std::vector<model::MetricBound> bounds;  ///< of any metrics; those of the plan count
  std::string forced_platform;             ///< id out of `tables`; empty: recognise
  bool force_platform = false;             ///< although its rules contradict a host's inventory
  plan::Selection selection;
  model::ToolInfo tool;
  std::vector<std::string> command;
  std::string launcher;
  std::map<std::string, std::string> labels;
  std::vector<model::History> history;  ///< of earlier runs, about any subject
  std::vector<std::string> required;    ///< kinds of hardware without which nothing is accepted
  model::Extent extent;                 ///< what is meant to be there
  std::map<std::string, std::string> accept_unjudged;  ///< claims that need not be held, and why
  double time_budget_seconds = 0;
  std::vector<std::string> in_rank_programs;
  bool mpi = false;
  bool record = false;                 ///< what each host does meanwhile
  std::set<std::string> done_steps;    ///< of an earlier segment
  std::set<std::string> failed_steps;  ///< those of them that did not go well
  /// Step and label of the subject of what was measured well in a step that was not done.
  std::set<std::pair<std::string, std::string>> done_subjects;
  std::vector<std::string> owed_cells;  ///< ids of the earlier segment's plan; empty: a new run
  std::vector<model::NodeInventory> earlier_nodes;  ///< as the earlier segment found them
  std::vector<SetAside> set_aside;                  ///< hosts that are not to come back
  std::vector<model::Cell>
      cells_before;  ///< the earlier segment's, as planned; with set_aside only
  /// Set for a dry run on one rank: reads the inventory here instead of in a child.
  std::function<model::NodeInventory()> survey_here;
};

/// The seams and the ears of a run.
struct Surroundings {
  fleet::Team& team;
  warden::Warden& warden;
  warden::Clock& clock;
  warden::Store& store;
  Local& local;
  Progress& progress;
  /// How many times the user has asked to stop.
  std::function<int()> interrupts;
  Keepsake* keepsake = nullptr;  ///< takes what the attempts of other ranks said
};

/// Rank 0 of a run: rendezvous, inventory, plan, then step after step. What it learns goes into the
/// journal at once; the report is made from the journals afterwards.
class Coordinator {
 public:
  Coordinator(Request request, Surroundings around, Arrival self);

  /// Rendezvous, inventory, platforms, plan. With `record`, journals are opened and the plan is in
  /// rank 0's when this returns. Throws Refused (a rank of another version or that cannot keep a
  /// journal, a resumed run that would not be the same) and lets WardenError pass.
  const plan::Plan& prepare(bool record);

  /// Runs the plan and writes the end of the run into the journal.
  void perform();

  /// Lets the other ranks go.
  void dismiss();

  bool everyone() const { return crew_.everyone(); }
  /// The other ranks that still hear what is said to them.
  std::vector<int> listeners() const { return crew_.listeners(); }
  bool interrupted() const { return interrupted_; }
  const wire::Account& account() const { return logbook_.account(); }

 private:
  using Why = model::Reason<model::CancelReason>;

  struct Pending {
    const plan::PlacedStep* step = nullptr;
    std::size_t instance = 0;
    int number = 1;
    int rank = 0;
    int member = 0;          ///< of the instance, when it is a group
    std::string group = {};  ///< name of the group of processes, empty for others
    bool confirms = false;   ///< it is measured again for the sake of its peers
    double due = 0;          ///< by then its rank has said how it ended, or never will
  };

  /// A group of processes while it is measured.
  /// How far a member had come by its own word.
  struct Reached {
    Pending member;
    std::optional<protocol::Phase> phase;
  };

  struct Group {
    const plan::PlacedStep* step = nullptr;
    std::size_t instance = 0;
    int number = 1;
    bool confirms = false;
    double began = 0;
    bool token_passed = false;
    bool clean = true;                ///< so far every ending was one with 0
    bool blamed = false;              ///< a finding names who spoiled it
    bool transient = false;           ///< what spoiled it may not be there the next time
    std::set<std::string> disturbed;  ///< hosts on which other programs ran meanwhile
    Why cancelled;                    ///< empty: it is not
    std::optional<double> cancel_at;
    Why cancel_by;
    std::optional<Pending> late;   ///< who was the first to be stopped at its deadline
    std::vector<Reached> reached;  ///< by each member that ended then, or for its sake
    std::set<std::string> nonces;  ///< of the attempts that have ended
    std::vector<Pending> gave_up;  ///< who waited in vain for another member
    std::vector<Pending> silent;   ///< who then ended only because it was told to
  };

  /// An attempt that is to be repeated when these hosts are quiet.
  struct Postponed {
    Pending next;
    std::set<std::string> hosts;
  };

  void rendezvous(bool record);
  void keep_bounds();
  void place_ranks(const std::vector<Arrival>& arrivals);
  std::map<std::string, ClockOffset> ask_clocks(double seconds);
  void compare_clocks();
  void note_clocks(model::NodeInventory& node);
  void note_jumps();
  void survey(bool record);
  void start_surveys(double until);
  void take_survey(Ended& ended);
  void remember_unseen_hosts();
  void add_unknown(const std::string& host, const std::string& why);
  void compare_with_earlier();
  void choose_platforms();
  void check_setup();
  void note(model::Finding finding);
  void keep(model::Finding& finding);
  void stop_for(const model::Finding& finding);
  void refuse_other_plan() const;
  void keep_owed_cells();
  void note_set_aside(std::set<std::string>& tables);
  void note_lost();
  void start_recorders();
  void stop_recorders();
  std::string host_of(int rank) const;
  void hold_up(model::StepReason id, int rank);
  bool step_failed() const { return !failed_instances_.empty() || !held_up_.empty(); }
  void keep_lines(const Ended& ended);

  void start_listening(const std::set<std::string>& hosts);
  bool take_listening(Ended& ended);
  bool is_busy(const std::string& host) const;
  void note_busy_hosts();
  void remember_load(const model::Attempt& attempt);
  double quiet_wait_left() const;
  std::set<std::string> await_quiet(std::set<std::string> hosts);
  void repeat_disturbed();
  void settle_soon(const Pending& next, const std::set<std::string>& disturbed);
  void repeat_doubtful(const plan::PlacedStep& step);
  void start_again(const Pending& next);
  std::vector<std::size_t> choose_to_confirm(const plan::PlacedStep& step);
  std::vector<std::vector<std::size_t>> waves_of(const plan::PlacedStep& step,
                                                 std::vector<std::size_t> chosen) const;
  void confirm_suspects(const plan::PlacedStep& step);
  void confirm_one(const plan::PlacedStep& step, std::size_t instance);
  void confirm_in_ranks(const plan::PlacedStep& step);

  void run_step(const plan::PlacedStep& step);
  void run_processes(const plan::PlacedStep& step);
  void run_in_ranks(const plan::PlacedStep& step);
  bool all_answer(const plan::PlacedStep& step);
  int run_in_ranks_once(const plan::PlacedStep& step, int number, bool confirms);
  void start_one(const Pending& pending);
  Order make_order(const Pending& pending) const;
  void start_group(const Pending& first);
  void start_peers(const std::string& name, const protocol::Token& token);
  void pass_tokens();
  void look_after_groups();
  void settle_member(const Pending& pending, const model::Attempt& attempt,
                     const std::optional<protocol::Phase>& phase);
  std::optional<judge::Hang> hang_of(const Group& group) const;
  void blame_for_deadline(const Group& group);
  void blame_for_waiting(const Group& group);
  /// Where a wrong value is, and whose data it should be.
  struct Misplaced {
    Pending at;
    std::optional<Pending> from;
  };

  void blame(Group& group, const Pending& member, const std::string& what,
             const model::Parameters& evidence = {});
  void blame_for_answer(Group& group, const Pending& teller, const model::Attempt& attempt);
  std::optional<Misplaced> misplaced(const Pending& teller, const model::Attempt& attempt) const;
  void cancel_group(const std::string& name, const Why& by);
  void lose_members(const LostRank& lost);
  void finish_group(const std::string& name);
  bool has_pending(const std::string& group) const;
  std::string name_member(const Pending& pending) const;
  void await_pending();
  void expect(const Order& order, Pending pending);
  void lose_overdue();
  void hold_up_short(const plan::PlacedStep& step);
  void settle(Ended& ended);
  model::Reason<model::StepReason> reason_to_stop();
  void stop_pending(const Why& by);
  double at_most_left(std::size_t from) const;

  Request request_;
  Surroundings around_;
  Arrival self_;
  Crew crew_;
  double began_;
  Logbook logbook_;
  std::vector<Roster> rosters_;
  std::map<int, std::string> open_lines_;
  std::map<int, warden::Seal> seals_;  ///< of the journals that rank 0 keeps for other ranks
  std::set<int> kept_;                 ///< ranks that the keepsake knows of
  std::set<int> visible_;              ///< ranks whose journals rank 0 can read itself
  std::map<std::string, ClockOffset> clock_of_;  ///< by host, rank 0's own left out
  double compared_at_ = 0;                       ///< when those were compared, of this clock
  std::optional<double> compared_wall_;          ///< and of this host's wall clock
  plan::Site site_;
  plan::Plan plan_;
  const model::Report& live_ = logbook_.account().report;  ///< as it is by what was written
  judge::SuspectFinder suspects_{live_};
  std::map<std::string, Pending> pending_;
  std::map<std::string, int> recorders_;          ///< attempt -> rank
  std::map<std::string, Group> groups_;           ///< by name
  std::map<std::string, std::string> listening_;  ///< attempt -> host
  std::map<std::string, model::HostLoad> loads_;  ///< of hosts, as they were last
  std::set<std::string> disturbed_hosts_;         ///< of the step: when it was last tried there
  std::vector<Postponed> postponed_;
  std::vector<Pending> measured_;  ///< of the step: the next attempt, were it in doubt
  double waited_for_quiet_ = 0;
  int listened_ = 0;
  std::map<std::size_t, int> last_number_;  ///< of the step: of the attempts at each instance
  std::set<std::size_t> failed_instances_;  ///< of the step: those whose last attempt ended badly
  model::Reason<model::StepReason>
      held_up_;  ///< why the step could not do all it should, though the run goes on
  bool interrupted_ = false;
  model::Reason<model::StepReason> stop_reason_;
};

}  // namespace rackproof::run
