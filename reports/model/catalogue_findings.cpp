#include <array>

#include "reports/model/catalogue_tables.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::model {
namespace {
namespace findings {

constexpr std::string_view kKind = "finding";

constexpr std::array kEntries = {
    CatalogueEntry{
        finding_id::kAmbiguousPlatform, kKind, "two platform tables fit this host equally well",
        "The inventory of the host satisfies the rules of two tables and neither is more "
        "specific, so no table was chosen for it.",
        "Choose one with --platform NAME, or add a rule to one of the tables that tells the "
        "two machine types apart."},
    CatalogueEntry{
        finding_id::kInventoryFailed, kKind, "the inventory of a host could not be taken",
        "The child process that reads what the node is did not deliver: it hung, crashed or "
        "printed nothing usable. The host has no facts in the report, no platform is "
        "recognised for it, and its cells can't be judged.",
        "Run rackproof inventory on that host. A hang points at a driver or a dead mount: "
        "look in dmesg."},
    CatalogueEntry{finding_id::kGpuMissing, kKind, "a GPU is there and cannot be measured",
                   "The PCI bus shows an NVIDIA GPU that the management library does not "
                   "(gpu.unmanaged), or the "
                   "library counts one that it cannot ask (gpu.silent), or the driver is loaded "
                   "and the library does not answer: lost, in another driver's "
                   "hands, or in MIG "
                   "mode without an instance. What GPU steps owe for it is untested.",
                   "Look at nvidia-smi and for Xid lines in dmesg. Leave the GPU steps out with "
                   "--exclude where that GPU is not meant to be tested."},
    CatalogueEntry{
        finding_id::kPartialSelection, kKind, "only a part of the suite was run",
        "Steps were left out with --filter or --exclude. Such a run is never accepted: it is "
        "incomplete at best, and its first line names what is missing.",
        "Run the suite without filters, or write a suite of the steps that are to decide."},
    CatalogueEntry{
        finding_id::kNotAllThere, kKind, "hosts or GPUs that were meant to be there are missing",
        "--expect, a list of assets, the suite or the platform table says how many hosts and GPUs "
        "belong to this machine, and others took part in the run. All ranks on one host, for want "
        "of a hostfile, look the same. The run is incomplete.",
        "Look at the hostfile and at the hosts that are named; correct --expect or the list where "
        "it is wrong, and run again."},
    CatalogueEntry{
        finding_id::kUnwatched, kKind,
        "nobody watched the hardware of a host, and the suite demands it",
        "The suite accepts no run whose hosts were not recorded from end to end: no recorder was "
        "started there, it ended before the last step, or neither the kernel's log nor the driver "
        "could tell it of errors of a GPU. An Xid that nobody could see is not \"no Xid\".",
        "Run without --no-record; look at the finding not-recorded or recording-ends for why a "
        "recorder ended, and let the user read /dev/kmsg or give the container NVML's events."},
    CatalogueEntry{
        finding_id::kOtherPrograms, kKind, "a resumed run went on with other programs",
        "A later part of the run was made with another build of rackproof or of a bench, or by "
        "another suite or table, than the part before it: --allow-upgrade let it. rackproof verify "
        "says which results came from which program.",
        "For an acceptance record run the suite anew with one set of programs."},
    CatalogueEntry{finding_id::kDigestMismatch, kKind, "a device gave other bits than its like",
                   "In the vote over the digests of one answer this device is alone against a "
                   "majority, or against "
                   "itself. Its cells fail.",
                   "Take the device out of service and run the step again on it alone."},
    CatalogueEntry{finding_id::kDigestUndecided, kKind, "devices of one kind gave different bits",
                   "In the vote over the digests of one answer no digest has a majority of at "
                   "least three voters. "
                   "The cells of all of them are untested.",
                   "Run the step again together with more devices of the same kind."},
    CatalogueEntry{
        finding_id::kRuleFailed, kKind, "a rule of the judge could not be applied",
        "The rule ended with an error of this program. What the other rules say stands, and "
        "the run is not accepted, since nobody knows what this rule would have said.",
        "Report it together with report.json: rackproof judge on it shows the same. Judge "
        "again with a newer version."},
    CatalogueEntry{
        finding_id::kReportPartFailed, kKind, "a part of the report could not be made",
        "The verdicts are there, and making their causes or a rendering of them ended with an "
        "error of this program. The run is not accepted.",
        "Report it together with report.json. Verdicts and the other renderings are as good as "
        "ever."},
    CatalogueEntry{
        finding_id::kGroupFailed, kKind, "one member spoiled its group",
        "A process of a group ended in another way than well, was lost with its rank, "
        "or did not give "
        "the token that the others need. It was the first; the others were ended for "
        "its sake, or failed "
        "when it was gone. Of a group that was not done at its deadline those are named "
        "that had not come as far as the others; where all stood at the same place it is "
        "not known for whom they waited. Members that gave up on another one are witnesses: "
        "named is who failed meanwhile, or else who neither gave up nor ended.",
        "Look at the member, host and device that are named, not at the others. Run the "
        "bench there "
        "alone."},
    CatalogueEntry{
        finding_id::kUnexpectedMetric, kKind, "a bench delivered a number that no cell expects",
        "A record named a metric, parameter or subject that the suite does not expect. It is "
        "kept out of the verdict.",
        "If it should count, add it to the step's expectations. If a cell of the same step is "
        "untested, the names or parameters differ by mistake."},
    CatalogueEntry{
        finding_id::kRankLost, kKind, "a rank of the harness was lost",
        "A rank stopped answering. Its children were ended, what it had completed is kept, "
        "and its unfinished cells are untested.",
        "Look at the host in the finding: up, OOM kill or machine check in dmesg, ended by "
        "the batch system. Then continue with --resume DIR."},
    CatalogueEntry{
        finding_id::kHostSetAside, kKind, "a host was left out when the run was continued",
        "The run was resumed without this host, with --without or by rackproof launch, because it "
        "was lost. What it still owed is untested, so the run cannot be accepted.",
        "Repair or replace the host, then run the suite again with it, or on it alone."},
    CatalogueEntry{
        finding_id::kLateRank, kKind, "a rank arrived late or answered slowly",
        "One rank needed much longer than the others to come to a meeting point.",
        "Check load, shared file system and clock on that host. A node that is always late "
        "slows down every job."},
    CatalogueEntry{
        finding_id::kDisturbed, kKind, "other programs disturbed attempts on a host",
        "During attempts on this host programs that are no part of the run, or the hypervisor, "
        "took "
        "more of the processors' time than the suite lets pass. Numbers of such attempts do not "
        "count: the step was tried again where its attempts allow it, and what has no other number "
        "is untested.",
        "Find them with top and stop them, or drain the node in the batch system, and run again."},
    CatalogueEntry{
        finding_id::kDisturbanceIgnored, kKind,
        "attempts were disturbed, and their numbers count all the same",
        "The suite (judge.disturbed) or the command line (--disturbed ignore) takes what was "
        "measured while other programs ran as if nothing had been. A number that fails may be "
        "theirs, and one that passes would have been better alone.",
        "For an acceptance record run on a quiet machine, without that setting."},
    CatalogueEntry{
        finding_id::kFailedCheck, kKind, "a check failed that no number of the run rests on",
        "A bench found a wrong answer in something that the suite expects no number of, or that "
        "no number names as its proof. It may be about anything that its process did, so all that "
        "the process, or its group, measured in that round fails, and the run is not accepted.",
        "Read the check in the finding: what was compared, how much was wrong and where first. "
        "Treat the part like any that gives wrong answers: take it out of service and run the "
        "step on it alone."},
    CatalogueEntry{
        finding_id::kImplausible, kKind, "numbers are better than they can be",
        "Cells of this step and metric are above a peak of the machine, or beyond what any machine "
        "can be. They are untested (rackproof explain implausible). The finding quotes the first.",
        "Check that the platform is the right one, then the table's facts, the clock of the host, "
        "and the bench."},
    CatalogueEntry{
        finding_id::kUnsteady, kKind, "numbers scatter, or contradict each other",
        "Samples lie further apart than those of the metric do on a quiet machine, a small message "
        "took more than twice as long as a large one, or kernels that are sisters differ by more "
        "than the bench says. The step was tried again where its attempts allow it; cells that "
        "would have passed are untested (disturbed). The finding quotes the first.",
        "Look for what else uses the machine: top, other jobs on the fabric, clocks that change. "
        "Then run again. Where a large message really takes the shorter way on this machine, waive "
        "the smaller one in the table, with the reason."},
    CatalogueEntry{
        finding_id::kTableWarning, kKind, "the linter has a doubt about a table that judges",
        "rackproof check says this of a platform table by which hosts of the run are judged: a "
        "metric that no installed bench prints, a figure measured here without how many it stands "
        "for, a baseline that never judges. The table is used; with an error in it the run is "
        "refused.",
        "Mend the table at the line that the finding names, and run rackproof check on it."},
    CatalogueEntry{
        finding_id::kBusyMachine, kKind, "other programs ran before the first step",
        "For a second before the first step it was looked at what others use of the host's "
        "processors, and it is more than the suite lets pass. What is measured while that goes on "
        "does not count.",
        "Find them with top and stop them, or drain the node in the batch system. A suite ends "
        "such "
        "a run before it costs time with findings.stop of this id."},
    CatalogueEntry{
        finding_id::kLoadUnknown, kKind, "whether other programs disturbed the run is not known",
        "The kernel does not tell what its processors did, or which processes are this run's, so "
        "nothing was held against the numbers of this host.",
        "In containers let the ranks of one machine share their process namespace, and leave /proc "
        "as the kernel has it."},
    CatalogueEntry{
        finding_id::kHardwareEvent, kKind, "the kernel or a driver told that hardware failed",
        "During the run a fault was told that no program can cause: an Xid of broken hardware, a "
        "GPU that is lost, a fatal PCIe error, an uncorrected error of memory or processor. The "
        "first one of its kind is quoted. The run is rejected.",
        "Take the part out of service and look for the text in its maker's catalogue. One that is "
        "known can be suppressed in the suite, with a reason and a last day."},
    CatalogueEntry{
        finding_id::kNotRecorded, kKind, "what a host did during the run is not known",
        "The recorder of that host could not write its file, or the file is not beside the "
        "journals "
        "or is damaged. Verdicts do not depend on it; what could explain them is missing.",
        "See the reason: room on the disk of the run directory, and whether rank 0 sees the "
        "directory of that host."},
    CatalogueEntry{
        finding_id::kRecordingEnds, kKind, "a recording ends before the run does",
        "The recorder of that host was killed or ended by itself. Its samples up to the time named "
        "are in the file and in the summaries of the attempts before that time.",
        "Look for what killed it: the kernel for want of memory, or a user."},
    CatalogueEntry{
        finding_id::kClocksApart, kKind, "a host's clock is not that of the others",
        "At the start rank 0 asked every host for the time, several times, and kept the answer "
        "with the shortest way. The clock of the host named differs by more than a second. No "
        "deadline and no measurement rests on it; times of day in the report do.",
        "Look at chronyc tracking or timedatectl on that host. Every host's difference is the fact "
        "clock.offset_seconds in the report."},
    CatalogueEntry{
        finding_id::kClockJumped, kKind, "a host's clock jumped during the run",
        "Between the start and the end of the run the wall clock of the host named moved by more "
        "than a second other than time passed, and faster than a clock is slewed. Measurements and "
        "deadlines rest on clocks that do not jump; times of day in the report of that host are "
        "wrong on one side of the jump.",
        "Look at chronyc tracking or timedatectl on that host: a clock that is stepped while it "
        "works was far off before, or is set by two services."},
    CatalogueEntry{
        finding_id::kMixedPlatforms, kKind, "the hosts of the run are of different machine types",
        "Hosts were recognised as different platforms; the ones that differ from most are named. "
        "Each is judged by its own table. A group or link over hosts of two platforms has no "
        "common limits, so its cells are unjudged.",
        "If the machines should be alike, compare their inventories in the report. If not, "
        "run each type on its own for limits that are as tight as possible."},
    CatalogueEntry{finding_id::kPlatformForced, kKind, "the platform table was chosen by hand",
                   "--platform named a table, so it was used instead of looking for one that fits.",
                   "Make sure that the table is the right one. For an acceptance record prefer "
                   "--platform auto and a table that recognises the machine."},
    CatalogueEntry{
        finding_id::kExpectationUnmet, kKind, "a host is not what its platform table expects",
        "The table of the host expects something of its inventory, such as the number of GPUs, and "
        "it is otherwise or not known. With severity error the machine is rejected, or incomplete "
        "where the fact is not known, whatever its cells say.",
        "Do what the finding says and run again. rackproof inventory prints the fact and why it "
        "could not be read."},
    CatalogueEntry{
        finding_id::kPlatformContradicted, kKind,
        "the table that judged a host is not for that host",
        "--force-platform had a table used although a rule by which it is recognised does not hold "
        "on the host named: the finding tells the rule and what the host has. Limits of another "
        "machine say nothing about this one.",
        "Leave --platform out, or name the table of this machine. Where the rule is wrong, correct "
        "it in the table."},
    CatalogueEntry{
        finding_id::kPlatformUnrecognised, kKind, "no table recognises this machine",
        "No platform table fits, so a generic one was used. It checks correctness, the spread "
        "among peers and fractions of peaks that the inventory can compute, and says nothing "
        "about what this machine type should reach. The finding names the table that came nearest "
        "and the first of its rules that fails.",
        "Write a table for the machine type (docs/platforms.md) or choose one with "
        "--platform."},
    CatalogueEntry{
        finding_id::kVisibleDevices, kKind, "the caller's CUDA_VISIBLE_DEVICES would hide GPUs",
        "The run was started with CUDA_VISIBLE_DEVICES, which shows fewer GPUs than the inventory "
        "of the hosts named has. Benches do not get it: each attempt on a GPU is given that one, "
        "and one over a whole node sees all of them.",
        "Where a scheduler or container gave the job a part of the node only, start the run in a "
        "job that has all of it: others may be using the rest. Otherwise unset the variable."},
    CatalogueEntry{
        finding_id::kFlaky, kKind, "a step needed more than one attempt",
        "An attempt ended without a usable result or with an undecided number, and a later "
        "one decided. All attempts are in the report.",
        "Do not take it lightly: compare the attempts. A crash or timeout that went away is a "
        "fault waiting to return, so run the step several times on that subject."},
    CatalogueEntry{
        finding_id::kCellsWaived, kKind, "a waiver excuses results",
        "Results that did not pass are excused by a waiver of this site (--waive), which the run "
        "was given: how many, by whom, until when and why.",
        "Mend the part before the day; from then on its results are required again."},
    CatalogueEntry{
        finding_id::kWaiverOver, kKind, "a waiver has ended, and its results are required again",
        "A waiver of this site (--waive) fits results that did not pass, and its last day was "
        "before the run.",
        "Mend the part and measure again, or have the waiver prolonged by who may do so."},
    CatalogueEntry{
        finding_id::kWaiverRefused, kKind, "a waiver cannot excuse this",
        "A waiver of this site (--waive) fits a result that is wrong, or that a fault of the "
        "hardware befell, or whose number does not reach what the waiver itself asks for. It stays "
        "as it is.",
        "Take the part out of service. A waiver is for what is slow or untested, and known."},
    CatalogueEntry{
        finding_id::kWaiverUnused, kKind, "a waiver excuses nothing",
        "Nothing that a waiver of this site (--waive) fits needed it: all of it passes, or there "
        "is nothing like it in this run.",
        "Take it out of the list, or correct its patterns."},
    CatalogueEntry{
        finding_id::kFloodedOutput, kKind, "a bench printed more than is kept",
        "The output of a process passed its limit and the rest was dropped. The number of "
        "bytes dropped is in the finding.",
        "Look at the kept end of the error output for the message that repeats, and silence "
        "its source (debug variables of a library are the usual cause)."},
    CatalogueEntry{
        finding_id::kStragglerProcess, kKind, "processes were left over and have been killed",
        "After a bench had ended, processes that it started were still there. They were "
        "killed so that they don't disturb the next measurement.",
        "Find out what starts them (name and command are in the finding). Numbers of the same "
        "step may have been disturbed: measure again."},
    CatalogueEntry{
        finding_id::kConfigMismatch, kKind, "a host is set up unlike the others",
        "A fact of the inventory that should be equal on like hosts or devices differs on the "
        "one named: driver, VBIOS, ECC, links, kernel, governor, memory, firmware, limits. Which "
        "ones are compared stands in configs/comparison.json. With severity isolate the run is "
        "rejected.",
        "Do what the finding says, or set the odd host as the others are, then run again. An "
        "unlike node explains many slow group results. A difference that is known can be "
        "suppressed in the suite, with a reason and a last day."},
    CatalogueEntry{
        finding_id::kIdentityShared, kKind, "hosts share what no two hosts have",
        "A serial number, UUID or address of the inventory is the same on the hosts named, as of "
        "a cloned image or of one machine that is counted under two names.",
        "Find out whether these are different machines. If they are, give each its own identity; "
        "if not, start its ranks under one host name."},
    CatalogueEntry{
        finding_id::kJournalDamaged, kKind, "a journal has damaged lines",
        "A line of a journal could not be read: torn at the end by a crash, or damaged in the "
        "middle. Cells that depend on it are untested. Nothing was guessed.",
        "Damage at the very end is what a crash leaves and is harmless. Damage in the middle "
        "points at storage: check dmesg, the file system and its quota before trusting that "
        "directory."},
    CatalogueEntry{
        finding_id::kResumed, kKind, "the run was continued after a break",
        "The run was stopped and continued with --resume. Steps done before the break were "
        "not repeated.",
        "Nothing to do. Check that no part was changed in between: what changed in the "
        "inventory is a finding of its own."},
    CatalogueEntry{
        finding_id::kHostRestarted, kKind, "a host was restarted between two parts of a run",
        "The boot id of the host is another one than when the run began. Steps that were done "
        "before the restart keep their results, all others were measured after it.",
        "Find out why it restarted: a machine that restarts by itself is not sound. If settings "
        "may have changed with it, begin a new run."},
    CatalogueEntry{
        finding_id::kOutOfMemory, kKind, "the kernel killed processes for want of memory",
        "While the bench ran, the kernel's out-of-memory killer ended processes in the memory "
        "cgroup of the run. A SIGKILL that nobody sent is most likely its work.",
        "Raise the memory limit of the job or container (dmesg names the victim and the limit), "
        "or find out what else uses the memory."},
    CatalogueEntry{
        finding_id::kInterrupted, kKind, "the run was interrupted",
        "A signal ended the run before its last step. What was measured is kept and what was "
        "not is untested.",
        "Continue with rackproof run --resume DIR."},
    CatalogueEntry{
        finding_id::kFaultInjected, kKind, "a test-only fault was on during this run",
        "At least one bench ran with data corruption switched on. None of its cells can pass.",
        "Run again without it. This report is no acceptance record."},
    CatalogueEntry{
        finding_id::kDebugBuild, kKind, "the program or a bench is not a release build",
        "Optimisation was off, or sanitizers were on. Correctness results hold, speeds mean "
        "little.",
        "Build with the release preset before judging speed."},
};

}  // namespace findings
}  // namespace

std::span<const CatalogueEntry> finding_entries() { return findings::kEntries; }

}  // namespace rackproof::model
