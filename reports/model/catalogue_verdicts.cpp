#include <array>

#include "reports/model/catalogue_tables.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::model {
namespace {
namespace verdicts {

constexpr std::string_view kKind = "verdict";

constexpr std::array kEntries = {
    CatalogueEntry{
        reason_id::kWithinLimits, kKind, "inside the tolerance of its baseline",
        "The number was measured, its answer was verified, and the statistic that the "
        "baseline names lies inside the tolerance.",
        "Nothing to do. The observed number, the limit and the source of the baseline are in "
        "the cell."},
    CatalogueEntry{
        reason_id::kVerifiedGeneric, kKind, "verified, on a table that only asks for correctness",
        "The platform table asks for a verified answer here and knows no expected number for "
        "this machine type: the result is right, and may be slow. The cell is no pass.",
        "Write a platform table for this machine type, or choose one with --platform, to have "
        "its speed judged."},
    CatalogueEntry{
        reason_id::kBelowLimit, kKind, "slower or smaller than the baseline allows",
        "The judged statistic is below the lower limit of its baseline: the expected value "
        "less the tolerance below.",
        "Compare the subject with its peers in the report. One slow subject is a part to look "
        "at: memory population, clocks, thermal state, cable. All slow points to a setting or "
        "to the table: governor, NUMA balancing, power cap, BIOS profile, the baseline "
        "itself."},
    CatalogueEntry{
        reason_id::kAboveLimit, kKind, "larger than the baseline allows",
        "The judged statistic is above the upper limit. For a time that means too slow; for a "
        "rate it means more than this machine can do, which points at a wrong table, a wrong "
        "work count or data that stayed in a cache.",
        "For a latency treat it as slow and look at the subject's link, clocks and "
        "interrupts. For a rate check that the platform is the right one and the size is "
        "large enough before believing it."},
    CatalogueEntry{
        reason_id::kConditionDiffers, kKind, "measured under another condition than demanded",
        "The table demands a condition, such as a collective's transport or how many RDMA ports "
        "carry its data, and the bench or the ports' counters say that another one held.",
        "For a transport or ports look at the links, switches and adapters between the members "
        "and at the library's variables (NCCL_IB_HCA, NCCL_IB_DISABLE, NCCL_P2P_DISABLE, "
        "NCCL_ALGO); for an algorithm at its version and at what it says of the topology."},
    CatalogueEntry{
        reason_id::kStraddlesLimit, kKind, "the limit lies inside the confidence interval",
        "The number is so close to its limit that the spread of the samples leaves undecided "
        "on which side it is, after all attempts that were made. The suite's rule "
        "judge.straddle decides then: fail unless it says otherwise.",
        "Let the step take more samples or attempts, and look for what makes the samples "
        "spread: other load, clocks, thermal state."},
    CatalogueEntry{
        reason_id::kJudgeFailed, kKind, "the judge could not look at this cell",
        "Judging the cell ended with an error of this program (finding rule-failed). The other "
        "cells have their verdicts.",
        "Report it together with report.json, and judge again with a newer version."},
    CatalogueEntry{
        reason_id::kWrongAnswer, kKind, "a check found a wrong result",
        "The bench compared its result with an independent one and at least one element was "
        "wrong. The report names how many were compared, how many were wrong and where the "
        "first one is. A later good attempt never takes this back.",
        "Take the subject out of service. Run the step again on it alone to see whether the "
        "place repeats: the same place points at memory, changing places at a core, clock or "
        "power. Keep the report as evidence for the vendor."},
    CatalogueEntry{
        reason_id::kDigestMismatch, kKind, "its answer differs in its bits from that of its like",
        "Devices of one kind with the same library and input must give the same bits. More than "
        "half of at least three agree, and this one does not, or it gave different bits in its own "
        "attempts. Its own check saw nothing: the error is rare, small, or in the reference too.",
        "Take the device out of service and run the step again on it alone. Keep both digests as "
        "evidence for the vendor. If it agrees the next time the fault comes and goes, which is "
        "worse."},
    CatalogueEntry{reason_id::kDigestUndecided, kKind,
                   "answers differ in their bits, and nobody can tell which is right",
                   "Devices of one kind with the same library and input gave different bits, and "
                   "no answer has more than half of at least three votes. One of them at least is "
                   "wrong, so none of "
                   "the numbers counts.",
                   "Run the step again together with more devices of the same kind: with three or "
                   "more, the odd one is named."},
    CatalogueEntry{
        reason_id::kPeerOutlier, kKind, "far from its like in this run",
        "The number is inside its own limits or has none, but lies too far from the median of "
        "like subjects in the same run, and the suite says that such an outlier fails.",
        "Compare its inventory with that of a peer (memory, clocks, firmware, cabling), "
        "repeat the step, and swap the part with a peer's to see whether the fault moves with "
        "it."},
    CatalogueEntry{
        reason_id::kHistoryDrop, kKind, "slower than in its own earlier runs",
        "The number is inside its own limits or has none, but is lower than this very part "
        "measured in earlier accepted runs by more than it varies, and the suite says that "
        "such an outlier fails.",
        "Compare with the last good report: driver, firmware, clocks, power limit, "
        "temperature, error counters. Then repeat the step."},
    CatalogueEntry{
        reason_id::kNoBaseline, kKind, "measured and verified, nothing to judge it by",
        "No baseline of the platform table covers this metric with these parameters, so the "
        "number is kept and not judged. An unjudged required cell keeps the run incomplete.",
        "Add a baseline with its source to the platform table, or mark the cell as not "
        "required in the suite. rackproof judge REPORT --platform FILE judges the same "
        "numbers again."},
    CatalogueEntry{
        reason_id::kNoFact, kKind, "the fact that the baseline is a fraction of could not be read",
        "The baseline asks for a fraction of a peak that the inventory states or computes, and "
        "that fact is missing or unreadable on this host. The cell says which fact and why.",
        "Run rackproof inventory on the host to see the reason. Give it access to the file "
        "named there, or state the fact in the platform table."},
    CatalogueEntry{
        reason_id::kNoBound, kKind, "what topology and inventory allow at most cannot be told",
        "A fact that the bound is computed of is missing, or facts contradict each other: the cell "
        "says which.",
        "Run rackproof inventory on the host to see the facts and why some are missing. The table "
        "may state peak.nvlink_bytes_per_second and peak.nic_bytes_per_second."},
    CatalogueEntry{
        reason_id::kNoPlatform, kKind, "no platform table for this subject",
        "None of the tables in the report belongs to the host of this cell, so there is "
        "nothing to judge the number by: no table was recognised, two fit equally well, or "
        "the host has no inventory. The number is kept.",
        "Look at the findings: ambiguous-platform, platform-unrecognised or inventory-failed "
        "says why. Then rackproof judge REPORT --platform FILE judges the same numbers again."},
    CatalogueEntry{
        reason_id::kMixedPlatforms, kKind, "a group or link over different machine types",
        "The hosts of this cell belong to different platforms, and no table says what such a "
        "mixture should reach. The number is kept and not judged.",
        "Run each machine type on its own, or compare the inventories if the hosts should be "
        "alike."},
    CatalogueEntry{
        reason_id::kUnitMismatch, kKind, "the baseline is in another unit than the number",
        "The baseline that applies is written in a unit of another dimension than the bench "
        "reports, so the two were not compared.",
        "Correct the unit or the metric pattern of that baseline in the platform table, then "
        "judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{
        reason_id::kBadBaseline, kKind, "the baseline gives no limit",
        "The baseline that applies has no tolerance on the side that matters, or its expected "
        "number gives no finite limit, so nothing was compared with it.",
        "Correct that baseline in the platform table (rackproof check FILE says what is "
        "wrong), then judge again with rackproof judge REPORT --platform FILE."},
    CatalogueEntry{
        reason_id::kOutsideCurve, kKind, "the size or scale lies outside the figures of the table",
        "The table judges this collective by a curve through published or learned figures, and "
        "this cell has more bytes, ranks or nodes than any of them, or fewer bytes. A curve is "
        "not drawn further than its figures.",
        "Learn a table of this site from accepted runs of this size (rackproof learn), or give "
        "the table a figure for it, then judge again with rackproof judge REPORT --platform "
        "FILE."},
    CatalogueEntry{
        reason_id::kConditionUnknown, kKind, "nothing says whether a demand was met",
        "The table demands conditions (a transport, ports that carry data), and neither the "
        "measurement nor the recording says whether they were met.",
        "Look at the attempt's notes. For NCCL, leave NCCL_DEBUG unset so that the bench reads "
        "its log; for ports, record, and see that their counters in /sys/class/infiniband exist."},
    CatalogueEntry{
        reason_id::kNoSamples, kKind, "the judged statistic needs samples that are not there",
        "The baseline asks for a statistic (median, worst, p99...) of the samples, and the "
        "bench gave its value without them.",
        "Let the bench report its samples, or let the baseline judge the statistic that it "
        "reports."},
    CatalogueEntry{
        reason_id::kInconsistent, kKind,
        "the attempts of this cell do not agree on what they measured",
        "Two attempts reported the same metric in different units, or disagree on whether "
        "more is better, so they can't be judged together.",
        "Look at the attempts: different versions of the bench on the ranks are the usual "
        "cause (finding version-mismatch)."},
    CatalogueEntry{
        reason_id::kBadNumber, kKind, "the number cannot be a measurement",
        "A value or sample is zero, negative, not finite or outside what the metric can be. "
        "Such a number is never compared with a limit.",
        "Run the bench by hand with the arguments shown in the attempt and look at its "
        "samples. Zero usually means that no work was done, a huge value that the timer did "
        "not run."},
    CatalogueEntry{
        reason_id::kUnverified, kKind, "a number without a passed check",
        "The bench reported a number, but the check that should prove it is missing, failed "
        "without naming a wrong answer, or compared nothing. Numbers without proof don't "
        "count.",
        "Look at the checks of the attempt. A check that compared 0 elements is a fault of "
        "the bench or of its arguments (a size of zero, verification switched off)."},
    CatalogueEntry{
        reason_id::kHardwareFault, kKind, "hardware failed while it was measured",
        "While an attempt at this cell ran, the kernel or the driver told a fault of what it ran "
        "on: an Xid that means broken hardware, a GPU that is lost, an uncorrected error of memory "
        "or processor. Whatever number it gave does not count.",
        "Read the event in the reason, and the events of the report. Take the part out of service, "
        "and repair or replace it before it is tested again."},
    CatalogueEntry{
        reason_id::kFaultInjected, kKind, "a test-only fault was switched on",
        "The bench was started with an option that corrupts its data on purpose, to prove "
        "that the corruption is caught. Nothing measured that way can pass.",
        "Remove the injection option or variable and run again. In production this must never "
        "appear: find out who set it."},
    CatalogueEntry{
        reason_id::kSignalled, kKind, "the bench crashed: ended by a signal",
        "The process died from a signal that the harness did not send. Whatever it had "
        "printed before is kept and not judged.",
        "Read the end of its error output in the attempt. SIGSEGV and SIGBUS: run the bench "
        "by hand under a debugger, and check dmesg for machine check or ECC lines. SIGKILL: "
        "look for the out-of-memory killer in dmesg. SIGILL: the build is for another CPU."},
    CatalogueEntry{
        reason_id::kTimedOut, kKind, "the bench did not end within its deadline",
        "The deadline of the step passed and the process was stopped, with TERM first and "
        "KILL if that did not help. The attempt says what the process was doing: running, "
        "stopped or waiting for a disk.",
        "Running: the machine is slower than the suite expects, so look for other load, "
        "clocks and swap; raise the deadline only when the work truly needs it. Waiting for "
        "disk: check dmesg, NFS mounts and drivers. Stopped: somebody sent SIGSTOP."},
    CatalogueEntry{
        reason_id::kCancelled, kKind, "the bench was stopped for the sake of another",
        "A member of the same group failed, the run was interrupted, or the time budget ran "
        "out, so this process was ended before it had a result. The fault is with the one "
        "named, not here.",
        "Look at the subject or cause named in the reason first. Run again, or use --resume, "
        "once that is repaired."},
    CatalogueEntry{
        reason_id::kSpawnFailed, kKind, "the bench could not be started",
        "The operating system refused to start the program: not found, not executable, built "
        "for another architecture, a missing library, or no memory or process left.",
        "The reason holds the error of the system. Run the program with --help on that host. "
        "For a missing library use ldd on it, for 'Resource temporarily unavailable' check "
        "ulimit -u and the cgroup's pids.max."},
    CatalogueEntry{
        reason_id::kLeaked, kKind, "the bench ended, something that it started went on",
        "The process ended, but a child of it kept running or kept its output open, so its "
        "transcript can't be called complete. What was left has been killed.",
        "Look for helpers that the bench or a library starts (profilers, daemons, wrappers in "
        "PATH). Measure again after removing them: they may have disturbed the numbers too."},
    CatalogueEntry{
        reason_id::kTruncated, kKind, "the bench ended without its last record",
        "The output has no end record, whatever the exit code said. The process may have been "
        "killed, have run out of disk or memory, or have left through exit() in a library.",
        "Read its error output in the attempt and dmesg. Run the bench by hand with --json "
        "and look at the last lines."},
    CatalogueEntry{
        reason_id::kGarbled, kKind, "the output breaks the record protocol",
        "A line was not a valid record: not JSON, another run's nonce, a unit that records "
        "may not carry, a second result for the same cell, or records after the end. The "
        "reason names the line.",
        "When foreign text is in it, a library or wrapper prints on standard output: find and "
        "silence it. When the nonce is stale, an old process still lives on the host: look "
        "for it with ps. Otherwise the bench has a bug; rackproof check FILE tells where."},
    CatalogueEntry{
        reason_id::kWedged, kKind, "KILL did not end the process",
        "The process was still there after SIGKILL. It hangs in the kernel, most often in a "
        "device driver or on dead storage, and only the kernel can free it. Nothing more is "
        "started on its subject.",
        "Do not trust this node. Save dmesg and /proc/PID/stack of the process, then reset "
        "the device or reboot the node. If it comes back, replace the device or storage path "
        "named there."},
    CatalogueEntry{
        reason_id::kRankLost, kKind, "the rank that measured it is gone",
        "The rank of the harness that ran this step stopped answering or its journal ends in "
        "the middle: killed, node down, or network gone. Everything it had completed before "
        "is kept.",
        "Look at the host named: is it up, does dmesg show an OOM kill or machine check, did "
        "the batch system end the job. Then run again with --resume DIR: completed steps are "
        "not repeated."},
    CatalogueEntry{
        reason_id::kSetAside, kKind, "its host was left out when the run was continued",
        "The host was lost and the run went on without it. Nobody can measure this cell any more; "
        "it stays owed, and the run cannot be accepted.",
        "The finding host-set-aside says why the host was lost. Repair it and run the suite "
        "again."},
    CatalogueEntry{
        reason_id::kDeviceError, kKind, "a device or library reported an error",
        "The bench ended because a call into a driver or library failed. The error text is at "
        "the end of the attempt's error output.",
        "Read that text. Check dmesg for driver messages, then run the bench alone on that "
        "device. An error that repeats on one device only is a reason to replace it."},
    CatalogueEntry{reason_id::kGaveUp, kKind, "a member of a group waited in vain for another one",
                   "Its operation did not end in time, or the group did not come together.",
                   "Look at the members that the finding group-failed names."},
    CatalogueEntry{
        reason_id::kBenchUsage, kKind, "the bench refused its arguments",
        "The bench ended with exit code 2: it does not know an option, or a value is out of "
        "range (for example an array that fits in the caches, or more memory than there is).",
        "The last lines of its error output say which argument. Correct the step in the suite "
        "and check with rackproof run --dry-run."},
    CatalogueEntry{
        reason_id::kBenchError, kKind, "the bench ended with an unexpected error",
        "The bench ended with an exit code that says nothing was measured, for a reason of "
        "its own.",
        "Read the end of its error output in the attempt, and run the same command by hand. "
        "If it is a bug in the bench, report it with that output."},
    CatalogueEntry{
        reason_id::kUnavailable, kKind, "what the bench needs is not on this machine",
        "The bench ended with exit code 3: a device, library or kernel feature that it needs "
        "is not here, or the BLAS library has no kernels that use the vectors of this processor. "
        "Where the suite says so the cell is waived, otherwise it stays untested.",
        "If the part should be there, find out why it is not seen: rackproof inventory, "
        "driver loaded, container flags. The last line of the bench's error output says what is "
        "missing. If it never is there, set when_unavailable to waive in the step, or leave the "
        "step out."},
    CatalogueEntry{
        reason_id::kNoResult, kKind, "the bench ended well and did not deliver this cell",
        "The process ended normally with a whole transcript, but none of its records is about "
        "this metric with these parameters. Silence is not a pass.",
        "Compare the expectation in the suite with the metrics in the attempt: a different "
        "name, parameter or size is the usual cause. The finding unexpected-metric shows what "
        "came instead."},
    CatalogueEntry{
        reason_id::kBringUp, kKind, "a group never came together",
        "The processes of this group find each other by a token that the first of them makes. It "
        "gave none within the bring-up time of the step, ended before it, or gave one of another "
        "form, "
        "so the others were not started. The member, its rank and host are in the reason.",
        "Read the error output of that attempt: a missing library, a device in use, a network "
        "interface that cannot be bound. Start the bench by hand on that host. Raise bring_up in "
        "the suite only when starting truly takes that long."},
    CatalogueEntry{
        reason_id::kNotStarted, kKind, "its step was never started",
        "The run ended or moved on before this step was started on this subject, and no "
        "journal says why.",
        "Look at the state of the ranks: one that never arrived or was lost explains it. Run "
        "again with --resume DIR."},
    CatalogueEntry{
        reason_id::kTimeBudget, kKind, "the time budget ran out before its step",
        "The suite's time budget, or --time-budget, left no time for this step to run to its "
        "deadline, so it was not started.",
        "Give a larger --time-budget, choose fewer steps with --filter, or continue this run "
        "with --resume DIR."},
    CatalogueEntry{
        reason_id::kInterrupted, kKind, "the run was interrupted before it was measured",
        "A signal (Ctrl-C, the batch system's time limit) ended the run before this cell had "
        "its result.",
        "Continue with rackproof run --resume DIR: completed steps are not repeated."},
    CatalogueEntry{
        reason_id::kDisturbed, kKind, "something disturbed it while it was measured",
        "Programs that are no part of the run, or the hypervisor, took more of the processors' "
        "time than the suite lets pass (judge.disturbed_share), in every attempt that gave a "
        "number. "
        "Or the number itself shows it: its samples lie further apart than they do on a quiet "
        "machine, a small message took more than twice as long as a large one, or kernels that "
        "are sisters differ. Such a number says nothing of the machine, neither a good one nor a "
        "bad one. A wrong "
        "answer found meanwhile fails all the same.",
        "Find them with top on the host that is named and stop them, or drain the node in the "
        "batch system. On a virtual machine whose time is stolen ask for whole processors. Then "
        "run "
        "again."},
    CatalogueEntry{
        reason_id::kImplausible, kKind, "better than this machine, or any machine, can be",
        "The number is above a peak that the platform table or the inventory states, or beyond "
        "what the metric is on any machine (benches/NAME/metrics.json, copied into the report as "
        "bounds). Nobody has measured that: it is a slip of units, a clock that is wrong, work "
        "that was not done, or a table that is not of this machine.",
        "Look at the fact that the reason names. If the machine is really that good, the table or "
        "the list of metrics is wrong: mend it there. Else run the bench by hand and hold its "
        "number against a stopwatch."},
    CatalogueEntry{
        reason_id::kStoppedByEarlierStep, kKind, "an earlier step failed and the suite stops there",
        "The suite says that a failure of an earlier step ends the run, because later numbers "
        "would mean nothing. The reason names that step.",
        "Repair what the earlier step found, then run again."},
    CatalogueEntry{
        reason_id::kStoppedByFinding, kKind, "a finding ended the run before anything was measured",
        "The suite says that a finding like the one named ends the run: numbers of a machine that "
        "is set up so would mean nothing.",
        "Do what the finding says, then continue with --resume DIR, or suppress it in the suite "
        "with a reason and a last day."},
    CatalogueEntry{
        reason_id::kWaivedBySuite, kKind, "the suite says that it does not apply",
        "The suite lists this cell with a reason for not requiring it here. It counts as "
        "accepted and stays visible in the report.",
        "Check that the written reason still holds for this machine."},
    CatalogueEntry{
        reason_id::kWaivedByPlatform, kKind, "the platform table says that it does not apply",
        "The platform table has a waiver with a reason for this metric on this machine type. "
        "It counts as accepted and stays visible in the report.",
        "Check that the written reason still holds for this machine."},
    CatalogueEntry{
        reason_id::kWaivedBySite, kKind, "somebody has excused it until a day",
        "It did not pass, and a waiver of this site (--waive) excuses it: who, until when and why "
        "stands beside it, and what the verdict would have been. It counts as accepted.",
        "Mend the part before the day; from then on the cell is required again."},
    CatalogueEntry{
        reason_id::kSingleRank, kKind, "a group measurement in a run of one rank",
        "The step measures between ranks and this run has one, so there is nothing to measure "
        "between.",
        "Start with a launcher and two ranks or more: mpirun -n 2 rackproof run ..., or srun."},
    CatalogueEntry{
        reason_id::kLateRank, kKind, "a member came too late for its group",
        "A rank had not arrived when the time to form the group was over. The group step was "
        "left out rather than measured with fewer members. The reason names the rank and "
        "host.",
        "Look at the host of the late rank: slow file system at start, load, clock, network "
        "of the control plane. Run again when it answers promptly."},
};

}  // namespace verdicts
}  // namespace

std::span<const CatalogueEntry> verdict_entries() { return verdicts::kEntries; }

}  // namespace rackproof::model
