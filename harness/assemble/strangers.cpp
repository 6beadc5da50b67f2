#include "harness/assemble/strangers.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/model/finding_id.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::assemble {

void Strangers::note(const model::Attempt& attempt, std::size_t count, const std::string& example) {
  OfStep& of = steps_[attempt.step];
  if (of.count == 0) {
    of.program = fmt::format("{}-{}", attempt.bench, attempt.backend);
    of.example = example;
  }
  of.count += count;
  of.subjects.insert(model::label(attempt.subject));
}

void Strangers::tell(model::Report& report) const {
  for (const auto& [step, of] : steps_) {
    const bool one = of.subjects.size() == 1;
    model::Finding finding;
    finding.id = model::finding_id::kUnexpectedMetric;
    finding.severity = model::Severity::kInfo;
    finding.subject = one ? *of.subjects.begin() : step;
    finding.text = fmt::format(
        "{} gave {} number(s){} that the suite does not expect, such as {}", of.program, of.count,
        one ? "" : fmt::format(" about {} parts", of.subjects.size()), of.example);
    finding.step = step;
    report.findings.push_back(std::move(finding));
  }
}

}  // namespace rackproof::assemble
