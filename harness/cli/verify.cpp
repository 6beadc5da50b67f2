#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "benches/protocol/version.hpp"
#include "harness/archive/report_file.hpp"
#include "harness/cli/summary.hpp"
#include "harness/config/located_json.hpp"
#include "harness/config/platform.hpp"
#include "harness/rejudge/before_claims.hpp"
#include "harness/rejudge/check_document.hpp"
#include "harness/rejudge/held_against.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/files.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cli {
namespace {

namespace fs = std::filesystem;
using signoff::Screen;
using signoff::State;

constexpr std::size_t kComplaintsShown = 3;

std::string counts_of(const model::Counts& counts) {
  std::string text;
  for (const auto& [outcome, word] : model::words_of(model::Outcome{})) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_of(counts, outcome), word);
  }
  return text;
}

void verify_form(const signoff::Exhibit& exhibit, const Program& program, Screen& screen) {
  rejudge::Complaints complaints;
  rejudge::check_report(exhibit.file, exhibit.text, program.paths, complaints);
  const model::Report& report = *exhibit.report;
  for (std::size_t i = 0; i < std::min(complaints.size(), kComplaintsShown); ++i) {
    screen.add(State::kFails, "report", complaints[i]);
  }
  if (complaints.size() > kComplaintsShown) {
    screen.add(State::kFails, "report",
               fmt::format("and {} more: rackproof check", complaints.size() - kComplaintsShown));
  }
  if (!complaints.empty()) return;
  if (const auto left_out = model::left_out_steps(report); !left_out.empty()) {
    screen.add(State::kOpen, "selection",
               fmt::format("{} of {} steps were left out: {}", left_out.size(), report.steps.size(),
                           fmt::join(left_out, ", ")));
  }
  screen.add(State::kHolds, "form",
             "canonical, as the schema of version " + report.schema_version + " says");
  screen.add(State::kHolds, "verdicts",
             fmt::format("judged again from the evidence: {}; {}", model::word(report.acceptance),
                         counts_of(report.counts)));
}

void say_edition(const std::string& about, const std::string& name, const std::string& own,
                 const std::string& installed, Screen& screen) {
  if (installed.empty()) {
    screen.add(State::kOpen, about, name + " is not installed here");
  } else if (own == installed) {
    screen.add(State::kHolds, about, name + " is the one that is installed here");
  } else {
    screen.add(State::kOpen, about,
               fmt::format("{} is another edition than the one installed here ({}, here {})", name,
                           own.substr(0, 16), installed.substr(0, 16)));
  }
}

bool is_installed(const std::string& folder, const std::string& name) {
  const std::vector<std::string> known = support::names_in(folder, ".json");
  return std::find(known.begin(), known.end(), name) != known.end();
}

std::string digest_of_table(const std::string& id, const Program& program) {
  if (!is_installed(program.paths.platforms, id)) return "";
  const std::string path = program.paths.platforms + "/" + id + ".json";
  try {
    return config::load_platform(path, program.paths.platforms).digest;
  } catch (const config::ConfigError&) {
    return "";  // check says what is wrong with it
  }
}

void verify_programs(const model::ToolInfo& tool, const std::string& when, const Program& program,
                     Screen& screen) {
  std::size_t same = 0;
  std::vector<std::string> others;
  for (const auto& [name, digest] : tool.bench_sha256) {
    const fs::path path = fs::path(program.paths.programs) / fs::path(name).filename();
    std::error_code error;
    if (fs::exists(path, error) && support::digest_of_file(path.string()) == digest) {
      ++same;
    } else {
      others.push_back(name);
    }
  }
  if (tool.bench_sha256.empty()) return;
  if (others.empty()) {
    screen.add(State::kHolds, "programs",
               fmt::format("all {}{} are those that are installed here", same, when));
  } else {
    screen.add(State::kOpen, "programs",
               fmt::format("{} of {}{} are not those that are installed here: {}{}", others.size(),
                           same + others.size(), when, others.front(),
                           others.size() > 1 ? " and others" : ""));
  }
}

