#include "harness/run/host_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/crew/endings.hpp"
#include "harness/evidence/disturbance.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run {
namespace {

// Long enough for counters that tell hundredths of a second.
constexpr const char* kListenSeconds = "1";
constexpr double kListenDeadline = 10;
constexpr std::size_t kHostsSaidAloud = 5;

}  // namespace

// The program does nothing: its warden tells, as of any, what others used meanwhile.
void HostLoads::listen(const std::set<std::string>& hosts) {
  std::set<std::string> reached;
  for (const plan::RankPlace& place : context_.site.ranks) {
    if (!hosts.contains(place.host) || context_.crew.is_lost(place.rank)) continue;
    if (!reached.insert(place.host).second) continue;
    crew::Order order;
    order.attempt = fmt::format("{}/{}/listening/{}/{}", context_.request.run_id,
                                context_.request.segment, place.host, ++listened_);
    order.head.rank = place.rank;
    order.head.host = place.host;
    order.head.bench = "doctor";
    order.own_verb = "doctor";
    order.head.arguments = {"--listen", kListenSeconds};
    order.deadline_seconds = kListenDeadline;
    listening_[order.attempt] = place.host;
    in_flight_.start(order, {nullptr, 0, 1, place.rank});
  }
}

bool HostLoads::take(crew::Ended& ended) {
  const auto found = listening_.find(ended.attempt);
  if (found == listening_.end()) return false;
  model::HostLoad& load = loads_[found->second];
  load = crew::take_transcript(ended).take_attempt().load;
  // Beside a program that does nothing nobody has to wait.
  load.waited.reset();
  listening_.erase(found);
  in_flight_.take(ended.attempt);
  context_.gathered.keep(ended);
  return true;
}

bool HostLoads::is_busy(const std::string& host) const {
  const auto load = loads_.find(host);
  return load != loads_.end() &&
         model::taken_share(load->second) > context_.live.suite.policy.disturbed_share;
}

// Before an hour is spent on what will not count.
void HostLoads::note_busy() {
  std::size_t said = 0;
  for (const auto& [host, load] : loads_) {
    if (!is_busy(host)) continue;
    model::Finding finding;
    finding.id = model::finding_id::kBusyMachine;
    finding.severity = model::Severity::kWarning;
    finding.subject = host;
    finding.text = fmt::format(
        "before the first step {}: what is measured meanwhile is repeated, and is untested if that "
        "does not help",
        model::to_text(load));
    finding.evidence["share"] = model::taken_share(load);
    if (said++ < kHostsSaidAloud)
      context_.around.progress.say(fmt::format("{}: {}", host, finding.text));
    context_.note(std::move(finding));
  }
}

void HostLoads::remember(const model::Attempt& attempt) {
  if (attempt.load.processors == 0) return;
  if (evidence::is_discounted(context_.live.suite.policy, attempt)) {
    disturbed_.insert(attempt.host);
    loads_[attempt.host] = attempt.load;
  } else {
    disturbed_.erase(attempt.host);
  }
}

double HostLoads::wait_left() const {
  if (context_.live.suite.policy.disturbed == model::Disturbed::kIgnore) return 0;
  return std::max(0.0, context_.request.suite.quiet_wait_seconds - waited_);
}

// Gives those that do not become quiet in time.
std::set<std::string> HostLoads::await_quiet(std::set<std::string> hosts,
                                             const std::function<void()>& await) {
  const double began = context_.around.clock.now();
  const double left = wait_left();
  const std::string first = *hosts.begin();
  context_.around.progress.say(fmt::format(
      "{}: {}; waiting for quiet, at most {:.0f} s{}", first, model::to_text(loads_[first]), left,
      hosts.size() > 1 ? fmt::format(" ({} more)", hosts.size() - 1) : ""));
  do {
    for (const std::string& host : hosts) loads_.erase(host);
    listen(hosts);
    await();
    // A host that could not be asked is none to wait for.
    std::erase_if(hosts, [this](const std::string& host) { return !is_busy(host); });
  } while (!hosts.empty() && context_.goes_on() && context_.around.clock.now() - began < left);
  waited_ += context_.around.clock.now() - began;
  return hosts;
}

}  // namespace rackproof::run
