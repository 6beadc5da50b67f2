#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/journal/entry.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/fd.hpp"
#include "harness/warden/attempt_loads.hpp"
#include "harness/warden/child.hpp"
#include "harness/warden/control_group.hpp"
#include "harness/warden/frame.hpp"
#include "harness/warden/guard.hpp"
#include "harness/warden/journal.hpp"
#include "harness/warden/progress_watch.hpp"
#include "harness/warden/rank_link.hpp"
#include "harness/warden/standstill.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// The warden process: one loop over the rank's socket and its children. Never blocks on either.
class Supervisor {
 public:
  /// In `memory` the rank tells how far it is in an attempt that it runs itself.
  Supervisor(support::Fd socket, pid_t rank, const WardenSettings& settings,
             std::shared_ptr<const ProgressMemory> memory);

  /// Runs until the rank says close or vanishes; then no child is left and the journal is closed.
  void run();
  /// Kills whatever the attempts have left behind.
  void kill_leftovers();

 private:
  void obey(const Frame& frame);
  void open_journal(const std::string& path);
  void note(const std::string& line, bool durable);
  void share_host(const Frame& frame);
  void start(const Frame& frame);
  bool write_line(const std::string& line);
  bool tell_failure();
  void tell_result(Word word, bool good);
  void poll_once();
  void listen();
  void bury_the_dead();
  void step_children();
  void take_lines(Child& child, const std::vector<OutLine>& lines);
  void begin_guard(const Frame& frame);
  void check_guard();
  void check_standstill();
  void kill_rank() const;
  void record(const std::string& attempt, const std::string& line, bool last);
  void record_end(const std::string& attempt, journal::End facts);
  void note_close(const model::Reason<model::CloseReason>& reason);
  void end_everything(model::CancelReason by);
  void rank_is_gone();
  void perform_last_act();
  double seconds_since_open();
  std::vector<LiveAttempt> all_but(const Child& child) const;

  support::SystemClock clock_;
  RankLink link_;
  pid_t rank_;
  support::Fd deaths_;    ///< readable once a child has died
  support::Fd rank_end_;  ///< readable once the rank is gone, whoever holds its end of the socket
  Standstill standstill_;
  std::optional<ControlGroups> groups_;
  bool stood_still_ = false;
  Journal journal_;
  double opened_ = 0;
  bool failure_told_ = false;
  std::map<std::string, std::unique_ptr<Child>> children_;
  std::vector<LiveAttempt> given_up_;  ///< they are over, and something of them is not dead
  double linger_seconds_;
  AttemptLoads loads_;
  bool looks_ = true;
  Guard guard_;
  std::vector<std::string> last_act_;
  bool closing_ = false;
  bool rank_lost_ = false;
};

}  // namespace rackproof::warden
