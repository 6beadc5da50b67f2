#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/fakes/fake_warden.hpp"

namespace rackproof::sim {

/// A rank that does nothing any more, from the middle of what it did.
struct Gone {};

/// The warden of one simulated rank: between two of its calls the rank may be struck, and it may
/// itself stand still.
class SimWarden : public fakes::FakeWarden {
 public:
  using OnLine = std::function<void(const std::string& attempt, const std::string& line, bool last,
                                    const std::string& journal)>;

  SimWarden(support::Clock& clock, std::shared_ptr<fakes::FakeDisk> disk, fakes::Script script,
            std::function<void()> before, OnLine on_line)
      : FakeWarden(clock, std::move(disk), std::move(script)),
        clock_(clock),
        before_(std::move(before)),
        on_line_(std::move(on_line)) {}

  void stand_still() { still_ = true; }
  bool stands_still() const { return still_; }
  /// Rank 0's last entry is durable: the run is over, whatever comes.
  bool has_ended() const { return ended_; }
  const std::string& path() const { return journal(); }

  void note(std::string_view line, bool durable) override {
    before_();
    if (still_ && durable) throw Gone{};  // nobody answers
    if (still_) return;
    FakeWarden::note(line, durable);
    if (line.starts_with("{\"j\":\"ended\"")) ended_ = true;
  }
  void start(const warden::Launch& launch) override {
    before_();
    if (!still_) FakeWarden::start(launch);
  }
  void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) override {
    if (!still_) FakeWarden::cancel(attempt, by);
  }
  std::vector<warden::Event> wait(double seconds) override {
    if (!still_) return FakeWarden::wait(seconds);
    clock_.sleep(seconds);
    return {};
  }
  void guard(const std::string& attempt, const std::string& head, double deadline) override {
    before_();
    if (!still_) FakeWarden::guard(attempt, head, deadline);
  }
  void release(const std::string& attempt, int exit_code) override {
    before_();
    if (!still_) FakeWarden::release(attempt, exit_code);
  }
  void close(const model::Reason<model::CloseReason>& reason) override {
    if (still_) throw Gone{};
    FakeWarden::close(reason);
  }

 protected:
  void on_recorded(const std::string& attempt, const std::string& line, bool last) override {
    on_line_(attempt, line, last, journal());
  }

 private:
  support::Clock& clock_;
  std::function<void()> before_;
  OnLine on_line_;
  bool still_ = false;
  bool ended_ = false;
};

}  // namespace rackproof::sim
