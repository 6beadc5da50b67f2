#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/journal/entry.hpp"
#include "harness/support/clock.hpp"
#include "harness/warden/seal.hpp"
#include "harness/warden/warden.hpp"
#include "tests/fakes/fake_store.hpp"

namespace rackproof::fakes {

/// A line that a program prints, some seconds after its start.
struct Line {
  double at = 0;
  std::string text;
  bool whole = true;  ///< false: no newline follows
};

/// What a program does when it is started. Lines that would come after its end are never said.
struct Performance {
  double seconds = 1;
  std::vector<Line> lines;
  journal::End facts;         ///< how it ends if nobody ends it; `seconds` is filled in
  bool ignores_term = false;  ///< it takes KILL
  std::optional<model::Progress> progress = {};  ///< what it tells unless it ends well
};

using Script = std::function<Performance(const warden::Launch&)>;

/// The rank took too long in a guarded attempt: its warden killed it.
struct RankKilled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Plays programs by a script on virtual time and keeps the journal on a FakeDisk, with the lines
/// that the real one writes. Enforces deadlines as the real one does.
class FakeWarden : public warden::Warden {
 public:
  FakeWarden(support::Clock& clock, std::shared_ptr<FakeDisk> disk, Script script);

  void open_journal(const std::string& path) override;
  void note(std::string_view line, bool durable) override;
  void share_host(const warden::HostShare& share) override { share_ = share; }
  void start(const warden::Launch& launch) override;
  void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) override;
  std::vector<warden::Event> wait(double seconds) override;
  void guard(const std::string& attempt, const std::string& head, double deadline) override;
  contract::ProgressPage* progress_page() override { return nullptr; }
  void say(const std::string& attempt, const std::string& line) override;
  void release(const std::string& attempt, int exit_code) override;
  void last_act(const std::vector<std::string>& arguments) override { last_act_ = arguments; }
  void close(const model::Reason<model::CloseReason>& reason) override;

  /// The journal cannot be written any more: everything after throws WardenError.
  void fail_journal() { failing_ = true; }
  /// The rank's process is gone: its programs are ended, its journal closed. It may not be used.
  void vanish();
  /// The machine is gone: the journal stays as it is, cut after `torn` bytes of a further line.
  void lose_power(std::size_t torn = 0);
  /// Does what is due by now, as the warden's own process does while its rank stands still.
  void elapse() { perform_due(); }
  /// The deadline of what runs in the rank itself has passed: its ending is written and the rank is
  /// gone.
  void expire_guard();
  /// When something will happen here next.
  double next_due() const;
  bool has_news() const { return !events_.empty() || failing_; }
  /// False after vanish(), lose_power() or close().
  bool is_there() const { return there_; }

  const std::vector<warden::Launch>& launches() const { return launches_; }
  const warden::HostShare& share() const { return share_; }
  /// What else ran while this rank itself ran what is guarded, from now on.
  void set_guard_load(const model::HostLoad& load) { guard_load_ = load; }
  /// All lines given to the journal, in order, also while none is open.
  const std::vector<std::string>& lines() const { return lines_; }
  const std::vector<std::string>& last_act() const { return last_act_; }

 protected:
  /// Called with every line about an attempt, after the journal got it (or could not take it).
  virtual void on_recorded(const std::string& attempt, const std::string& line, bool last);
  const std::string& journal() const { return journal_; }

 private:
  struct Running {
    warden::Launch launch;
    Performance performance;
    double began = 0;
    double ends = 0;
    std::size_t said = 0;
  };

  double since_open() { return clock_.now() - opened_; }
  void write(const std::string& line);
  void sync();
  void record(const std::string& attempt, const std::string& line, bool last);
  void bound(Running& running);
  void perform_due();
  void finish(Running& running);
  void end_everything(model::CancelReason by);
  void refuse_when_gone() const;

  support::Clock& clock_;
  std::shared_ptr<FakeDisk> disk_;
  Script script_;
  std::string journal_;
  warden::Seal seal_;
  double opened_ = 0;
  bool failing_ = false;
  bool there_ = true;
  std::map<std::string, Running> running_;
  std::string guarded_;
  double guard_began_ = 0;
  double guard_deadline_ = 0;
  model::HostLoad guard_load_;
  std::deque<warden::Event> events_;
  std::vector<warden::Launch> launches_;
  warden::HostShare share_;
  std::vector<std::string> lines_;
  std::vector<std::string> last_act_;
};

}  // namespace rackproof::fakes
