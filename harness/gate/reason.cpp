#include "harness/gate/reason.hpp"

#include <algorithm>

namespace rackproof::gate {
namespace {

int rank_of(const Finding& finding) {
  switch (verdict_of(finding.reason)) {
    case Verdict::kBad:
      return 0;
    case Verdict::kIncomplete:
      return 1;
    case Verdict::kOk:
      return 2;
  }
  return 2;
}

}  // namespace

Verdict verdict_of(GateReason reason) {
  switch (reason) {
    case GateReason::kGpuMissing:
    case GateReason::kGpuSilent:
    case GateReason::kDriverMissing:
    case GateReason::kOtherPlatform:
    case GateReason::kExpectation:
    case GateReason::kUnlikeBefore:
    case GateReason::kUnlikeGolden:
    case GateReason::kEccUncorrected:
    case GateReason::kHostMemory:
    case GateReason::kNvlinkErrors:
    case GateReason::kPcieErrors:
    case GateReason::kKernelError:
    case GateReason::kRowRemapFailed:
    case GateReason::kBenchFailed:
      return Verdict::kBad;
    case GateReason::kDriverSilent:
    case GateReason::kCheckFailed:
    case GateReason::kLimitPassed:
    case GateReason::kStateUnreadable:
    case GateReason::kBenchIncomplete:
      return Verdict::kIncomplete;
    case GateReason::kFirstLook:
    case GateReason::kStateForeign:
    case GateReason::kStateOtherVersion:
    case GateReason::kStateNotKept:
    case GateReason::kRestarted:
    case GateReason::kGpuReplaced:
    case GateReason::kNoPlatform:
    case GateReason::kChanged:
    case GateReason::kNotReadable:
    case GateReason::kErrorsCounted:
    case GateReason::kKernelLogUnread:
    case GateReason::kKernelWarning:
    case GateReason::kBenchDisturbed:
    case GateReason::kAsBefore:
      return Verdict::kOk;
  }
  return Verdict::kIncomplete;
}

Verdict verdict_of(const std::vector<Finding>& findings) {
  int worst = 2;
  for (const Finding& finding : findings) worst = std::min(worst, rank_of(finding));
  return worst == 0 ? Verdict::kBad : worst == 1 ? Verdict::kIncomplete : Verdict::kOk;
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return rank_of(a) < rank_of(b); });
}

}  // namespace rackproof::gate
