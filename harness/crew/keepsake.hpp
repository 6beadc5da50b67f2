#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// What rank 0 has heard of its run: the lines of its own journal, and those of other ranks'
/// attempts that have ended. Should the files be lost, a report can still be made.
class Keepsake {
 public:
  /// Of a run that says more than `most_bytes`, the beginning is kept.
  explicit Keepsake(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}

  /// `name` is that of the journal in the run directory.
  void keep(const std::string& name, std::string_view line);
  /// Journals with their seals, by name.
  std::map<std::string, std::string> journals() const;
  bool empty() const { return lines_.empty(); }
  /// False when there was more than is kept.
  bool whole() const { return whole_; }

 private:
  std::map<std::string, std::string> lines_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool whole_ = true;
};

/// A warden all of whose journal is kept.
class KeepingWarden : public warden::Warden {
 public:
  KeepingWarden(warden::Warden& warden, Keepsake& keepsake)
      : warden_(warden), keepsake_(keepsake) {}

  void open_journal(const std::string& path) override;
  void note(std::string_view line, bool durable) override;
  void share_host(const warden::HostShare& share) override { warden_.share_host(share); }
  void start(const warden::Launch& launch) override { warden_.start(launch); }
  void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) override {
    warden_.cancel(attempt, by);
  }
  std::vector<warden::Event> wait(double seconds) override;
  void guard(const std::string& attempt, const std::string& head,
             double deadline_seconds) override {
    warden_.guard(attempt, head, deadline_seconds);
  }
  contract::ProgressPage* progress_page() override { return warden_.progress_page(); }
  void say(const std::string& attempt, const std::string& line) override {
    warden_.say(attempt, line);
  }
  void release(const std::string& attempt, int exit_code) override {
    warden_.release(attempt, exit_code);
  }
  void last_act(const std::vector<std::string>& arguments) override { warden_.last_act(arguments); }
  void close(const model::Reason<model::CloseReason>& reason) override { warden_.close(reason); }

 private:
  warden::Warden& warden_;
  Keepsake& keepsake_;
  std::string name_;
};

}  // namespace rackproof::crew
