#include <fmt/format.h>

#include <algorithm>

#include "harness/judge/judge.hpp"
#include "harness/run/coordinator.hpp"
#include "reports/model/report_json.hpp"

// The part of rank 0's work before the plan: what every host is, and which platform that makes it.
namespace rackproof::run {
namespace {

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

void Coordinator::start_surveys() {
  for (const plan::RankPlace& place : site_.ranks) {
    if (place.local_rank != 0 || crew_.is_lost(place.rank)) continue;
    Order order;
    order.head.nonce =
        fmt::format("{}/{}/inventory/{}", request_.run_id, request_.segment, place.host);
    order.head.rank = place.rank;
    order.head.host = place.host;
    order.head.bench = "inventory";
    order.own_verb = "inventory";
    order.deadline_seconds = kInventorySeconds;
    crew_.start(place.rank, order);
    pending_[order.head.nonce] = {nullptr, 0, 1, place.rank};
  }
}

void Coordinator::take_survey(const Ended& ended) {
  pending_.erase(ended.attempt);
  keep_lines(ended);
  const std::string host = ended.attempt.substr(ended.attempt.rfind('/') + 1);
  std::string why = "it said nothing";
  for (const std::string& line : ended.lines) {
    const auto entry = wire::parse_entry(line);
    if (!entry || entry->j != "out") continue;
    try {
      model::NodeInventory node = model::node_from_json(entry->body.value("text", std::string()));
      node.host = host;
      site_.nodes.push_back(std::move(node));
      return;
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
  }
  logbook_.finding(finding("inventory-failed", model::Severity::kError, host,
                           "the inventory of this host could not be taken: " + why));
  model::NodeInventory unknown;
  unknown.host = host;
  site_.nodes.push_back(std::move(unknown));
}

void Coordinator::survey() {
  if (request_.survey_here) {
    site_.nodes.push_back(request_.survey_here());
    site_.nodes.back().host = self_.host;
  } else {
    start_surveys();
    while (!pending_.empty()) {
      for (const Ended& ended : crew_.wait(kTickSeconds)) take_survey(ended);
      note_lost();
    }
  }
  std::sort(site_.nodes.begin(), site_.nodes.end(),
            [](const auto& a, const auto& b) { return a.host < b.host; });
  for (const auto& node : site_.nodes) {
    logbook_.node(node);
    if (const auto which = model::gpus_out_of_reach(node)) {
      logbook_.finding(finding("gpu-missing", model::Severity::kWarning, node.host,
                               "it has GPUs that cannot be measured: " + *which));
    }
  }
  live_.nodes = site_.nodes;
}

void Coordinator::choose_platforms() {
  std::set<std::string> used;
  for (const auto& node : site_.nodes) {
    std::string id = request_.forced_platform;
    if (id.empty()) {
      const judge::Recognition recognised = judge::recognise(node, request_.tables);
      if (recognised.table != nullptr) id = recognised.table->id;
      if (!recognised.ambiguous.empty()) {
        logbook_.finding(finding("ambiguous-platform", model::Severity::kWarning, node.host,
                                 "more than one platform table fits: " + recognised.ambiguous));
      }
    }
    if (id.empty()) continue;
    live_.platform_of_host[node.host] = id;
    logbook_.host_platform(node.host, id);
    used.insert(id);
  }
  for (const auto& table : request_.tables) {
    if (!used.contains(table.id)) continue;
    live_.platforms.push_back(table);
    logbook_.platform(table);
    if (table.generic && request_.forced_platform.empty()) {
      logbook_.finding(finding(
          "platform-unrecognised", model::Severity::kWarning, table.id,
          "no table of a particular machine fits, so only generic checks apply: correct answers, "
          "agreement among peers, and fractions of peaks that the inventory computes"));
    }
  }
  if (!request_.forced_platform.empty()) {
    logbook_.finding(finding("platform-forced", model::Severity::kWarning, request_.forced_platform,
                             "the platform was named with --platform"));
  }
  if (used.size() > 1) {
    logbook_.finding(finding("mixed-platforms", model::Severity::kWarning, "the cluster",
                             "its hosts are not of one platform"));
  }
}

}  // namespace rackproof::run
