#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::signoff {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout = "amends";
// A chain of digests has no circle; one that is this long is none that anybody made.
constexpr int kLongestChain = 1000;

std::vector<std::string> places_of(const Exhibit& exhibit, const std::string& named,
                                   const std::string& sha256) {
  const fs::path folder = fs::path(exhibit.file).parent_path();
  const auto kept = [&sha256](const fs::path& in) {
    return archive::report_file((in / "amends" / (sha256 + ".json")).string());
  };
  std::vector<std::string> places = {kept(folder)};
  if (named.empty()) return places;
  std::error_code error;
  const fs::path path(named);
  if (!fs::is_directory(path, error)) {
    places.push_back(archive::report_file(named));
    return places;
  }
  places.push_back(archive::report_file(named));
  places.push_back(kept(path));
  return places;
}

std::optional<std::string> content_of(const std::string& place) {
  try {
    return support::read_file(place);
  } catch (const support::UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

void verify_amended(const Exhibit& exhibit, const std::string& named, Screen& screen) {
  std::optional<model::Amends> link = exhibit.report->amends;
  for (int number = 1; link && number <= kLongestChain; ++number) {
    std::string text;
    std::string changed;
    std::error_code error;
    for (const std::string& place : places_of(exhibit, named, link->sha256)) {
      if (!fs::is_regular_file(place, error)) continue;
      // What cannot be read, or is compressed and cut off, is another one too.
      auto bytes = content_of(place);
      if (bytes && support::sha256_hex(*bytes) == link->sha256) {
        text = std::move(*bytes);
        break;
      }
      if (changed.empty()) changed = place;
    }
    const std::string what = fmt::format("run {} of {}", link->run, link->began_utc);
    if (text.empty() && !changed.empty()) {
      screen.add(State::kFails, kAbout,
                 fmt::format("{} is not the report of {} that is amended: its digest is another",
                             changed, what));
      return;
    }
    if (text.empty()) {
      screen.add(State::kOpen, kAbout,
                 fmt::format("the report of {} is not at hand (sha256 {}); what was kept of it is "
                             "known from the journals here alone",
                             what, link->sha256));
      return;
    }
    model::Report before;
    try {
      before = model::report_from_json(text);
    } catch (const model::BadReport& bad) {
      screen.add(State::kFails, kAbout, fmt::format("the report of {}: {}", what, bad.what()));
      return;
    }
    if (before.run.id != link->run || before.run.began_utc != link->began_utc ||
        contract::word(before.acceptance) != link->acceptance) {
      screen.add(
          State::kFails, kAbout,
          fmt::format("the report with this digest is of run {} ({}), not of {} ({})",
                      before.run.id, contract::word(before.acceptance), what, link->acceptance));
      return;
    }
    screen.add(State::kHolds, kAbout,
               fmt::format("the report of {} ({}), by its digest", what, link->acceptance));
    link = before.amends;
  }
}

}  // namespace rackproof::signoff
