#include <fmt/format.h>

#include <cmath>

#include "harness/run/coordinator.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/utc.hpp"

// The part of rank 0's work that looks at what hosts say is the time of day.
namespace rackproof::run {
namespace {

// At most so long for all questions after the time at the start and at the end, where a rank that
// hangs is to hold up nobody, and a difference that is worth a word: clocks that are kept by NTP
// are far closer, and deadlines do not ask them.
constexpr double kFirstSeconds = 3;
constexpr double kLastSeconds = 1;
constexpr double kWorthAWord = 1;
// Linux moves a clock no faster than this without a jump (adjtimex(2): 500 ppm).
constexpr double kFastest = 500e-6;

model::Finding warning(const char* id, const std::string& host, std::string text) {
  model::Finding finding;
  finding.id = id;
  finding.severity = model::Severity::kWarning;
  finding.subject = host;
  finding.text = std::move(text);
  return finding;
}

}  // namespace

std::map<std::string, ClockOffset> Coordinator::ask_clocks(double seconds) {
  std::vector<int> ranks;
  for (const plan::RankPlace& place : site_.ranks) {
    const bool asked = place.local_rank == 0 && place.rank != 0 && !crew_.is_lost(place.rank);
    if (asked) ranks.push_back(place.rank);
  }
  std::map<std::string, ClockOffset> offsets;
  for (const auto& [rank, offset] : crew_.compare_clocks(ranks, seconds)) {
    offsets[host_of(rank)] = offset;
  }
  return offsets;
}

void Coordinator::compare_clocks() {
  clock_of_ = ask_clocks(kFirstSeconds);
  compared_at_ = around_.clock.now();
  compared_wall_ = model::unix_seconds(around_.clock.utc());
}

void Coordinator::note_clocks(model::NodeInventory& node) {
  const auto found = clock_of_.find(node.host);
  if (found == clock_of_.end()) return;
  const auto& [seconds, uncertainty] = found->second;
  // A host without facts is one that did not tell what it has.
  if (!node.facts.empty()) {
    node.facts["clock.offset_seconds"] = {
        seconds,
        fmt::format("compared with rank 0 on {}, give or take {:.3f} s", self_.host, uncertainty),
        ""};
  }
  if (std::abs(seconds) - uncertainty <= kWorthAWord) return;
  note(warning(model::finding_id::kClocksApart, node.host,
               fmt::format("its clock is {:.3f} s {} that of rank 0 on {}, give or "
                           "take {:.3f} s",
                           std::abs(seconds), seconds > 0 ? "ahead of" : "behind", self_.host,
                           uncertainty)));
}

// At the end: this host's clock against the one that never jumps, the others' against this host's.
void Coordinator::note_jumps() {
  const auto wall = model::unix_seconds(around_.clock.utc());
  if (!wall || !compared_wall_) return;
  const double elapsed = around_.clock.now() - compared_at_;
  const double own = *wall - *compared_wall_ - elapsed;
  const auto tell = [&](const std::string& host, double seconds, double uncertainty) {
    if (std::abs(seconds) - uncertainty <= kWorthAWord + elapsed * kFastest) return;
    model::Finding finding =
        warning(model::finding_id::kClockJumped, host,
                fmt::format("its clock went {:.3f} s {} during the run, give or take {:.3f} s",
                            std::abs(seconds), seconds > 0 ? "forward" : "back", uncertainty));
    finding.evidence["seconds"] = seconds;
    keep(finding);
  };
  tell(self_.host, own, 0);
  // Who asks for an end does not wait for answers.
  if (interrupted_) return;
  for (const auto& [host, offset] : ask_clocks(kLastSeconds)) {
    const auto before = clock_of_.find(host);
    if (before == clock_of_.end()) continue;
    tell(host, offset.seconds - before->second.seconds + own,
         offset.uncertainty_seconds + before->second.uncertainty_seconds);
  }
}

}  // namespace rackproof::run
