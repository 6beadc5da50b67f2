#include "harness/judge/flaky.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "harness/evidence/reasons.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::judge {
namespace {

struct Record {
  std::int64_t good = 0;
  std::int64_t bad = 0;
  const model::Attempt* first_bad = nullptr;
};

bool counts(const model::Attempt& attempt) {
  return !evidence::was_cancelled(attempt.ending) && !evidence::was_unavailable(attempt.ending);
}

}  // namespace

std::vector<model::Finding> find_flaky(const model::Report& report) {
  std::map<std::string, std::size_t> order;
  for (std::size_t i = 0; i < report.steps.size(); ++i) order.try_emplace(report.steps[i].id, i);

  // Place and name of the step, subject, rank, member.
  std::map<std::tuple<std::size_t, std::string, std::string, int, int>, Record> records;
  for (const model::Attempt& attempt : report.attempts) {
    if (!counts(attempt) || attempt.narrows) continue;
    const auto place = order.find(attempt.step);
    Record& record =
        records[{place == order.end() ? report.steps.size() : place->second, attempt.step,
                 model::label(attempt.subject), attempt.rank, attempt.member}];
    if (attempt.ending == model::Ending(model::ending::Completed{0})) {
      ++record.good;
    } else {
      if (record.bad == 0) record.first_bad = &attempt;
      ++record.bad;
    }
  }
  std::vector<model::Finding> findings;
  for (const auto& [key, record] : records) {
    if (record.good == 0 || record.bad == 0) continue;
    model::Finding finding;
    finding.id = model::finding_id::kFlaky;
    finding.severity = model::Severity::kWarning;
    finding.subject = std::get<2>(key);
    finding.step = std::get<1>(key);
    finding.text = fmt::format("{} of {} attempts of {} ended badly, first {}: {}", record.bad,
                               record.bad + record.good, record.first_bad->bench,
                               evidence::name_of(*record.first_bad),
                               model::sentence(record.first_bad->ending));
    finding.evidence = {{"bad", record.bad}, {"good", record.good}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<model::Finding> find_left_out(const cells::JudgedCells& judged) {
  std::vector<model::Finding> findings;
  for (const auto& [step, tally] : judged.left_out()) {
    model::Finding finding;
    finding.id = model::finding_id::kFlaky;
    finding.severity = model::Severity::kWarning;
    finding.subject = tally.subject;
    finding.step = step;
    finding.text = fmt::format(
        "in {} cell{} an attempt whose samples scatter fails, and a steady one was judged instead; "
        "first {}",
        tally.cells, tally.cells == 1 ? "" : "s", tally.why);
    finding.evidence = {{"cells", static_cast<std::int64_t>(tally.cells)}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rackproof::judge
