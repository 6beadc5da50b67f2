#include "harness/learn/harvest.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rackproof::learn {
namespace {

std::size_t hosts_of(const model::Subject& subject) {
  switch (subject.kind) {
    case contract::SubjectKind::kNode:
    case contract::SubjectKind::kDevice:
      return 1;
    case contract::SubjectKind::kLink:
      return subject.host == subject.peer_host ? 1 : 2;
    case contract::SubjectKind::kGroup:
      return std::set<std::string>(subject.members.begin(), subject.members.end()).size();
  }
  return 1;
}

std::string first_host(const model::Subject& subject) {
  if (!subject.host.empty()) return subject.host;
  return subject.members.empty() ? "" : subject.members.front();
}

bool is_trusted(const model::Cell& cell) {
  const model::Verdict& verdict = cell.verdict;
  return (model::is_right(verdict.outcome) || verdict.outcome == model::Outcome::kUnjudged) &&
         verdict.observed && std::isfinite(*verdict.observed) && *verdict.observed > 0 &&
         !cell.measurements.empty();
}

void take(const model::Cell& cell, const std::string& backend,
          std::map<Kind, std::vector<Value>>& kinds) {
  const model::Measurement& said = cell.measurements.back();
  const model::Verdict& verdict = cell.verdict;
  const bool more = said.better == contract::Better::kMore;
  Value value;
  value.value = *verdict.observed;
  value.edge = (more ? verdict.interval_low : verdict.interval_high).value_or(value.value);
  value.subject = model::label(cell.subject);
  value.host = first_host(cell.subject);
  kinds[{cell.metric, cell.parameters, backend, hosts_of(cell.subject), said.unit, said.better,
         verdict.statistic}]
      .push_back(std::move(value));
}

}  // namespace

bool SeenNumbers::is_new(const model::Cell& cell) {
  if (cell.measurements.empty()) return true;
  const std::string& attempt = cell.measurements.back().attempt;
  return attempt.empty() || seen_.insert({attempt, cell.id}).second;
}

std::string label(const Kind& kind) {
  return fmt::format("{}{}{} ({}, {} host{})", kind.metric, kind.parameters.empty() ? "" : " ",
                     model::to_text(kind.parameters), kind.backend, kind.hosts,
                     kind.hosts == 1 ? "" : "s");
}

std::map<Kind, std::vector<Value>> harvest(const std::vector<model::Report>& reports) {
  std::map<Kind, std::vector<Value>> kinds;
  SeenNumbers seen;
  for (const model::Report& report : reports) {
    std::map<std::string, std::string> backends;
    for (const model::StepInfo& step : report.steps) backends[step.id] = step.backend;
    for (const model::Cell& cell : report.cells) {
      if (is_trusted(cell) && seen.is_new(cell)) take(cell, backends[cell.step], kinds);
    }
  }
  return kinds;
}

}  // namespace rackproof::learn
