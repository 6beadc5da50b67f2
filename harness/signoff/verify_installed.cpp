#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "benches/protocol/version.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/platform.hpp"
#include "harness/document/located_json.hpp"
#include "harness/rejudge/held_against.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::signoff {
namespace {

namespace fs = std::filesystem;

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

/// Of the site or of this installation; empty where there is none of that name.
std::string path_of(const std::string& name, const config::Paths& paths, config::FileOf kind) {
  const auto files = config::files_of(paths, kind);
  const auto found = files.find(name);
  return found == files.end() ? "" : found->second;
}

std::string digest_of_table(const std::string& id, const config::Paths& paths) {
  const std::string path = path_of(id, paths, config::FileOf::kPlatform);
  if (path.empty()) return "";
  try {
    return config::load_platform(path, paths.platforms).digest;
  } catch (const document::ConfigError&) {
    return "";  // check says what is wrong with it
  }
}

void verify_programs(const model::ToolInfo& tool, const std::string& when,
                     const config::Paths& paths, Screen& screen) {
  std::size_t same = 0;
  std::vector<std::string> others;
  for (const auto& [name, digest] : tool.bench_sha256) {
    const fs::path path = fs::path(paths.programs) / fs::path(name).filename();
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

}  // namespace

void verify_installed(const model::Report& report, const config::Paths& paths, Screen& screen) {
  const std::string& suite = report.suite.id;
  const std::string path = path_of(suite, paths, config::FileOf::kSuite);
  say_edition("suite", suite, report.suite.digest,
              path.empty() ? "" : support::digest_of_file(path), screen);
  for (const model::PlatformTable& table : report.platforms) {
    say_edition("table", table.id, table.digest, digest_of_table(table.id, paths), screen);
  }
  if (const std::string what = rejudge::overridden_policy(report, paths); !what.empty()) {
    screen.add(State::kOpen, "suite", what);
  }
  const bool same_build =
      report.tool.version == protocol::version() && report.tool.commit == protocol::commit();
  for (const std::string& one : rejudge::other_platforms(report, paths)) {
    // Another edition may know machines that this one does not.
    screen.add(same_build ? State::kFails : State::kOpen, "table", one);
  }
  verify_segments(report, screen);
  if (report.segments.empty()) {
    verify_programs(report.tool, "", paths, screen);
  }
  for (const model::SegmentInfo& segment : report.segments) {
    verify_programs(segment.tool, fmt::format(" of part {}", segment.segment), paths, screen);
  }
}

}  // namespace rackproof::signoff
