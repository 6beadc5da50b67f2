#include <array>

#include "reports/catalogue/catalogue_tables.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::catalogue {
namespace {
namespace findings {

constexpr std::string_view kKind = "finding";

constexpr std::array kEntries = {
    CatalogueEntry{model::finding_id::kAmbiguousPlatform, kKind,
                   "two platform tables match this host equally well",
                   "The inventory of the host matches the rules of two tables and neither is more "
                   "specific, so no table was chosen.",
                   "Choose one with --platform NAME, or add a rule to one of the tables that tells "
                   "the two machine types apart."},
    CatalogueEntry{model::finding_id::kInventoryFailed, kKind,
                   "the inventory of a host could not be taken",
                   "The process that takes the inventory hung, crashed or printed nothing usable. "
                   "The host has no facts in the report, its platform is not recognised, and its "
                   "cells cannot be judged.",
                   "Run rackproof inventory on that host. A hang points to a driver or a dead "
                   "mount: see dmesg."},
    CatalogueEntry{
        model::finding_id::kTopologyGap, kKind,
        "the topology and the adapters of a host do not fit together",
        "The files of --topology do not say where an RDMA adapter of the host is connected, or "
        "they name an adapter that the host does not have. What is said of the others "
        "stands. A slow pair over this adapter is named without its rail, leaf, port "
        "and cable.",
        "Take the topology again after parts were swapped, and compare its names of "
        "hosts and adapters with rackproof inventory on the host."},
    CatalogueEntry{model::finding_id::kGpuMissing, kKind, "a GPU is present but cannot be measured",
                   "The PCI bus shows an NVIDIA GPU that NVML does not list (gpu.unmanaged), or "
                   "NVML counts one that it cannot query (gpu.silent), or the driver is loaded and "
                   "NVML does not answer. The GPU is lost, bound to another driver, or in MIG mode "
                   "without an instance. Its cells in GPU steps are untested.",
                   "Check nvidia-smi, and dmesg for Xid lines. Skip the GPU steps with --exclude "
                   "if that GPU is not to be tested."},
    CatalogueEntry{
        model::finding_id::kPartialSelection, kKind,
        "only part of the suite, or of the hosts, was run",
        "Steps were skipped with --filter or --exclude, hosts of the job with --only-host, or what "
        "had passed with --failed. Such a run is never accepted: it is incomplete at best, and its "
        "first line names what is "
        "missing.",
        "Run the suite without them, or write a suite with the steps that should decide. After a "
        "repair, retest measures what it touches and gives one report of the whole rack."},
    CatalogueEntry{model::finding_id::kPlannedSuite, kKind,
                   "the suite is a shorter one, planned for a number of minutes",
                   "rackproof plan chose the steps that find most faults in the time that was "
                   "given. Accepted means: of what was planned. The shares are expectations, by "
                   "published failure rates and by assumed chances of finding a fault.",
                   "Run the whole suite when there is time for it. rackproof plan --help says how "
                   "to plan with the durations and failures of your own machines."},
    CatalogueEntry{model::finding_id::kNotAllThere, kKind, "expected hosts or GPUs are missing",
                   "--expect, an asset list, the suite or the platform table says which hosts and "
                   "GPUs belong to this machine, and the run had others. All ranks on one host, "
                   "because of a missing hostfile, look the same. The run is incomplete.",
                   "Check the hostfile and the hosts named; correct --expect or the list if it is "
                   "wrong, and run again."},
    CatalogueEntry{
        model::finding_id::kUnwatched, kKind,
        "the hardware of a host was not monitored, and the suite requires it",
        "The suite accepts a run only if all hosts were recorded from start to end. Here no "
        "recorder was started, it ended before the last step, or neither the kernel log nor the "
        "driver could report GPU errors to it. An Xid that could not be seen does not count as "
        "\"no Xid\".",
        "Run without --no-record. The finding not-recorded or recording-ends says why a recorder "
        "ended. Give the user access to /dev/kmsg, or the container access to NVML events."},
    CatalogueEntry{model::finding_id::kOtherPrograms, kKind,
                   "a resumed run continued with other programs",
                   "A later part of the run used another build of rackproof or of a bench, or "
                   "another suite or table, as --allow-upgrade permits. rackproof verify says "
                   "which results came from which program.",
                   "For an acceptance record, run the suite again with one set of programs."},
    CatalogueEntry{model::finding_id::kDigestMismatch, kKind,
                   "the result of a device is not bit-identical to its peers'",
                   "In the vote over the digests of one answer, this device differs from the "
                   "majority, or from itself. Its cells fail.",
                   "Take the device out of service and run the step again on it alone."},
    CatalogueEntry{model::finding_id::kDigestUndecided, kKind,
                   "results of devices of one kind are not bit-identical",
                   "In the vote over the digests of one answer, no digest has a majority among at "
                   "least three voters. The cells of all of them are untested.",
                   "Run the step again together with more devices of the same kind."},
    CatalogueEntry{model::finding_id::kRuleFailed, kKind,
                   "a rule of the judge could not be applied",
                   "The rule ended with an internal error. The results of the other rules stand. "
                   "The run is not accepted, since the result of this rule is unknown.",
                   "Report it with report.json: rackproof judge reproduces it. Judge again with a "
                   "newer version."},
    CatalogueEntry{
        model::finding_id::kReportPartFailed, kKind, "part of the report could not be made",
        "The verdicts are complete, but making their causes or a rendering ended with an internal "
        "error. The run is not accepted.",
        "Report it with report.json. Verdicts and the other renderings are not affected."},
    CatalogueEntry{
        model::finding_id::kGroupFailed, kKind, "one member caused its group to fail",
        "A process of a group failed, was lost with its rank, or did not provide the token that "
        "the others need. It was the first; the others were cancelled, or failed after it was "
        "gone. If a group missed its deadline, the members that were behind the others are named; "
        "if all were at the same place, it is not known for whom they waited. Members that gave up "
        "on another member are witnesses: the one that failed meanwhile is named, or else the one "
        "that neither gave up nor ended.",
        "Look at the member, host and device named, not at the others. Run the bench there alone."},
    CatalogueEntry{
        model::finding_id::kBadMember, kKind, "parts of a failed group fail with this member alone",
        "A group failed in a way that showed no one member to be the cause: a wrong answer, or a "
        "hang in which all stood at the same place. It was run again, then its halves, the halves "
        "of those that failed, and so on; a last single member ran together with one that had done "
        "well. Each part with the member in this finding failed, and the others did well.",
        "Examine this device or host first. Run the bench there alone, or in a group with a few "
        "members that did well. The runs of the parts are the attempts with `narrows`."},
    CatalogueEntry{
        model::finding_id::kSlowMember, kKind, "parts of a slow group are slow with this part",
        "A group missed a limit of speed. Parts of it with the same number of members were run one "
        "after the other, two at a time that differ by the suspects alone: first its halves, then "
        "each half of the slower one's members beside the same others. The part with the device or "
        "host in this finding was slower than its like, by more than the suite's peer_margin, each "
        "time. A host is named where no one of its members is slower than the others.",
        "Examine this device or host first: clocks and throttling, PCIe and NVLink width, its "
        "adapters and their cables. The runs of the parts are the attempts with `narrows`."},
    CatalogueEntry{
        model::finding_id::kGroupNarrowed, kKind,
        "a group that failed or is slow was run in parts, and no member found",
        "The group did well when it was run again, or its members fail only together, or neither "
        "half of a slow one is slower than the other, or the time for it was over before a single "
        "member was found. The text says which, and among which members the cause is.",
        "If it fails only together, or is slow as a whole, look at what those members share: "
        "links, switches, rails, settings. If it fails at times, run the step several times."},
    CatalogueEntry{model::finding_id::kUnexpectedMetric, kKind,
                   "a bench reported a number that no cell expects",
                   "A record has a metric, parameter or subject that the suite does not expect. It "
                   "does not affect the verdict.",
                   "If it should count, add it to the step's expectations. If a cell of the same "
                   "step is untested, names or parameters probably differ by mistake."},
    CatalogueEntry{
        model::finding_id::kRankLost, kKind, "a rank of the harness was lost",
        "A rank stopped responding. Its child processes were ended, completed results are kept, "
        "and its unfinished cells are untested.",
        "Check the host in the finding: is it up, does dmesg show an OOM kill or machine check, "
        "did the batch system end the job. Then continue with --resume DIR."},
    CatalogueEntry{
        model::finding_id::kHostSetAside, kKind, "a host was left out when the run was continued",
        "The run was resumed without this host, with --without or by rackproof launch, because it "
        "was lost. Its remaining cells are untested, so the run cannot be accepted.",
        "Repair or replace the host, then run the suite again with it or on it alone."},
    CatalogueEntry{model::finding_id::kLateRank, kKind, "a rank arrived late or responded slowly",
                   "One rank needed much longer than the others to reach a synchronisation point.",
                   "Check load, shared file system and clock on that host. A node that is always "
                   "late slows every job."},
    CatalogueEntry{
        model::finding_id::kDisturbed, kKind, "other programs disturbed attempts on a host",
        "During attempts on this host, other programs or the hypervisor took more CPU time than "
        "the suite permits. Numbers of such attempts do not count: the step was repeated as far as "
        "its attempts allow, and cells without another number are untested.",
        "Find the programs with top and stop them, or drain the node in the batch system, and run "
        "again."},
    CatalogueEntry{model::finding_id::kDisturbanceIgnored, kKind,
                   "attempts were disturbed, but their numbers count",
                   "The suite (judge.disturbed) or the command line (--disturbed ignore) accepts "
                   "numbers measured while other programs ran. A failure may be caused by them, "
                   "and a pass would have been better without them.",
                   "For an acceptance record, run on a quiet machine without that setting."},
    CatalogueEntry{
        model::finding_id::kFailedCheck, kKind, "a check failed that belongs to no number",
        "A bench found a wrong answer in something for which the suite expects no number, or which "
        "no number names as its check. It may affect anything the process did, so everything that "
        "the process, or its group, measured in that round fails, and the run is not accepted.",
        "Read the check in the finding: what was compared, how many were wrong and where first. "
        "Treat the part like any that gives wrong answers: take it out of service and run the step "
        "on it alone."},
    CatalogueEntry{
        model::finding_id::kImplausible, kKind, "numbers are better than they can be",
        "Cells of this step and metric exceed a peak of the machine, or what is possible on any "
        "machine. They are untested (rackproof explain implausible). The finding quotes the first.",
        "Check the platform, the facts of the table, the clock of the host, and the bench."},
    CatalogueEntry{
        model::finding_id::kUnsteady, kKind, "numbers scatter or contradict each other",
        "The samples scatter more than this metric does on a quiet machine, a small message took "
        "more than twice as long as a large one, or related kernels differ by more than the bench "
        "permits. The step was repeated as far as its attempts allow; cells that would have passed "
        "are untested (disturbed). The finding quotes the first.",
        "Look for other users of the machine: top, other jobs on the fabric, changing clocks. Then "
        "run again. If a large message really is faster on this machine, waive the smaller one in "
        "the table, with the reason."},
    CatalogueEntry{model::finding_id::kTableWarning, kKind,
                   "rackproof check warns about a platform table in use",
                   "rackproof check gives this warning for a table that judges hosts of this run: "
                   "a metric that no installed bench prints, a figure measured here without the "
                   "number of runs behind it, or a baseline that never applies. The table is used; "
                   "a table with an error is refused.",
                   "Correct the table at the line in the finding, and run rackproof check on it."},
    CatalogueEntry{model::finding_id::kBusyMachine, kKind,
                   "other programs were running before the first step",
                   "In the second before the first step, other programs used more of the host's "
                   "CPUs than the suite permits. Measurements do not count while that lasts.",
                   "Find the programs with top and stop them, or drain the node in the batch "
                   "system. With this id in findings.stop, a suite ends such a run at once."},
    CatalogueEntry{model::finding_id::kLoadUnknown, kKind,
                   "it is not known whether other programs disturbed the run",
                   "The kernel does not say what the CPUs did, or which processes belong to this "
                   "run, so no number of this host was discounted.",
                   "In containers, let the ranks of one machine share a process namespace, and do "
                   "not mask /proc."},
    CatalogueEntry{
        model::finding_id::kHardwareEvent, kKind,
        "the kernel or a driver reported a hardware fault",
        "During the run, a fault was reported that no program can cause: an Xid for broken "
        "hardware, a lost GPU, a fatal PCIe error, or an uncorrected memory or CPU error. The "
        "first of its kind is quoted. The run is rejected.",
        "Take the part out of service and look up the text in the vendor's documentation. A known "
        "one can be suppressed in the suite, with a reason and an end date."},
    CatalogueEntry{model::finding_id::kNotRecorded, kKind,
                   "there is no telemetry of a host for this run",
                   "The recorder of that host could not write its file, or the file is missing or "
                   "damaged. Verdicts do not depend on it, but their causes cannot be explained.",
                   "See the reason in the finding: free space for the run directory, and whether "
                   "rank 0 sees the directory of that host."},
    CatalogueEntry{model::finding_id::kRecordingEnds, kKind, "a recording ends before the run does",
                   "The recorder of that host was killed or exited. Its samples up to the time "
                   "named are in the file and in the summaries of earlier attempts.",
                   "Find out what killed it: the out-of-memory killer, or a user."},
    CatalogueEntry{
        model::finding_id::kClocksApart, kKind, "the clock of a host differs from the others",
        "At the start, rank 0 asked every host for the time several times and kept the answer with "
        "the shortest round trip. The clock of the host named is off by more than a second. "
        "Deadlines and measurements do not depend on it; times of day in the report do.",
        "Check chronyc tracking or timedatectl on that host. The offset of each host is the fact "
        "clock.offset_seconds in the report."},
    CatalogueEntry{
        model::finding_id::kClockJumped, kKind, "the clock of a host jumped during the run",
        "Between the start and the end of the run, the wall clock of the host named jumped by more "
        "than a second, faster than a clock is slewed. Measurements and deadlines use monotonic "
        "clocks; times of day of that host are wrong on one side of the jump.",
        "Check chronyc tracking or timedatectl on that host: a clock that is stepped during "
        "operation was far off before, or is set by two services."},
    CatalogueEntry{model::finding_id::kMixedPlatforms, kKind,
                   "the hosts of the run are of different machine types",
                   "Hosts were recognised as different platforms; the minority is named. Each host "
                   "is judged by its own table. A group or link over two platforms has no common "
                   "limits, so its cells are unjudged.",
                   "If the machines should be alike, compare their inventories in the report. If "
                   "not, run each type separately."},
    CatalogueEntry{
        model::finding_id::kPlatformForced, kKind, "the platform table was chosen by hand",
        "--platform named a table, so it was used instead of searching for a matching one.",
        "Make sure that it is the right table. For an acceptance record, prefer --platform auto "
        "and a table that matches the machine."},
    CatalogueEntry{model::finding_id::kExpectationUnmet, kKind,
                   "a host does not meet its platform table",
                   "The table requires something of the host's inventory, such as the number of "
                   "GPUs, that differs or is unknown. With severity error the machine is rejected, "
                   "or incomplete if the fact is unknown, whatever its cells say.",
                   "Do what the finding says and run again. rackproof inventory prints the fact, "
                   "or why it could not be read."},
    CatalogueEntry{model::finding_id::kPlatformContradicted, kKind,
                   "a host does not match the table that judged it",
                   "--force-platform used a table although the host named does not match one of "
                   "its rules: the finding quotes the rule and what the host has. Limits of "
                   "another machine say nothing about this one.",
                   "Omit --platform, or name the table of this machine. If the rule is wrong, "
                   "correct it in the table."},
    CatalogueEntry{
        model::finding_id::kPlatformUnrecognised, kKind, "no platform table matches this machine",
        "No platform table matches, so a generic one was used. It checks correctness, outliers "
        "among peers and fractions of computed peaks, but not what this machine type should reach. "
        "The finding names the closest table and the first of its rules that fails.",
        "Write a table for the machine type (docs/platforms.md) or choose one with --platform."},
    CatalogueEntry{
        model::finding_id::kVisibleDevices, kKind,
        "the caller's CUDA_VISIBLE_DEVICES would hide GPUs",
        "The run was started with a CUDA_VISIBLE_DEVICES that shows fewer GPUs than the hosts "
        "named have. It is not passed to benches: an attempt on a GPU gets that one, and one over "
        "a whole node sees all of them.",
        "If a scheduler or container gave the job only part of the node, run in a job that has all "
        "of it: others may be using the rest. Otherwise unset the variable."},
    CatalogueEntry{model::finding_id::kFlaky, kKind, "a step needed more than one attempt",
                   "An attempt ended without a usable result or with an undecided number, and a "
                   "later one decided. The report has all attempts.",
                   "Compare the attempts. A crash or timeout that went away is likely to return: "
                   "run the step several times on that subject."},
    CatalogueEntry{
        model::finding_id::kCellsWaived, kKind, "results are waived by this site",
        "Results that did not pass are waived by this site (--waive). The finding says how many, "
        "by whom, until when and why.",
        "Repair the part before the end date; after it, its results are required again."},
    CatalogueEntry{
        model::finding_id::kWaiverOver, kKind,
        "a waiver has expired; its results are required again",
        "A waiver of this site (--waive) matches results that did not pass, but it expired before "
        "the run.",
        "Repair the part and measure again, or have the waiver extended by someone authorised."},
    CatalogueEntry{
        model::finding_id::kWaiverRefused, kKind, "this cannot be waived",
        "A waiver of this site (--waive) matches a wrong answer, a result with a hardware fault, "
        "or a number below what the waiver itself requires. The verdict stands.",
        "Take the part out of service. Waivers are for known slow or untested results."},
    CatalogueEntry{model::finding_id::kWaiverUnused, kKind, "a waiver has no effect",
                   "No result that a waiver of this site (--waive) matches needed it: all pass, or "
                   "this run has none.",
                   "Remove it, or correct its patterns."},
    CatalogueEntry{model::finding_id::kFloodedOutput, kKind, "the output of a bench was truncated",
                   "The output of a process exceeded its limit and the rest was dropped. The "
                   "finding says how many bytes.",
                   "Look at the end of the error output for a repeating message, and silence its "
                   "source (usually debug variables of a library)."},
    CatalogueEntry{model::finding_id::kLeftoverProcess, kKind, "leftover processes were killed",
                   "After a bench had ended, processes that it had started were still running. "
                   "They were killed so that they do not disturb the next measurement.",
                   "Find out what starts them (the finding has name and command). Numbers of the "
                   "same step may have been disturbed: measure again."},
    CatalogueEntry{model::finding_id::kConfigMismatch, kKind,
                   "a host is configured differently from the others",
                   "An inventory fact that should be equal on hosts or devices of one kind differs "
                   "on the one named: driver, VBIOS, ECC, links, kernel, governor, memory, "
                   "firmware, limits. configs/comparison.json lists the facts compared. With "
                   "severity isolate the run is rejected.",
                   "Do what the finding says, or configure the host like the others, then run "
                   "again. One different node explains many slow group results. A known difference "
                   "can be suppressed in the suite, with a reason and an end date."},
    CatalogueEntry{model::finding_id::kIdentityShared, kKind,
                   "hosts share an identity that must be unique",
                   "The hosts named have the same serial number, UUID or address: a cloned image, "
                   "or one machine under two names.",
                   "If these are different machines, give each its own identity; if not, start the "
                   "ranks under one host name."},
    CatalogueEntry{
        model::finding_id::kJournalDamaged, kKind, "a journal has damaged lines",
        "A line of a journal could not be read: cut off by a crash at the end, or damaged in the "
        "middle. Cells that depend on it are untested; nothing was guessed.",
        "Damage at the very end is the normal result of a crash. Damage in the middle points to "
        "storage: check dmesg, the file system and its quota before trusting that directory."},
    CatalogueEntry{
        model::finding_id::kResumed, kKind, "the run was resumed",
        "The run was interrupted and continued with --resume. Steps done before were not repeated.",
        "Nothing to do. Changes of the inventory in between are findings of their own."},
    CatalogueEntry{
        model::finding_id::kAmended, kKind, "the report amends an earlier one after a repair",
        "What was repaired, did not pass or was too old was measured again by rackproof retest. "
        "The "
        "rest keeps the numbers of the earlier report, so like parts are compared by numbers of "
        "different days.",
        "Nothing to do. rackproof verify looks at the chain of reports; field amends has their "
        "digests, and each result that was kept has its date in evidence_utc."},
    CatalogueEntry{model::finding_id::kHostRestarted, kKind,
                   "a host was rebooted between two parts of a run",
                   "The boot id of the host changed since the run began. Steps done before the "
                   "reboot keep their results; all others were measured after it.",
                   "Find out why it rebooted: a machine that reboots by itself is not healthy. If "
                   "settings may have changed, start a new run."},
    CatalogueEntry{model::finding_id::kOutOfMemory, kKind,
                   "the kernel killed processes for lack of memory",
                   "While the bench ran, the out-of-memory killer ended processes in the memory "
                   "cgroup of the run. It is the most likely sender of an unexplained SIGKILL.",
                   "Raise the memory limit of the job or container (dmesg names victim and limit), "
                   "or find out what else uses memory."},
    CatalogueEntry{model::finding_id::kInterrupted, kKind, "the run was interrupted",
                   "A signal ended the run before its last step. Completed results are kept; the "
                   "rest is untested.",
                   "Continue with rackproof run --resume DIR."},
    CatalogueEntry{
        model::finding_id::kFaultInjected, kKind, "a test-only fault was on during this run",
        "At least one bench ran with fault injection switched on. None of its cells can pass.",
        "Run again without it. This report is not an acceptance record."},
    CatalogueEntry{model::finding_id::kDebugBuild, kKind,
                   "the program or a bench is not a release build",
                   "Optimisation was off, or sanitizers were on. Correctness results are valid; "
                   "speeds are not meaningful.",
                   "Build with the release preset before judging speed."},
};

}  // namespace findings
}  // namespace

std::span<const CatalogueEntry> finding_entries() { return findings::kEntries; }

}  // namespace rackproof::catalogue
