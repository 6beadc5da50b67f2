#include "harness/judge/site_waivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/evidence/reasons.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::judge {
namespace {

using model::CellWaiver;
using model::Outcome;

// Whatever anybody approves: a machine that computes wrongly, or may, is not to be used.
constexpr std::array<std::string_view, 5> kNeverExcused = {
    model::reason_id::kWrongAnswer, model::reason_id::kHardwareFault,
    model::reason_id::kDigestMismatch, model::reason_id::kDigestUndecided,
    model::reason_id::kFaultInjected};

/// What became of one waiver.
struct Use {
  std::int64_t excused = 0;
  std::int64_t over = 0;
  std::int64_t refused = 0;
  std::string excused_first;  ///< subject of the first one
  std::string over_first;
  std::string refused_first;
  std::string refused_why;
};

/// Why the number does not do for the waiver; empty: it does, or none is asked for.
std::string short_of_limit(const CellWaiver& waiver, const model::Cell& cell,
                           const cells::CellSummary& summary) {
  if (!waiver.limit) return "";
  const std::string limit = model::quantity(*waiver.limit, waiver.unit);
  if (!summary.trusted || cell.measurements.empty()) {
    return fmt::format("the waiver asks for {}, and nothing was measured", limit);
  }
  if (cell.measurements.back().unit != waiver.unit) {
    return fmt::format("the waiver asks for {}, and its unit is {}", limit,
                       cell.measurements.back().unit);
  }
  const bool reached = summary.more_is_better ? summary.observed >= *waiver.limit
                                              : summary.observed <= *waiver.limit;
  return reached ? ""
                 : fmt::format("{} is worse than {}, which the waiver asks for",
                               model::quantity(summary.observed, waiver.unit), limit);
}

/// The verdict of a cell as the other rules have left it.
struct Standing {
  std::string reason_id;
  std::string reason;
};

Standing standing_of(std::size_t place, const model::Cell& cell,
                     const cells::Amendments& amendments) {
  const auto amended = amendments.find(place);
  if (amended == amendments.end()) return {cell.verdict.reason_id, cell.verdict.reason};
  return {amended->second.reason_id, amended->second.reason};
}

bool is_never_excused(const std::string& reason_id) {
  return std::find(kNeverExcused.begin(), kNeverExcused.end(), reason_id) != kNeverExcused.end();
}

void count(std::int64_t& cells, std::string& first, const model::Cell& cell) {
  if (cells++ == 0) first = model::label(cell.subject);
}

class Waivers {
 public:
  Waivers(const model::Report& report, cells::Amendments& amendments)
      : report_(report), amendments_(amendments), uses_(report.run.waivers.size()) {}

  void look_at(std::size_t place, const model::Cell& cell, cells::CellSummary& summary) {
    const Standing standing = standing_of(place, cell, amendments_);
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const CellWaiver& waiver = report_.run.waivers[i];
      Use& use = uses_[i];
      if (!is_meant(waiver, cell)) continue;
      if (model::is_over(waiver, report_.run.began_utc)) {
        count(use.over, use.over_first, cell);
        continue;
      }
      const std::string why = is_never_excused(standing.reason_id)
                                  ? standing.reason
                                  : short_of_limit(waiver, cell, summary);
      if (!why.empty()) {
        count(use.refused, use.refused_first, cell);
        if (use.refused == 1) use.refused_why = why;
        continue;
      }
      count(use.excused, use.excused_first, cell);
      summary.outcome = Outcome::kWaived;
      amendments_[place] = {
          Outcome::kWaived, model::reason_id::kWaivedBySite,
          fmt::format("waived {}; without it: {}", model::terms_of(waiver), standing.reason)};
      return;
    }
  }

  std::vector<model::Finding> findings() const {
    std::vector<model::Finding> all;
    for (std::size_t i = 0; i < uses_.size(); ++i) tell(report_.run.waivers[i], uses_[i], all);
    return all;
  }

