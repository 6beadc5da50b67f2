#include "reports/model/finding.hpp"

#include "reports/model/day.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::model {
namespace {

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || glob_match(pattern, text);
}

bool covers(const Suppression& one, const Finding& finding) {
  const auto fact = finding.evidence.find("fact");
  return fits(one.id, finding.id) && fits(one.subject, finding.subject) &&
         (one.fact.empty() ||
          (fact != finding.evidence.end() && glob_match(one.fact, to_text(fact->second))));
}

}  // namespace

bool suppress(Finding& finding, const std::vector<Suppression>& suppressions,
              const std::string& day) {
  const Suppression* over = nullptr;
  for (const Suppression& one : suppressions) {
    if (!covers(one, finding)) continue;
    if (!is_before(one.until, day)) {
      finding.severity = Severity::kInfo;
      finding.text += "; suppressed until " + one.until + ": " + one.reason;
      return true;
    }
    over = &one;
  }
  if (over != nullptr) finding.text += "; its suppression ended on " + over->until;
  return false;
}

}  // namespace rackproof::model
