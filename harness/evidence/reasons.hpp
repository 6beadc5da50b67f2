#pragma once

#include <optional>
#include <string>

#include "reports/model/reason_id.hpp"
#include "reports/model/report.hpp"

namespace rackproof::evidence {

struct Absent;
class Context;

namespace reason_id = model::reason_id;

/// A verdict without numbers.
model::Verdict verdict(model::Outcome outcome, const char* id, std::string sentence);

/// The exit code of a process that ended by itself, or nothing.
std::optional<int> exit_code_of(const model::Ending& ending);

/// Cancelled though nothing was wrong with it: for the sake of another member, or of the run. A
/// member that did not bring its group up was cancelled for its own.
bool was_cancelled(const model::Ending& ending);

/// Cancelled for the sake of the run alone: interrupted, or out of time.
bool was_cut_short(const model::Ending& ending);

/// Ended saying that it is not available here.
bool was_unavailable(const model::Ending& ending);

/// Ended because it waited in vain for another member of its group: a witness, not the culprit.
bool has_given_up(const model::Ending& ending);

/// "attempt 2 of rank 3 on node3", or of a member of a group: for sentences.
std::string name_of(const model::Attempt& attempt);

/// "copy.local bytes 1 MiB": what a cell is about, but for its subject.
std::string quantity_of(const model::Cell& cell);

/// Why a cell has no trustworthy number after `attempt`.
model::Verdict untested_after(const model::Attempt& attempt);

/// Why a cell has no trustworthy number when members of its group left no attempt.
model::Verdict untested_without_members(const Absent& absent);

/// For a cell about a node in a step over devices: that the host has GPUs which cannot be measured,
/// or that nobody knows what it has. Nothing for any other cell.
std::optional<model::Verdict> owed_without_gpu(const Context& context, const model::Cell& cell,
                                               const model::StepInfo* step);

/// For a cell without a measurement about a host that a resumed run left out: which, and why it
/// was. Nothing for any other cell.
std::optional<model::Verdict> left_with_its_host(const Context& context, const model::Cell& cell);

/// Why a cell that no attempt covers has none. `step` may be null (the report does not list it).
/// The step's reason decides by the id that it begins with ("late-rank: rank 3 ..."), else by its
/// words.
model::Verdict untested_without_attempt(const Context& context, const model::Cell& cell,
                                        const model::StepInfo* step);

/// "check "triad" ... found 3 of 1000 wrong, first at ...". `check` may be null: the process said
/// by its exit code alone that the answer was wrong. `attempt` may be null.
model::Verdict wrong_answer(const model::Attempt* attempt, const model::CheckResult* check);

}  // namespace rackproof::evidence