// Which program of which part of a resumed run gave how many results.
void verify_segments(const model::Report& report, Screen& screen) {
  std::map<std::string, const model::Attempt*> attempts;
  for (const model::Attempt& attempt : report.attempts) attempts[attempt.nonce] = &attempt;
  std::map<std::pair<int, std::string>, std::size_t> results;
  for (const model::Cell& cell : report.cells) {
    for (const model::Measurement& one : cell.measurements) {
      const auto found = attempts.find(one.attempt);
      if (found == attempts.end()) continue;
      const model::Attempt& by = *found->second;
      ++results[{by.resumed + 1, by.bench + "-" + by.backend}];
    }
  }
  for (const model::SegmentInfo& segment : report.segments) {
    std::string text = fmt::format("part {}: rackproof {} ({}), begun {}", segment.segment,
                                   segment.tool.version, segment.tool.commit, segment.began_utc);
    for (const auto& [by, count] : results) {
      if (by.first != segment.segment) continue;
      const auto digest = segment.tool.bench_sha256.find(by.second);
      text += fmt::format("; {} ({}) gave {}", by.second,
                          digest == segment.tool.bench_sha256.end() ? std::string("in rank")
                                                                    : digest->second.substr(0, 16),
                          count);
    }
    screen.add(State::kHolds, "part", text);
  }
}

void verify_installed(const model::Report& report, const Program& program, Screen& screen) {
  const std::string& suite = report.suite.id;
  say_edition("suite", suite, report.suite.digest,
              is_installed(program.paths.suites, suite)
                  ? support::digest_of_file(program.paths.suites + "/" + suite + ".json")
                  : "",
              screen);
  for (const model::PlatformTable& table : report.platforms) {
    say_edition("table", table.id, table.digest, digest_of_table(table.id, program), screen);
  }
  if (const std::string what = rejudge::overridden_policy(report, program.paths); !what.empty()) {
    screen.add(State::kOpen, "suite", what);
  }
  const bool same_build =
      report.tool.version == protocol::version() && report.tool.commit == protocol::commit();
  for (const std::string& one : rejudge::other_platforms(report, program.paths)) {
    // Another edition may know machines that this one does not.
    screen.add(same_build ? State::kFails : State::kOpen, "table", one);
  }
  verify_segments(report, screen);
  if (report.segments.empty()) {
    verify_programs(report.tool, "", program, screen);
  }
  for (const model::SegmentInfo& segment : report.segments) {
    verify_programs(segment.tool, fmt::format(" of part {}", segment.segment), program, screen);
  }
}

// Gives why it is no report that can be judged.
std::string read_exhibit(signoff::Exhibit& exhibit) {
  try {
    exhibit.report = model::report_from_json(exhibit.text);
    archive::require_policy(*exhibit.report, exhibit.file);
    return "";
  } catch (const model::BadReport& bad) {
    return exhibit.file + ": " + bad.what();
  } catch (const UsageError& error) {
    exhibit.report.reset();
    return error.what();
  }
}

}  // namespace

int verify_verb(const VerifyOptions& options, const Program& program) {
  signoff::Exhibit exhibit;
  exhibit.file = archive::report_file(options.report);
  exhibit.text = support::read_file(exhibit.file);
  Screen screen;
  screen.report = exhibit.file;
  screen.sha256 = support::sha256_hex(exhibit.text);
  if (const std::string why = read_exhibit(exhibit); !why.empty()) {
    if (!signoff::has_signatures(exhibit.file)) throw UsageError(why);
    screen.add(State::kFails, "report", why);
  }
  if (exhibit.report) {
    const model::Report& report = *exhibit.report;
    screen.what = fmt::format("run {}, suite {}, {}", report.run.id, report.suite.id,
                              model::word(report.acceptance));
    screen.acceptance = model::word(report.acceptance);
    screen.verdict = verdict_line(report);
    screen.verdict.pop_back();  // its newline
    verify_form(exhibit, program, screen);
  }
  signoff::verify_signatures({options.signers, options.at, options.unsigned_too}, exhibit, screen);
  signoff::verify_journals(exhibit, screen);
  if (exhibit.report) verify_installed(*exhibit.report, program, screen);
  print(options.json ? to_json(screen) : to_text(screen));
  if (!screen.holds()) return kIntegrity;
  return options.exit_code ? rejudge::verdict_code(*exhibit.report) : 0;
}

}  // namespace rackproof::cli
