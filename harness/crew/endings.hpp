#pragma once

#include "harness/crew/order.hpp"
#include "harness/ingest/transcript.hpp"
#include "reports/model/attempt.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// What the lines of an attempt say, each read once: those of rank 0 were, as they came.
ingest::Transcript take_transcript(Ended& ended);

/// Ended by itself with 0 and a whole transcript.
bool is_clean(const model::Ending& ending);

/// A fault that may not be there the next time; the other endings say the same again.
bool is_transient(const model::Ending& ending);

/// Ended by itself because it waited in vain for another member of its group.
bool has_given_up(const model::Ending& ending);

/// Ended by itself with a wrong answer and a whole transcript: it has told all that it had to tell.
bool is_wrong_answer(const model::Ending& ending);

/// What is said to the attempts that are under way when the run stops, or a rank takes leave.
model::Reason<model::CancelReason> why_cancelled(const model::Reason<model::StepReason>& stop);
model::Reason<model::CancelReason> why_cancelled(const model::Reason<model::CloseReason>& leave);

}  // namespace rackproof::crew
