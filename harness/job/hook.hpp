#pragma once

#include <string>

#include "harness/job/run_options.hpp"
#include "reports/model/report.hpp"

namespace rackproof::job {

/// A program of the user that is started once there is a verdict.
struct Hook {
  std::string program;  ///< absolute; empty: none
  double seconds = 0;   ///< after which it is killed
};

/// What --hook and --hook-timeout say. Throws UsageError for a program that is not there, is no
/// file or not executable, or that everybody may write to, and for a time that is none.
Hook parse_hook(const HookOptions& options);

/// What a hook is told of a verdict.
struct Judged {
  std::string report;  ///< its file
  std::string verdict;
  std::string run;
  std::string suite;
  std::string rack;
};

/// `file` may be relative.
Judged judged_of(const model::Report& report, const std::string& file);

/// Starts the program without a shell, in a process group of its own, with the path of the report
/// as its only argument and RACKPROOF_VERDICT, _RUN, _SUITE, _REPORT and _RACK, one line each, in
/// its scrubbed environment; when its time is over the group is killed. What it prints, on stdout
/// too, is then printed on stderr. What goes wrong is said there in one line, and changes nothing.
void run_hook(const Hook& hook, const Judged& judged);

}  // namespace rackproof::job
