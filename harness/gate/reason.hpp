#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "contract/words.hpp"

namespace rackproof::gate {

/// What becomes of the node. kBad: it must not get work. kIncomplete: whether it may could not be
/// found out.
enum class Verdict { kOk, kBad, kIncomplete };

/// Everything that the gate says, and nothing else. verdict_of() has what each means for the node.
enum class GateReason {
  // The node must not get work.
  kGpuMissing,      ///< a GPU that was there, or should be, is not
  kGpuSilent,       ///< the driver counts a GPU that cannot be asked or used
  kDriverMissing,   ///< there are GPUs, and NVML does not start
  kOtherPlatform,   ///< it is not the machine that its platform table describes
  kExpectation,     ///< what its table demands of it is otherwise
  kUnlikeBefore,    ///< a fact that matters is not what it was at the last good look
  kUnlikeGolden,    ///< or not what it is in the golden inventory
  kEccUncorrected,  ///< a GPU had memory errors that ECC could not correct
  kHostMemory,      ///< so had the memory of the host
  kNvlinkErrors,    ///< an NVLink had to recover, or corrupts packets at a rate that matters
  kPcieErrors,      ///< a GPU or an adapter had an error on PCIe that was fatal
  kKernelError,     ///< the kernel told of hardware that failed: a grave Xid, a machine check
  kRowRemapFailed,  ///< memory of a GPU that went bad could not be replaced
  kBenchFailed,     ///< a bench gave a wrong answer, or was too slow
  // It could not be found out.
  kDriverSilent,     ///< NVML does not answer
  kCheckFailed,      ///< a part of the check itself ended before it said anything
  kLimitPassed,      ///< the time was over
  kStateUnreadable,  ///< what the node was at its last good look cannot be read
  kBenchIncomplete,  ///< a bench could not be run to its end
  // For people only.
  kFirstLook,          ///< there is no last good look
  kStateForeign,       ///< the one that is there is of another machine
  kStateOtherVersion,  ///< or was written by a version that this one does not read
  kStateNotKept,       ///< this look could not be written down
  kRestarted,          ///< the node was started since
  kGpuReplaced,        ///< another GPU sits where one was
  kNoPlatform,         ///< no table of a particular machine recognises it
  kChanged,            ///< a fact changed that matters less
  kNotReadable,        ///< a fact cannot be read any more
  kErrorsCounted,      ///< errors were counted that do no harm by themselves
  kKernelLogUnread,    ///< the kernel's log may not be read
  kKernelWarning,      ///< the kernel told of something that a program can cause
  kBenchDisturbed,     ///< other programs ran: that says nothing of the node
  kAsBefore,           ///< it would be bad, but the last good look shows it as well
};

inline constexpr std::array kGateReasonWords = {
    contract::Word{GateReason::kGpuMissing, "gpu-missing"},
    contract::Word{GateReason::kGpuSilent, "gpu-silent"},
    contract::Word{GateReason::kDriverMissing, "driver-missing"},
    contract::Word{GateReason::kOtherPlatform, "other-platform"},
    contract::Word{GateReason::kExpectation, "expectation-unmet"},
    contract::Word{GateReason::kUnlikeBefore, "unlike-before"},
    contract::Word{GateReason::kUnlikeGolden, "unlike-golden"},
    contract::Word{GateReason::kEccUncorrected, "ecc-uncorrected"},
    contract::Word{GateReason::kHostMemory, "host-memory-error"},
    contract::Word{GateReason::kNvlinkErrors, "nvlink-errors"},
    contract::Word{GateReason::kPcieErrors, "pcie-errors"},
    contract::Word{GateReason::kKernelError, "kernel-error"},
    contract::Word{GateReason::kRowRemapFailed, "row-remap-failed"},
    contract::Word{GateReason::kBenchFailed, "bench-failed"},
    contract::Word{GateReason::kDriverSilent, "driver-silent"},
    contract::Word{GateReason::kCheckFailed, "check-failed"},
    contract::Word{GateReason::kLimitPassed, "limit-passed"},
    contract::Word{GateReason::kStateUnreadable, "state-unreadable"},
    contract::Word{GateReason::kBenchIncomplete, "bench-incomplete"},
    contract::Word{GateReason::kFirstLook, "first-look"},
    contract::Word{GateReason::kStateForeign, "state-foreign"},
    contract::Word{GateReason::kStateOtherVersion, "state-other-version"},
    contract::Word{GateReason::kStateNotKept, "state-not-kept"},
    contract::Word{GateReason::kRestarted, "restarted"},
    contract::Word{GateReason::kGpuReplaced, "gpu-replaced"},
    contract::Word{GateReason::kNoPlatform, "no-platform"},
    contract::Word{GateReason::kChanged, "changed"},
    contract::Word{GateReason::kNotReadable, "not-readable"},
    contract::Word{GateReason::kErrorsCounted, "errors-counted"},
    contract::Word{GateReason::kKernelLogUnread, "kernel-log-unread"},
    contract::Word{GateReason::kKernelWarning, "kernel-warning"},
    contract::Word{GateReason::kBenchDisturbed, "bench-disturbed"},
    contract::Word{GateReason::kAsBefore, "as-before"}};
inline constexpr std::array kGateVerdictWords = {
    contract::Word{Verdict::kOk, "ok"}, contract::Word{Verdict::kBad, "bad"},
    contract::Word{Verdict::kIncomplete, "incomplete"}};

constexpr const auto& words_of(GateReason /*unused*/) { return kGateReasonWords; }
constexpr const auto& words_of(Verdict /*unused*/) { return kGateVerdictWords; }

/// What this reason alone makes of a node.
Verdict verdict_of(GateReason reason);

/// One thing that the gate says: what, of which part, and the sentence with the facts.
struct Finding {
  GateReason reason = GateReason::kFirstLook;
  std::string part;  ///< UUID of a GPU, a port, an address; empty: the node
  std::string text;
  std::string fact = {};  ///< of the inventory, where it is about one

  bool operator==(const Finding&) const = default;
};

/// The verdict of all of them: bad before incomplete, since what is broken needs no second look.
Verdict verdict_of(const std::vector<Finding>& findings);

/// Those that decide first, bad before incomplete before the rest; else in the order that they had.
void sort_findings(std::vector<Finding>& findings);

}  // namespace rackproof::gate