 private:
  static void tell(const CellWaiver& waiver, const Use& use, std::vector<model::Finding>& all) {
    const auto add = [&](const char* id, model::Severity severity, const std::string& subject,
                         std::int64_t cells, std::string text) {
      model::Finding finding;
      finding.id = id;
      finding.severity = severity;
      finding.subject = subject;
      finding.text = std::move(text);
      finding.evidence = {{"cells", cells},
                          {"until", waiver.until},
                          {"approved_by", waiver.approved_by},
                          {"metric", waiver.metric},
                          {"waived_subject", waiver.subject}};
      all.push_back(std::move(finding));
    };
    const auto results = [](std::int64_t n) {
      return n == 1 ? std::string("one result") : fmt::format("{} results", n);
    };
    using model::Severity;
    if (use.over > 0) {
      add(model::finding_id::kWaiverOver, Severity::kWarning, use.over_first, use.over,
          fmt::format("the waiver of {} by {} ended on {}: {} required again", waiver.metric,
                      waiver.approved_by, waiver.until,
                      use.over == 1 ? "one result is" : fmt::format("{} results are", use.over)));
    }
    if (use.refused > 0) {
      add(model::finding_id::kWaiverRefused, Severity::kWarning, use.refused_first, use.refused,
          fmt::format("the waiver of {} does not excuse {}: {}", waiver.metric,
                      results(use.refused), use.refused_why));
    }
    if (use.excused > 0) {
      add(model::finding_id::kCellsWaived, Severity::kInfo, use.excused_first, use.excused,
          fmt::format("{} of {} waived {}", results(use.excused), waiver.metric,
                      model::terms_of(waiver)));
    }
    if (use.over + use.refused + use.excused > 0) return;
    add(model::finding_id::kWaiverUnused, Severity::kInfo, "", 0,
        fmt::format("the waiver of {} on {} excuses nothing here", waiver.metric, waiver.subject));
  }

  const model::Report& report_;
  cells::Amendments& amendments_;
  std::vector<Use> uses_;
};

std::string evidence_text(const model::Finding& finding, const char* name) {
  const auto found = finding.evidence.find(name);
  return found == finding.evidence.end() ? "" : model::to_text(found->second);
}

}  // namespace

bool is_meant(const model::CellWaiver& waiver, const model::Cell& cell) {
  return model::glob_match(waiver.step, cell.step) &&
         model::glob_match(waiver.metric, cell.metric) &&
         recognise::parameters_match(waiver.parameters, cell.parameters) &&
         model::fits_subject(waiver.subject, cell.subject);
}

std::vector<model::Finding> apply_site_waivers(const evidence::Context& context,
                                               cells::JudgedCells& judged, const cells::CellAt& at,
                                               cells::Amendments& amendments) {
  const model::Report& report = context.report();
  if (report.run.waivers.empty()) return {};
  Waivers waivers(report, amendments);
  for (std::size_t place = 0; place < judged.size(); ++place) {
    cells::CellSummary& summary = judged.summary(place);
    if (model::is_right(summary.outcome) || summary.outcome == Outcome::kWaived) continue;
    waivers.look_at(place, at(place), summary);
  }
  return waivers.findings();
}

std::string waivers_in_force(const model::Report& report) {
  std::string text;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kCellsWaived) continue;
    text += fmt::format("{}{} waived until {} by {}", text.empty() ? "" : ", ",
                        evidence_text(finding, "cells"), evidence_text(finding, "until"),
                        evidence_text(finding, "approved_by"));
  }
  return text;
}

std::string waivers_over(const model::Report& report) {
  std::string text;
  for (const model::Finding& finding : report.findings) {
    if (finding.id != model::finding_id::kWaiverOver) continue;
    text += fmt::format("{}the waiver of {} by {} ended on {}", text.empty() ? "" : "; ",
                        evidence_text(finding, "metric"), evidence_text(finding, "approved_by"),
                        evidence_text(finding, "until"));
  }
  return text;
}

}  // namespace rackproof::judge
