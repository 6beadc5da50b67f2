#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/judge/disturbance.hpp"
#include "harness/run/coordinator.hpp"
#include "harness/run/endings.hpp"
#include "reports/model/finding_id.hpp"

// The part of rank 0's work that has to do with what others run on the hosts: it listens to them
// before the first step, and again before it repeats what was disturbed.
namespace rackproof::run {
namespace {

// Long enough for counters that tell hundredths of a second.
constexpr const char* kListenSeconds = "1";
constexpr double kListenDeadline = 10;
constexpr std::size_t kHostsSaidAloud = 5;

bool meets(const std::set<std::string>& some, const std::set<std::string>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](const std::string& one) { return others.contains(one); });
}

}  // namespace

// The program does nothing: its warden tells, as of any, what others used meanwhile.
void Coordinator::start_listening(const std::set<std::string>& hosts) {
  std::set<std::string> reached;
  for (const plan::RankPlace& place : site_.ranks) {
    if (!hosts.contains(place.host) || crew_.is_lost(place.rank)) continue;
    if (!reached.insert(place.host).second) continue;
    Order order;
    order.attempt = fmt::format("{}/{}/listening/{}/{}", request_.run_id, request_.segment,
                                place.host, ++listened_);
    order.head.rank = place.rank;
    order.head.host = place.host;
    order.head.bench = "doctor";
    order.own_verb = "doctor";
    order.head.arguments = {"--listen", kListenSeconds};
    order.deadline_seconds = kListenDeadline;
    listening_[order.attempt] = place.host;
    expect(order, {nullptr, 0, 1, place.rank});
    crew_.start(place.rank, order);
  }
}

bool Coordinator::take_listening(Ended& ended) {
  const auto found = listening_.find(ended.attempt);
  if (found == listening_.end()) return false;
  model::HostLoad& load = loads_[found->second];
  load = take_transcript(ended).take_attempt().load;
  // Beside a program that does nothing nobody has to wait.
  load.waited.reset();
  listening_.erase(found);
  pending_.erase(ended.attempt);
  keep_lines(ended);
  return true;
}

bool Coordinator::is_busy(const std::string& host) const {
  const auto load = loads_.find(host);
  return load != loads_.end() &&
         model::taken_share(load->second) > live_.suite.policy.disturbed_share;
}

// Before an hour is spent on what will not count.
void Coordinator::note_busy_hosts() {
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
    if (said++ < kHostsSaidAloud) around_.progress.say(fmt::format("{}: {}", host, finding.text));
    note(std::move(finding));
  }
}

void Coordinator::remember_load(const model::Attempt& attempt) {
  if (attempt.load.processors == 0) return;
  if (judge::is_discounted(live_.suite.policy, attempt)) {
    disturbed_hosts_.insert(attempt.host);
    loads_[attempt.host] = attempt.load;
  } else {
    disturbed_hosts_.erase(attempt.host);
  }
}

double Coordinator::quiet_wait_left() const {
  if (live_.suite.policy.disturbed == model::Disturbed::kIgnore) return 0;
  return std::max(0.0, request_.suite.quiet_wait_seconds - waited_for_quiet_);
}

// Gives those that do not become quiet in time.
std::set<std::string> Coordinator::await_quiet(std::set<std::string> hosts) {
  const double began = around_.clock.now();
  const double left = quiet_wait_left();
  const std::string first = *hosts.begin();
  around_.progress.say(fmt::format(
      "{}: {}; waiting for quiet, at most {:.0f} s{}", first, model::to_text(loads_[first]), left,
      hosts.size() > 1 ? fmt::format(" ({} more)", hosts.size() - 1) : ""));
  do {
    for (const std::string& host : hosts) loads_.erase(host);
    start_listening(hosts);
    await_pending();
    // A host that could not be asked is none to wait for.
    std::erase_if(hosts, [this](const std::string& host) { return !is_busy(host); });
  } while (!hosts.empty() && stop_reason_.empty() && around_.clock.now() - began < left);
  waited_for_quiet_ += around_.clock.now() - began;
  return hosts;
}

void Coordinator::repeat_disturbed() {
  const std::vector<Postponed> all = std::exchange(postponed_, {});
  std::set<std::string> hosts;
  for (const Postponed& one : all) hosts.insert(one.hosts.begin(), one.hosts.end());
  const std::set<std::string> busy = await_quiet(hosts);
  if (!stop_reason_.empty()) return;
  for (const auto& [pending, disturbed] : all) {
    if (!meets(disturbed, busy)) start_again(pending);
  }
  await_pending();
}

}  // namespace rackproof::run
