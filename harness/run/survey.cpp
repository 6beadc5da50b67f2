#include "harness/run/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/document/located_json.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/recognise/expectations.hpp"
#include "harness/recognise/recognise.hpp"
#include "harness/topology/attach.hpp"
#include "harness/uniformity/compare.hpp"
#include "harness/uniformity/since.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/attempt.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

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

/// Of an inventory without a line of its own.
std::string said_by(const journal::End& end) {
  ingest::Transcript transcript;
  transcript.take(end);
  const std::string how = "its process " + model::sentence(transcript.attempt().ending);
  return end.err.empty() ? how : how + ", and said: " + model::printable(end.err.substr(0, 300));
}

}  // namespace

void Survey::run(bool record) {
  take_inventories(record);
  choose_platforms();
  loads_.note_busy();
  check_setup();
}

// On the first rank of each host that answers, and on the next one where that was lost meanwhile.
void Survey::start_inventories(double until) {
  const double left = until - context_.around.clock.now();
  if (left <= 0) return;
  std::set<std::string> looked_at;
  for (const model::NodeInventory& node : context_.site.nodes) looked_at.insert(node.host);
  for (const plan::RankPlace& place : context_.site.ranks) {
    if (context_.crew.is_lost(place.rank) || !looked_at.insert(place.host).second) continue;
    crew::Order order;
    order.attempt = fmt::format("{}/{}/inventory/{}", context_.request.run_id,
                                context_.request.segment, place.host);
    if (place.local_rank != 0) order.attempt += fmt::format("/{}", place.rank);
    order.head.rank = place.rank;
    order.head.host = place.host;
    order.head.bench = "inventory";
    order.own_verb = "inventory";
    order.head.arguments = {"--record"};
    order.deadline_seconds = left;
    in_flight_.start(order, {nullptr, 0, 1, place.rank});
  }
}

