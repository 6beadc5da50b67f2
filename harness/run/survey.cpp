#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/drift/compare.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/judge/expectations.hpp"
#include "harness/judge/recognise.hpp"
#include "harness/run/coordinator.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

// The part of rank 0's work before the plan: what every host is, and which platform that makes it.
namespace rackproof::run {
namespace {

constexpr std::size_t kSaidAloud = 5;
constexpr double kInventorySeconds = 60;
model::Finding finding(const char* id, model::Severity severity, std::string subject,
                       std::string text) {
  model::Finding out;
  out.id = id;
  out.severity = severity;
  out.subject = std::move(subject);
  out.text = std::move(text);
  return out;
}

}  // namespace

/// What is found before the first step: as the suite wants it told, and the end of the run where it
/// says so.
void Coordinator::note(model::Finding finding) {
  keep(finding);
  stop_for(finding);
}

void Coordinator::keep(model::Finding& finding) {
  model::suppress(finding, request_.suite.info.suppress, around_.clock.utc());
  logbook_.append(journal::Finding{finding});
}

void Coordinator::stop_for(const model::Finding& finding) {
  if (!stop_reason_.empty() || !config::stops(request_.suite.stop, finding)) return;
  stop_reason_ = {model::StepReason::kStoppedByFinding,
                  fmt::format("{}, {}: {}", finding.id, finding.subject, finding.text)};
  around_.progress.say(model::to_text(stop_reason_));
}

// On the first rank of each host that answers, and on the next one where that was lost meanwhile.
void Coordinator::start_surveys(double until) {
  const double left = until - around_.clock.now();
  if (left <= 0) return;
  std::set<std::string> looked_at;
  for (const model::NodeInventory& node : site_.nodes) looked_at.insert(node.host);
  for (const plan::RankPlace& place : site_.ranks) {
    if (crew_.is_lost(place.rank) || !looked_at.insert(place.host).second) continue;
    Order order;
    order.attempt =
        fmt::format("{}/{}/inventory/{}", request_.run_id, request_.segment, place.host);
    if (place.local_rank != 0) order.attempt += fmt::format("/{}", place.rank);
    order.head.rank = place.rank;
    order.head.host = place.host;
    order.head.bench = "inventory";
    order.own_verb = "inventory";
    order.head.arguments = {"--record"};
    order.deadline_seconds = left;
    crew_.start(place.rank, order);
    expect(order, {nullptr, 0, 1, place.rank});
  }
}

void Coordinator::take_survey(Ended& ended) {
  if (take_listening(ended)) return;
  if (pending_.erase(ended.attempt) == 0) return;
  keep_lines(ended);
  const std::string host = host_of(ended.rank);
  std::string why = "it said nothing";
  for (const std::string& line : ended.lines) {
    const auto entry = journal::read_entry(line);
    const auto* out = entry ? std::get_if<journal::Out>(&*entry) : nullptr;
    if (out == nullptr) continue;
    try {
      model::NodeInventory node = model::node_from_json(out->text);
      node.host = host;
      site_.nodes.push_back(std::move(node));
      return;
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
  }
  add_unknown(host, why);
}

void Coordinator::survey(bool record) {
  // It is looked for as long as the inventories take anyway.
  if (record && live_.suite.policy.disturbed == model::Disturbed::kRepeat) {
    std::set<std::string> hosts;
    for (const plan::RankPlace& place : site_.ranks) hosts.insert(place.host);
    start_listening(hosts);
  }
  if (request_.survey_here) {
    site_.nodes.push_back(request_.survey_here());
    site_.nodes.back().host = self_.host;
  } else {
    const double until =
        around_.clock.now() + std::min(kInventorySeconds, request_.time_budget_seconds);
    for (start_surveys(until); !pending_.empty(); start_surveys(until)) {
      while (!pending_.empty()) {
        for (Ended& ended : crew_.wait(kTickSeconds)) take_survey(ended);
        lose_overdue();
        note_lost();
      }
    }
  }
  remember_unseen_hosts();
  std::sort(site_.nodes.begin(), site_.nodes.end(),
            [](const auto& a, const auto& b) { return a.host < b.host; });
  for (auto& node : site_.nodes) {
    note_clocks(node);
    logbook_.append(journal::Node{node});
    if (const auto which = model::gpus_out_of_reach(node)) {
      note(finding(model::finding_id::kGpuMissing, model::Severity::kWarning, node.host,
                   "it has GPUs that cannot be measured: " + *which));
    }
  }
  compare_with_earlier();
}

// A host that could not be looked at again in time still owes what it owed, and what was measured
// there before is judged as what it was. One that nobody ever looked at is not known.
void Coordinator::remember_unseen_hosts() {
  std::map<std::string, bool> answers;  // by host
  for (const plan::RankPlace& place : site_.ranks) {
    answers[place.host] = answers[place.host] || !crew_.is_lost(place.rank);
  }
  for (const auto& [name, is_there] : answers) {
    const std::string& host = name;
    const auto has_name = [&host](const model::NodeInventory& node) { return node.host == host; };
    const auto seen = std::find_if(site_.nodes.begin(), site_.nodes.end(), has_name);
    if (seen != site_.nodes.end() && (is_there || !seen->facts.empty())) continue;
    const auto& before = request_.earlier_nodes;
    const auto earlier = std::find_if(before.begin(), before.end(), has_name);
    if (earlier != before.end()) {
      std::erase_if(site_.nodes, has_name);
      site_.nodes.push_back(*earlier);
      note(finding(model::finding_id::kInventoryFailed, model::Severity::kWarning, host,
                   "it was not taken again in time; what is there is that of an earlier part of "
                   "the run"));
    } else if (is_there && seen == site_.nodes.end()) {
      add_unknown(host, "it was not taken in time");
    }
  }
}

void Coordinator::add_unknown(const std::string& host, const std::string& why) {
  note(finding(model::finding_id::kInventoryFailed, model::Severity::kError, host,
               "the inventory of this host could not be taken: " + why));
  site_.nodes.emplace_back().host = host;
}

// Another machine may answer to the name by now, and the same one may have been restarted.
void Coordinator::compare_with_earlier() {
  for (const model::NodeInventory& earlier : request_.earlier_nodes) {
    const auto now =
        std::find_if(site_.nodes.begin(), site_.nodes.end(),
                     [&](const model::NodeInventory& node) { return node.host == earlier.host; });
    if (now == site_.nodes.end()) continue;
    const auto differs = [&](const char* fact) {
      const auto before = model::text_of(earlier, fact);
      const auto after = model::text_of(*now, fact);
      return before && after && *before != *after;
    };
    if (differs("host.machine_id_hash")) {
      throw Refused(fmt::format(
          "host {} is another machine than the one that the run began on (its machine id differs): "
          "what was measured there cannot be merged with what would be; begin a new run",
          earlier.host));
    }
    if (!differs("host.boot_id")) continue;
    note(finding(model::finding_id::kHostRestarted, model::Severity::kWarning, earlier.host,
                 "the host was restarted since the run began: steps that were done "
                 "before stand, the others are measured after it"));
  }
}

void Coordinator::choose_platforms() {
  judge::PlatformChoice choice;
  if (request_.forced_platform.empty()) {
    choice = judge::choose_platforms(site_.nodes, request_.tables);
  } else {
    const auto named = std::find_if(
        request_.tables.begin(), request_.tables.end(),
        [&](const model::PlatformTable& table) { return table.id == request_.forced_platform; });
    if (named == request_.tables.end()) {
      throw Refused("there is no platform table " + request_.forced_platform);
    }
    const std::string why = judge::refusal(*named, site_.nodes);
    if (!why.empty() && !request_.force_platform) {
      throw Refused(why + "; to judge by it all the same, add --force-platform");
    }
    choice = judge::force_platform(site_.nodes, *named, "the platform was named with --platform");
  }
  std::set<std::string> used;
  for (const auto& [host, id] : choice.of_host) {
    logbook_.append(journal::HostPlatform{host, id});
    used.insert(id);
  }
  note_set_aside(used);
  for (const auto& table : request_.tables) {
    if (used.contains(table.id)) logbook_.append(journal::Platform{table});
  }
  for (const auto& one : choice.findings) note(one);
  for (const auto& [id, warnings] : request_.table_warnings) {
    if (!used.contains(id)) continue;
    for (const std::string& text : warnings) {
      note(finding(model::finding_id::kTableWarning, model::Severity::kWarning, id, text));
    }
  }
}

// A node that is set up otherwise is named before it costs a minute of measuring. What tables
// expect and do not find is the judge's to tell; here it only can end the run.
void Coordinator::check_setup() {
  std::size_t said = 0;
  for (model::Finding& finding :
       drift::compare(live_.nodes, live_.platform_of_host, request_.comparison)) {
    if (finding.severity > model::Severity::kInfo && said++ < kSaidAloud) {
      around_.progress.say(fmt::format("{}: {}", finding.subject, finding.text));
    }
    note(std::move(finding));
  }
  for (const model::Finding& finding : judge::find_unmet(live_)) stop_for(finding);
}

}  // namespace rackproof::run
