#include <array>

#include "reports/catalogue/catalogue_tables.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::catalogue {
namespace {
namespace verdicts {

constexpr std::string_view kKind = "verdict";

constexpr std::array kEntries = {
    CatalogueEntry{
        model::reason_id::kWithinLimits, kKind, "within the tolerance of its baseline",
        "The number was measured, its answer was verified, and the statistic of the baseline is "
        "within the tolerance.",
        "Nothing to do. The cell has the number, the limit and the source of the baseline."},
    CatalogueEntry{
        model::reason_id::kVerifiedGeneric, kKind,
        "verified by a table that only requires correctness",
        "The platform table requires a correct answer here and has no expected number for this "
        "machine type: the result is correct, but may be slow. The cell does not count as pass.",
        "Write a platform table for this machine type, or choose one with --platform, to have its "
        "speed judged."},
    CatalogueEntry{
        model::reason_id::kBelowLimit, kKind, "slower or smaller than the baseline allows",
        "The judged statistic is below the lower limit of its baseline: the expected value minus "
        "the lower tolerance.",
        "Compare the subject with its peers in the report. If one is slow, check the part: memory "
        "population, clocks, temperature, cable. If all are slow, suspect a setting or the table: "
        "governor, NUMA balancing, power cap, BIOS profile, the baseline itself."},
    CatalogueEntry{
        model::reason_id::kAboveLimit, kKind, "larger than the baseline allows",
        "The judged statistic is above the upper limit. For a time that means too slow; for a rate "
        "it means more than the machine can do, which points to a wrong table, a wrong work count "
        "or data that stayed in a cache.",
        "For a latency, treat it as slow and check link, clocks and interrupts of the subject. For "
        "a rate, check first that the platform is correct and the size large enough."},
    CatalogueEntry{
        model::reason_id::kConditionDiffers, kKind,
        "measured under another condition than required",
        "The table requires a condition, such as the transport of a collective or the number of "
        "RDMA ports that carry its data, and the bench or the port counters show another one.",
        "For a transport or ports, check links, switches and adapters between the members and the "
        "variables of the library (NCCL_IB_HCA, NCCL_IB_DISABLE, NCCL_P2P_DISABLE, NCCL_ALGO); for "
        "an algorithm, its version and the topology that it reports."},
    CatalogueEntry{model::reason_id::kStraddlesLimit, kKind,
                   "too close to the limit to call: the limit is inside the confidence interval",
                   "The number is so close to its limit that the spread of the samples does not "
                   "decide on which side it is, after all attempts. The suite's rule "
                   "judge.straddle then decides: fail by default.",
                   "Give the step more samples or attempts, and find out why the samples scatter: "
                   "other load, clocks, temperature."},
    CatalogueEntry{model::reason_id::kJudgeFailed, kKind, "the cell could not be judged",
                   "Judging the cell ended with an internal error (finding rule-failed). The other "
                   "cells have their verdicts.",
                   "Report it with report.json, and judge again with a newer version."},
    CatalogueEntry{model::reason_id::kWrongAnswer, kKind, "a check found a wrong result",
                   "The bench compared its result with an independent one and at least one element "
                   "was wrong. The report says how many were compared, how many were wrong and "
                   "where the first one is. A later good attempt does not change this.",
                   "Take the subject out of service. Run the step on it alone to see whether the "
                   "location repeats: the same location points to memory, a changing one to a "
                   "core, clock or power. Keep the report as evidence for the vendor."},
    CatalogueEntry{
        model::reason_id::kDigestMismatch, kKind, "the result is not bit-identical to its peers'",
        "Devices of one kind with the same library and input must give bit-identical results. More "
        "than half of at least three agree and this one does not, or its own attempts differ. Its "
        "own check passed: the error is rare, small, or in the reference too.",
        "Take the device out of service and run the step on it alone. Keep both digests as "
        "evidence for the vendor. If it agrees the next time, the fault is intermittent, which is "
        "worse."},
    CatalogueEntry{model::reason_id::kDigestUndecided, kKind,
                   "results are not bit-identical, and it is not known which is right",
                   "Devices of one kind with the same library and input gave different results, "
                   "and none has more than half of at least three votes. At least one is wrong, so "
                   "none of the numbers counts.",
                   "Run the step again with more devices of the same kind: with three or more, the "
                   "different one is named."},
    CatalogueEntry{model::reason_id::kPeerOutlier, kKind, "outlier among its peers in this run",
                   "The number is within its own limits or has none, but is too far from the "
                   "median of its peers in the same run, and the suite fails such outliers.",
                   "Compare its inventory with that of a peer (memory, clocks, firmware, cabling), "
                   "repeat the step, and swap parts with a peer to see whether the fault moves."},
    CatalogueEntry{
        model::reason_id::kHistoryDrop, kKind, "slower than in its own earlier runs",
        "The number is within its own limits or has none, but is lower than the same part measured "
        "in earlier accepted runs by more than its variation, and the suite fails such outliers.",
        "Compare with the last good report: driver, firmware, clocks, power limit, temperature, "
        "error counters. Then repeat the step."},
    CatalogueEntry{model::reason_id::kNoBaseline, kKind,
                   "measured and verified, but there is no baseline",
                   "No baseline of the platform table covers this metric with these parameters, so "
                   "the number is not judged. An unjudged required cell keeps the run incomplete.",
                   "Add a baseline with its source to the platform table, or mark the cell as not "
                   "required in the suite; then rackproof judge REPORT --platform FILE."},
    CatalogueEntry{model::reason_id::kNoFact, kKind,
                   "the fact behind the baseline could not be read",
                   "The baseline is a fraction of a peak from the inventory, and that fact is "
                   "missing or unreadable on this host. The cell says which fact and why.",
                   "Run rackproof inventory on the host to see why. Give it access to the file "
                   "named there, or state the fact in the platform table."},
    CatalogueEntry{
        model::reason_id::kNoBound, kKind, "the upper bound cannot be computed",
        "A fact needed for the bound is missing, or facts contradict each other: the cell says "
        "which.",
        "Run rackproof inventory on the host to see which facts are missing and why. The table may "
        "state peak.nvlink_bytes_per_second and peak.nic_bytes_per_second."},
    CatalogueEntry{
        model::reason_id::kNoPlatform, kKind, "no platform table for this subject",
        "No table in the report belongs to the host of this cell, so the number is not judged: no "
        "table matched, two matched equally well, or the host has no inventory.",
        "The finding ambiguous-platform, platform-unrecognised or inventory-failed says why. Then "
        "judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{model::reason_id::kMixedPlatforms, kKind,
                   "a group or link over different machine types",
                   "The hosts of this cell belong to different platforms, and no table says what "
                   "such a mixture should reach. The number is not judged.",
                   "Run each machine type separately, or compare the inventories if the hosts "
                   "should be alike."},
    CatalogueEntry{model::reason_id::kUnitMismatch, kKind,
                   "the baseline is in another unit than the number",
                   "The baseline has a unit of another dimension than the bench reports, so the "
                   "two were not compared.",
                   "Correct the unit or the metric pattern of that baseline in the platform table, "
                   "then judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{model::reason_id::kBadBaseline, kKind, "the baseline gives no limit",
                   "The baseline has no tolerance on the side that matters, or its expected number "
                   "gives no finite limit, so nothing was compared.",
                   "Correct that baseline in the platform table (rackproof check FILE says what is "
                   "wrong), then judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{
        model::reason_id::kOutsideCurve, kKind,
        "the size or scale lies outside the figures of the table",
        "The table judges this collective by a curve through published or learned figures, and "
        "this cell has more bytes, ranks or nodes than any of them, or fewer bytes. Curves are not "
        "extrapolated.",
        "Make a site table from accepted runs of this size (rackproof learn), or add a figure to "
        "the table, then judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{
        model::reason_id::kConditionUnknown, kKind, "nothing says whether a demand was met",
        "The table demands conditions (a transport, ports that carry data), and neither the "
        "measurement nor the recording says whether they were met.",
        "Look at the attempt's notes. For NCCL, leave NCCL_DEBUG unset so that the bench reads its "
        "log; for ports, record, and see that their counters in /sys/class/infiniband exist."},
    CatalogueEntry{
        model::reason_id::kNotRepeated, kKind, "measured fewer times than the suite asks for",
        "The step is to be repeated (`repeat` of the suite), and some of its attempts "
        "gave no number that counts: they ended badly, or other programs disturbed them.",
        "Look at the attempts that did not end well, and run the step again."},
    CatalogueEntry{model::reason_id::kNoSamples, kKind,
                   "the judged statistic needs samples that are not there",
                   "The baseline asks for a statistic (median, worst, p99...) of the samples, and "
                   "the bench gave its value without them.",
                   "Let the bench report its samples, or let the baseline judge the statistic that "
                   "it reports."},
    CatalogueEntry{model::reason_id::kInconsistent, kKind,
                   "the attempts of this cell do not agree on what they measured",
                   "Two attempts reported the same metric in different units, or disagree on "
                   "whether more is better, so they can't be judged together.",
                   "Look at the attempts: different versions of the bench on the ranks are the "
                   "usual cause (finding version-mismatch)."},
    CatalogueEntry{
        model::reason_id::kBadNumber, kKind, "the number cannot be a measurement",
        "A value or sample is zero, negative, not finite or outside what the metric can be. Such a "
        "number is never compared with a limit.",
        "Run the bench by hand with the arguments shown in the attempt and look at its samples. "
        "Zero usually means that no work was done, a huge value that the timer did not run."},
    CatalogueEntry{
        model::reason_id::kUnverified, kKind, "a number without a passed check",
        "The bench reported a number, but the check that should prove it is missing, failed "
        "without naming a wrong answer, or compared nothing. Numbers without proof do not count.",
        "Look at the checks of the attempt. A check that compared 0 elements is a fault of the "
        "bench or of its arguments (a size of zero, verification switched off)."},
    CatalogueEntry{model::reason_id::kHardwareFault, kKind, "hardware failed while it was measured",
                   "During an attempt at this cell, the kernel or driver reported a fault of the "
                   "hardware in use: an Xid for broken hardware, a lost GPU, an uncorrected memory "
                   "or CPU error. Its number does not count.",
                   "Read the event in the reason, and the events of the report. Take the part out "
                   "of service, and repair or replace it before testing again."},
    CatalogueEntry{model::reason_id::kFaultInjected, kKind, "a test-only fault was switched on",
                   "The bench was started with an option that corrupts its data on purpose, to "
                   "show that corruption is detected. Nothing measured that way can pass.",
                   "Remove the injection option or variable and run again. In production this must "
                   "never appear: find out who set it."},
    CatalogueEntry{
        model::reason_id::kSignalled, kKind, "the bench crashed: ended by a signal",
        "The process died from a signal that the harness did not send. Its output up to then is "
        "kept, but not judged.",
        "Read the end of its error output in the attempt. SIGSEGV and SIGBUS: run the bench by "
        "hand under a debugger, and check dmesg for machine check or ECC lines. SIGKILL: look for "
        "the out-of-memory killer in dmesg. SIGILL: the build is for another CPU."},
    CatalogueEntry{
        model::reason_id::kTimedOut, kKind, "the bench did not finish within its deadline",
        "The deadline of the step passed and the process was ended with TERM, then KILL. The "
        "attempt says what it was doing: running, stopped or waiting for a disk.",
        "Running: the machine is slower than expected; check other load, clocks and swap, and "
        "raise the deadline only if the work really needs it. Waiting for disk: check dmesg, NFS "
        "mounts and drivers. Stopped: someone sent SIGSTOP."},
    CatalogueEntry{
        model::reason_id::kCancelled, kKind, "cancelled because of another failure",
        "A member of the same group failed, the run was interrupted, or the time budget ran out, "
        "so this process was cancelled before it had a result. The fault is not here but with the "
        "cause named.",
        "Repair the subject or cause named in the reason, then run again or use --resume."},
    CatalogueEntry{
        model::reason_id::kSpawnFailed, kKind, "the bench could not be started",
        "The operating system could not start the program: not found, not executable, built for "
        "another architecture, a missing library, or no memory or processes left.",
        "The reason has the system error. Run the program with --help on that host. For a missing "
        "library use ldd; for 'Resource temporarily unavailable' check ulimit -u and pids.max of "
        "the cgroup."},
    CatalogueEntry{
        model::reason_id::kLeaked, kKind, "the bench ended but left processes running",
        "The process ended, but a child kept running or kept its output open, so its output cannot "
        "be considered complete. The leftover processes were killed.",
        "Look for helpers that the bench or a library starts (profilers, daemons, wrappers in "
        "PATH). Remove them and measure again: they may have disturbed the numbers too."},
    CatalogueEntry{model::reason_id::kTruncated, kKind,
                   "the output of the bench is truncated: the end record is missing",
                   "The output has no end record, whatever the exit code. The process may have "
                   "been killed, run out of disk or memory, or exited inside a library.",
                   "Read its error output in the attempt, and dmesg. Run the bench by hand with "
                   "--json and check the last lines."},
    CatalogueEntry{
        model::reason_id::kGarbled, kKind, "the output violates the record protocol",
        "A line is not a valid record: not JSON, the nonce of another run, an invalid unit, a "
        "second result for the same cell, or records after the end. The reason names the line.",
        "If the output contains foreign text, a library or wrapper prints to stdout: silence it. "
        "If the nonce is stale, an old process is still running on the host: find it with ps. "
        "Otherwise the bench has a bug; rackproof check FILE shows where."},
    CatalogueEntry{model::reason_id::kWedged, kKind, "the process could not be killed",
                   "The process survived SIGKILL. It hangs in the kernel, most often in a device "
                   "driver or on dead storage. Nothing more is started on its subject.",
                   "Do not trust this node. Save dmesg and /proc/PID/stack of the process, then "
                   "reset the device or reboot the node. If it happens again, replace the device "
                   "or storage path named there."},
    CatalogueEntry{model::reason_id::kRankLost, kKind, "the rank that measured it was lost",
                   "The rank that ran this step stopped responding or its journal ends early: "
                   "killed, node down, or network down. Everything it had completed is kept.",
                   "Check the host named: is it up, does dmesg show an OOM kill or machine check, "
                   "did the batch system end the job. Then continue with --resume DIR: completed "
                   "steps are not repeated."},
    CatalogueEntry{model::reason_id::kSetAside, kKind,
                   "its host was excluded when the run was continued",
                   "The host was lost and the run continued without it. The cell can no longer be "
                   "measured, so the run cannot be accepted.",
                   "The finding host-set-aside says why the host was lost. Repair it and run the "
                   "suite again."},
    CatalogueEntry{model::reason_id::kDeviceError, kKind, "a device or library reported an error",
                   "The bench ended because a driver or library call failed. The error is at the "
                   "end of the attempt's error output.",
                   "Check dmesg for driver messages, then run the bench alone on that device. If "
                   "the error repeats on one device only, replace it."},
    CatalogueEntry{model::reason_id::kGaveUp, kKind,
                   "a member of a group gave up waiting for another one",
                   "Its operation did not finish in time, or the group was not formed.",
                   "Look at the members that the finding group-failed names."},
    CatalogueEntry{model::reason_id::kBenchUsage, kKind, "the bench refused its arguments",
                   "The bench ended with exit code 2: an unknown option, or a value out of range "
                   "(for example an array that fits in the caches, or more memory than available).",
                   "The end of its error output says which argument. Correct the step in the suite "
                   "and check it with rackproof run --dry-run."},
    CatalogueEntry{model::reason_id::kBenchError, kKind, "the bench ended with an unexpected error",
                   "The bench ended with an exit code for an internal error. Nothing was measured.",
                   "Read the end of its error output in the attempt, and run the same command by "
                   "hand. Report a bug in the bench with that output."},
    CatalogueEntry{
        model::reason_id::kUnavailable, kKind,
        "the bench needs something that this machine does not have",
        "The bench ended with exit code 3: a device, library or kernel feature that it needs is "
        "missing, or the BLAS library has no kernels for the vector units of this CPU. The cell is "
        "waived if the suite says so, otherwise untested.",
        "If the part should be present, find out why it is not seen: rackproof inventory, driver, "
        "container flags. The last line of the bench's error output says what is missing. If it is "
        "never present, set when_unavailable to waive in the step, or remove the step."},
    CatalogueEntry{model::reason_id::kNoResult, kKind,
                   "the bench succeeded but did not report this cell",
                   "The process ended normally with complete output, but no record has this metric "
                   "with these parameters.",
                   "Compare the expectation in the suite with the metrics in the attempt: usually "
                   "a name, parameter or size differs. The finding unexpected-metric shows what "
                   "was reported instead."},
    CatalogueEntry{
        model::reason_id::kBringUp, kKind, "the group was not formed",
        "The processes of a group find each other by a token from the first of them. It provided "
        "none within the bring-up time of the step, ended before, or provided a malformed one, so "
        "the others were not started. The reason names the member, its rank and host.",
        "Read the error output of that attempt: a missing library, a device in use, a network "
        "interface that cannot be bound. Start the bench by hand on that host. Raise bring_up in "
        "the suite only if starting really takes that long."},
    CatalogueEntry{
        model::reason_id::kNotStarted, kKind, "its step was never started",
        "The run ended before this step was started on this subject, and no journal says why.",
        "Check the state of the ranks: one that never arrived or was lost explains it. Continue "
        "with --resume DIR."},
    CatalogueEntry{model::reason_id::kTimeBudget, kKind,
                   "the time budget was used up before its step",
                   "The time budget (of the suite, or --time-budget) did not leave enough time for "
                   "this step, so it was not started.",
                   "Use a larger --time-budget, fewer steps with --filter, or continue this run "
                   "with --resume DIR."},
    CatalogueEntry{model::reason_id::kInterrupted, kKind,
                   "the run was interrupted before it was measured",
                   "A signal (Ctrl-C, time limit of the batch system) ended the run before this "
                   "cell had a result.",
                   "Continue with rackproof run --resume DIR: completed steps are not repeated."},
    CatalogueEntry{
        model::reason_id::kDisturbed, kKind, "the measurement was disturbed",
        "In every attempt with a number, other programs or the hypervisor took more CPU time than "
        "the suite permits (judge.disturbed_share). Or the number itself shows it: its samples "
        "scatter more than on a quiet machine, a small message took more than twice as long as a "
        "large one, or related kernels differ. Such a number says nothing about the machine, good "
        "or bad. A wrong answer still fails.",
        "Find the programs with top on the host named and stop them, or drain the node in the "
        "batch system. On a virtual machine with steal time, ask for dedicated CPUs. Then run "
        "again."},
    CatalogueEntry{
        model::reason_id::kImplausible, kKind, "better than possible on this machine, or on any",
        "The number exceeds a peak from the platform table or the inventory, or what the metric "
        "can be on any machine (benches/NAME/bench.json, copied into the report as bounds). The "
        "cause is a wrong unit, a wrong clock, work that was not done, or the table of another "
        "machine.",
        "Check the fact in the reason. If the machine really is that good, correct the table or "
        "bench.json. Otherwise run the bench by hand and compare its number with a stopwatch."},
    CatalogueEntry{model::reason_id::kStoppedByEarlierStep, kKind,
                   "an earlier step failed, and the suite stops there",
                   "The suite ends the run if that earlier step fails, because later numbers would "
                   "not be meaningful. The reason names the step.",
                   "Repair what that step found, then run again."},
    CatalogueEntry{model::reason_id::kStoppedByFinding, kKind,
                   "a finding ended the run before any measurement",
                   "The suite ends the run on the finding named: numbers of a machine configured "
                   "like this would not be meaningful.",
                   "Do what the finding says, then continue with --resume DIR, or suppress it in "
                   "the suite with a reason and an end date."},
    CatalogueEntry{model::reason_id::kWaivedBySuite, kKind, "the suite says that it does not apply",
                   "The suite has a reason for not requiring this cell here. It counts as accepted "
                   "and stays visible in the report.",
                   "Check that the reason still holds for this machine."},
    CatalogueEntry{model::reason_id::kWaivedByPlatform, kKind,
                   "the platform table says that it does not apply",
                   "The platform table waives this metric on this machine type, with a reason. It "
                   "counts as accepted and stays visible in the report.",
                   "Check that the reason still holds for this machine."},
    CatalogueEntry{
        model::reason_id::kWaivedBySite, kKind, "waived by this site until a given date",
        "It did not pass, and a waiver of this site (--waive) applies. The cell says who, until "
        "when and why, and what the verdict would have been. It counts as accepted.",
        "Repair the part before that date; after it, the cell is required again."},
    CatalogueEntry{
        model::reason_id::kSingleRank, kKind, "a group measurement in a run of one rank",
        "The step measures between ranks, and this run has only one, so the cell is untested.",
        "Use a launcher with two ranks or more: mpirun -n 2 rackproof run ..., or srun."},
    CatalogueEntry{
        model::reason_id::kLateRank, kKind, "a rank was too late for its group",
        "A rank had not arrived when the time to form the group was over. The step was skipped "
        "rather than measured with fewer members. The reason names rank and host.",
        "Check the host of the late rank: slow file system at start, load, clock, control network. "
        "Run again when it responds promptly."},
};

}  // namespace verdicts
}  // namespace

std::span<const CatalogueEntry> verdict_entries() { return verdicts::kEntries; }

}  // namespace rackproof::catalogue