void Survey::take_inventory(crew::Ended& ended) {
  if (loads_.take(ended)) return;
  if (!in_flight_.take(ended.attempt)) return;
  context_.gathered.keep(ended);
  const std::string host = context_.host_of(ended.rank);
  std::string why;
  for (const std::string& line : ended.lines) {
    const auto entry = journal::read_entry(line);
    const auto* out = entry ? std::get_if<journal::Out>(&*entry) : nullptr;
    const auto* end = entry ? std::get_if<journal::End>(&*entry) : nullptr;
    if (end != nullptr && why.empty()) why = said_by(*end);
    if (out == nullptr) continue;
    try {
      model::NodeInventory node = model::node_from_json(out->text);
      node.host = host;
      context_.site.nodes.push_back(std::move(node));
      return;
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
  }
  add_unknown(host, why.empty() ? "it did not say how it ended" : why);
}

void Survey::take_inventories(bool record) {
  // It is looked for as long as the inventories take anyway.
  if (record && context_.live.suite.policy.disturbed == model::Disturbed::kRepeat) {
    std::set<std::string> hosts;
    for (const plan::RankPlace& place : context_.site.ranks) hosts.insert(place.host);
    loads_.listen(hosts);
  }
  if (context_.request.survey_here) {
    context_.site.nodes.push_back(context_.request.survey_here());
    context_.site.nodes.back().host = context_.self.host;
  } else {
    const double until = context_.around.clock.now() +
                         std::min(kInventorySeconds, context_.request.time_budget_seconds);
    for (start_inventories(until); !in_flight_.empty(); start_inventories(until)) {
      while (!in_flight_.empty()) {
        for (crew::Ended& ended : context_.crew.wait(crew::kTickSeconds)) take_inventory(ended);
        in_flight_.lose_overdue();
        for (const crew::LostRank& lost : context_.take_lost()) in_flight_.forget_rank(lost.rank);
      }
    }
  }
  remember_unseen_hosts();
  std::sort(context_.site.nodes.begin(), context_.site.nodes.end(),
            [](const auto& a, const auto& b) { return a.host < b.host; });
  place_adapters();
  for (auto& node : context_.site.nodes) {
    clocks_.note(node);
    context_.log.append(journal::Node{node});
    if (const auto which = model::gpus_out_of_reach(node)) {
      context_.note(finding(model::finding_id::kGpuMissing, model::Severity::kWarning, node.host,
                            "it has GPUs that cannot be measured: " + *which));
    }
  }
  compare_with_earlier();
}

// Before the inventories are written: what is known of the fabric is a part of them.
void Survey::place_adapters() {
  if (context_.request.topology.empty()) {
    keep_places();
    return;
  }
  topology::Attached attached;
  try {
    attached = topology::attach(context_.request.topology, context_.site.nodes);
  } catch (const document::ConfigError& error) {
    throw resume::Refused(error.what());
  }
  context_.around.progress.say(
      fmt::format("the topology says where {} port(s) of adapters are connected", attached.ports));
  for (const model::Finding& gap : attached.gaps) context_.note(gap);
}

// A resumed run has no topology of its own: adapters are connected as they were when it began.
void Survey::keep_places() {
  for (const model::NodeInventory& earlier : context_.request.earlier_nodes) {
    for (model::NodeInventory& node : context_.site.nodes) {
      if (node.host == earlier.host) topology::keep_places(earlier, node);
    }
  }
}

// A host that could not be looked at again in time still owes what it owed, and what was measured
// there before is judged as what it was. One that nobody ever looked at is not known.
void Survey::remember_unseen_hosts() {
  std::map<std::string, bool> answers;  // by host
  for (const plan::RankPlace& place : context_.site.ranks) {
    answers[place.host] = answers[place.host] || !context_.crew.is_lost(place.rank);
  }
  for (const auto& [name, is_there] : answers) {
    const std::string& host = name;
    const auto has_name = [&host](const model::NodeInventory& node) { return node.host == host; };
    const auto seen =
        std::find_if(context_.site.nodes.begin(), context_.site.nodes.end(), has_name);
    if (seen != context_.site.nodes.end() && (is_there || !seen->facts.empty())) continue;
    const auto& before = context_.request.earlier_nodes;
    const auto earlier = std::find_if(before.begin(), before.end(), has_name);
    if (earlier != before.end() && is_there && !context_.request.repairs.empty()) {
      throw resume::Refused(fmt::format(
          "the inventory of {} could not be taken: whether it is what it was is not known", host));
    }
    if (earlier != before.end()) {
      std::erase_if(context_.site.nodes, has_name);
      context_.site.nodes.push_back(*earlier);
      context_.note(
          finding(model::finding_id::kInventoryFailed, model::Severity::kWarning, host,
                  "it was not taken again in time; what is there is that of an earlier part of "
                  "the run"));
    } else if (is_there && seen == context_.site.nodes.end()) {
      add_unknown(host, "it was not taken in time");
    }
  }
}

void Survey::add_unknown(const std::string& host, const std::string& why) {
  context_.note(finding(model::finding_id::kInventoryFailed, model::Severity::kError, host,
                        "the inventory of this host could not be taken: " + why));
  context_.site.nodes.emplace_back().host = host;
}

// Another machine may answer to the name by now, and the same one may have been restarted.
void Survey::compare_with_earlier() {
  const resume::Request& request = context_.request;
  if (!request.repairs.empty()) refuse_changes();
  for (const model::NodeInventory& earlier : context_.request.earlier_nodes) {
    const auto now =
        std::find_if(context_.site.nodes.begin(), context_.site.nodes.end(),
                     [&](const model::NodeInventory& node) { return node.host == earlier.host; });
    if (now == context_.site.nodes.end()) continue;
    const auto differs = [&](const char* fact) {
      const auto before = model::text_of(earlier, fact);
      const auto after = model::text_of(*now, fact);
      return before && after && *before != *after;
    };
    if (request.repairs.empty() && differs(model::fact_name::kHostMachineIdHash)) {
      throw resume::Refused(fmt::format(
          "host {} is another machine than the one that the run began on (its machine id differs): "
          "what was measured there cannot be merged with what would be; begin a new run",
          earlier.host));
    }
    if (!differs(model::fact_name::kHostBootId)) continue;
    context_.note(finding(model::finding_id::kHostRestarted, model::Severity::kWarning,
                          earlier.host,
                          "the host was restarted since the run began: steps that were done "
                          "before stand, the others are measured after it"));
  }
}

// What is kept of an amended report was measured on what its inventory says.
void Survey::refuse_changes() {
  const resume::Request& request = context_.request;
  const auto changes = uniformity::changes_since(request.earlier_nodes, context_.site.nodes,
                                                 request.comparison, request.repairs);
  if (changes.empty()) return;
  throw resume::Refused(
      "more than what was repaired has changed since the report that is to be amended; name that "
      "with --repaired too, or begin a new run:\n  " +
      uniformity::to_text(changes));
}

void Survey::choose_platforms() {
  recognise::PlatformChoice choice;
  if (context_.request.forced_platform.empty()) {
    choice = recognise::choose_platforms(context_.site.nodes, context_.request.tables);
  } else {
    const auto named = std::find_if(context_.request.tables.begin(), context_.request.tables.end(),
                                    [&](const model::PlatformTable& table) {
                                      return table.id == context_.request.forced_platform;
                                    });
    if (named == context_.request.tables.end()) {
      throw resume::Refused("there is no platform table " + context_.request.forced_platform);
    }
    const std::string why = recognise::refusal(*named, context_.site.nodes);
    if (!why.empty() && !context_.request.force_platform) {
      throw resume::Refused(why + "; to judge by it all the same, add --force-platform");
    }
    choice = recognise::force_platform(context_.site.nodes, *named,
                                       "the platform was named with --platform");
  }
  std::set<std::string> used;
  for (const auto& [host, id] : choice.of_host) {
    context_.log.append(journal::HostPlatform{host, id});
    used.insert(id);
  }
  note_set_aside(used);
  for (const auto& table : context_.request.tables) {
    if (used.contains(table.id)) context_.log.append(journal::Platform{table});
  }
  for (const auto& one : choice.findings) context_.note(one);
  for (const auto& [id, warnings] : context_.request.table_warnings) {
    if (!used.contains(id)) continue;
    for (const std::string& text : warnings) {
      context_.note(finding(model::finding_id::kTableWarning, model::Severity::kWarning, id, text));
    }
  }
}

// What was measured on them before is still judged, by the table that they had.
void Survey::note_set_aside(std::set<std::string>& tables) {
  for (const resume::SetAside& one : context_.request.set_aside) {
    model::Finding finding;
    finding.id = model::finding_id::kHostSetAside;
    finding.severity = model::Severity::kError;
    finding.subject = one.host;
    finding.text = one.why;
    context_.log.append(journal::Finding{finding});
    context_.around.progress.say(fmt::format("{} is set aside: {}", one.host, one.why));
    if (one.node) context_.log.append(journal::Node{*one.node});
    if (one.platform.empty()) continue;
    context_.log.append(journal::HostPlatform{one.host, one.platform});
    tables.insert(one.platform);
  }
}

// A node that is set up otherwise is named before it costs a minute of measuring. What tables
// expect and do not find is the judge's to tell; here it only can end the run.
void Survey::check_setup() {
  std::size_t said = 0;
  for (model::Finding& finding : uniformity::compare(
           context_.live.nodes, context_.live.platform_of_host, context_.request.comparison)) {
    if (finding.severity > model::Severity::kInfo && said++ < kSaidAloud) {
      context_.around.progress.say(fmt::format("{}: {}", finding.subject, finding.text));
    }
    context_.note(std::move(finding));
  }
  for (const model::Finding& finding : recognise::find_unmet(context_.live))
    context_.stop_for(finding);
}

}  // namespace rackproof::run
