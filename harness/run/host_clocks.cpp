#include "harness/run/host_clocks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/utc.hpp"

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

std::map<std::string, crew::ClockOffset> HostClocks::ask(double seconds) {
  std::vector<int> ranks;
  for (const plan::RankPlace& place : context_.site.ranks) {
    const bool asked =
        place.local_rank == 0 && place.rank != 0 && !context_.crew.is_lost(place.rank);
    if (asked) ranks.push_back(place.rank);
  }
  std::map<std::string, crew::ClockOffset> offsets;
  for (const auto& [rank, offset] : context_.crew.compare_clocks(ranks, seconds)) {
    offsets[context_.host_of(rank)] = offset;
  }
  return offsets;
}

void HostClocks::compare() {
  offsets_ = ask(kFirstSeconds);
  compared_at_ = context_.around.clock.now();
  compared_wall_ = model::unix_seconds(context_.around.clock.utc());
}

void HostClocks::note(model::NodeInventory& node) {
  const auto found = offsets_.find(node.host);
  if (found == offsets_.end()) return;
  const auto& [seconds, uncertainty] = found->second;
  // A host without facts is one that did not tell what it has.
  if (!node.facts.empty()) {
    node.facts[model::fact_name::kClockOffsetSeconds] = {
        seconds,
        fmt::format("compared with rank 0 on {}, give or take {:.3f} s", context_.self.host,
                    uncertainty),
        ""};
  }
  if (std::abs(seconds) - uncertainty <= kWorthAWord) return;
  context_.note(warning(model::finding_id::kClocksApart, node.host,
                        fmt::format("its clock is {:.3f} s {} that of rank 0 on {}, give or "
                                    "take {:.3f} s",
                                    std::abs(seconds), seconds > 0 ? "ahead of" : "behind",
                                    context_.self.host, uncertainty)));
}

// At the end: this host's clock against the one that never jumps, the others' against this host's.
void HostClocks::note_jumps() {
  const auto wall = model::unix_seconds(context_.around.clock.utc());
  if (!wall || !compared_wall_) return;
  const double elapsed = context_.around.clock.now() - compared_at_;
  const double own = *wall - *compared_wall_ - elapsed;
  const auto tell = [&](const std::string& host, double seconds, double uncertainty) {
    if (std::abs(seconds) - uncertainty <= kWorthAWord + elapsed * kFastest) return;
    model::Finding finding =
        warning(model::finding_id::kClockJumped, host,
                fmt::format("its clock went {:.3f} s {} during the run, give or take {:.3f} s",
                            std::abs(seconds), seconds > 0 ? "forward" : "back", uncertainty));
    finding.evidence["seconds"] = seconds;
    context_.keep(finding);
  };
  tell(context_.self.host, own, 0);
  // Who asks for an end does not wait for answers.
  if (context_.interrupted) return;
  for (const auto& [host, offset] : ask(kLastSeconds)) {
    const auto before = offsets_.find(host);
    if (before == offsets_.end()) continue;
    tell(host, offset.seconds - before->second.seconds + own,
         offset.uncertainty_seconds + before->second.uncertainty_seconds);
  }
}

}  // namespace rackproof::run
