#include "harness/ledger/ledger_json.hpp"

#include <nlohmann/json.hpp>

#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using nlohmann::json;

std::string document(const char* answer, const char* name, json value) {
  const json whole = {{"format", "rackproof-fleet"},
                      {"version", "1.0"},
                      {"answer", answer},
                      {name, std::move(value)}};
  // What machines called themselves may be any bytes.
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

void maybe(json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

void maybe(json& object, const char* name, const std::optional<double>& number) {
  if (number) object[name] = *number;
}

json run_json(const RunRef& run) {
  json object = {{"run", run.run},
                 {"began_utc", run.began_utc},
                 {"suite", run.suite},
                 {"verdict", contract::word(run.acceptance)},
                 {"report", run.path}};
  maybe(object, "rack", run.rack);
  maybe(object, "platform", run.platform);
  if (run.evidence_utc != run.began_utc) maybe(object, "evidence_utc", run.evidence_utc);
  return object;
}

json place_json(PartKind kind, const Place& place) {
  json object = {{"part", name_of(kind, place)}, {"host", place.host}};
  maybe(object, "name", place.name);
  maybe(object, "pci_address", place.pci);
  maybe(object, "serial", place.serial);
  return object;
}

json sight_json(PartKind kind, const Sight& sight) {
  json object = run_json(sight.run);
  object["place"] = place_json(kind, sight.place);
  const auto outcome = outcome_of(sight.tally);
  if (outcome) object["outcome"] = contract::word(*outcome);
  object["failed"] = sight.tally.required.fail;
  object["failed_links"] = sight.tally.failed_links;
  return object;
}

json cell_json(const CellIn& cell) {
  json object = {{"run", run_json(cell.run)},
                 {"subject", cell.subject},
                 {"step", cell.quantity.step},
                 {"metric", cell.quantity.metric},
                 {"parameters", cell.quantity.parameters},
                 {"outcome", contract::word(cell.outcome)}};
  maybe(object, "unit", cell.quantity.unit);
  maybe(object, "observed", cell.observed);
  maybe(object, "limit_low", cell.low);
  maybe(object, "limit_high", cell.high);
  return object;
}

json failure_json(const FailureIn& failure) {
  json object = cell_json(failure.cell);
  object["on_link"] = failure.on_link;
  object["reason_id"] = failure.reason_id;
  object["reason"] = failure.reason;
  maybe(object, "shortfall", failure.shortfall);
  return object;
}

json waiver_json(const WaiverIn& waiver) {
  json object = cell_json(waiver.cell);
  object["reason"] = waiver.reason;
  maybe(object, "until", waiver.until);
  maybe(object, "approved_by", waiver.approved_by);
  maybe(object, "ticket", waiver.ticket);
  return object;
}

json finding_json(const FindingIn& finding) {
  return {{"run", run_json(finding.run)},
          {"id", finding.id},
          {"severity", contract::word(finding.severity)},
          {"text", finding.text}};
}

template <class T, class Make>
json list_of(const std::vector<T>& all, Make&& make) {
  json list = json::array();
  for (const T& one : all) list.push_back(make(one));
  return list;
}

json part_object(const PartAnswer& part) {
  const PartKind kind = part.kind;
  return {{"kind", contract::word(kind)},
          {"id", part.code},
          {"places", list_of(part.stays,
                             [&](const Stay& stay) {
                               json object = place_json(kind, stay.place);
                               maybe(object, "rack", stay.rack);
                               object["first_utc"] = stay.first_utc;
                               object["last_utc"] = stay.last_utc;
                               object["runs"] = stay.runs;
                               return object;
                             })},
          {"runs", list_of(part.runs, [&](const Sight& one) { return sight_json(kind, one); })},
          {"failures", list_of(part.failures, failure_json)},
          {"findings", list_of(part.findings, finding_json)},
          {"values", list_of(part.values, cell_json)},
          {"waivers", list_of(part.waivers, waiver_json)},
          {"parts_in_it", list_of(part.held, [](const Held& held) {
             json object = sight_json(held.kind, held.sight);
             object["kind"] = contract::word(held.kind);
             object["id"] = held.code;
             return object;
           })}};
}

}  // namespace

std::string added_json(const Added& added, const std::string& ledger) {
  return document("add", "reports",
                  {{"ledger", ledger},
                   {"added", added.added},
                   {"known", added.known},
                   {"left_out", added.unfit},
                   {"total", added.reports}});
}

std::string part_json(const std::vector<PartAnswer>& parts) {
  return document("show", "parts", list_of(parts, part_object));
}

std::string worst_json(const std::vector<Worst>& parts) {
  return document("worst", "parts", list_of(parts, [](const Worst& part) {
                    json object = {{"kind", contract::word(part.kind)},
                                   {"id", part.code},
                                   {"last", sight_json(part.kind, part.last)},
                                   {"runs", part.runs},
                                   {"failed_runs", part.failed}};
                    if (part.worst) object["worst"] = failure_json(*part.worst);
                    if (part.finding) object["finding"] = finding_json(*part.finding);
                    return object;
                  }));
}

std::string due_json(const DueAnswer& answer) {
  return document("due", "hosts",
                  {{"known", answer.hosts},
                   {"due", list_of(answer.due, [](const DueHost& one) {
                      json object = {{"host", one.host}, {"why", contract::word(one.why)}};
                      if (one.last) object["last"] = run_json(*one.last);
                      if (one.accepted) object["accepted"] = run_json(*one.accepted);
                      if (one.whole) object["whole"] = run_json(*one.whole);
                      return object;
                    })}});
}

std::string failures_json(const FailuresAnswer& answer) {
  return document("failures", "failures",
                  {{"runs", answer.runs},
                   {"rejected", answer.rejected},
                   {"groups", list_of(answer.groups, [](const FailureGroup& one) {
                      json object = {{"kind", one.kind},   {"id", one.id},
                                     {"count", one.cells}, {"parts", one.parts},
                                     {"runs", one.runs},   {"last_utc", one.last_utc}};
                      maybe(object, "metric", one.metric);
                      maybe(object, "shortfall", one.shortfall);
                      return object;
                    })}});
}

}  // namespace rackproof::ledger
