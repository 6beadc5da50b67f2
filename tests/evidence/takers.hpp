#pragma once

#include <string>
#include <vector>

#include "tests/evidence/scenes.hpp"

namespace rackproof::evidence {

/// What a document came to.
struct Fate {
  bool refused = false;  ///< a clear error, and no verdict
  model::Acceptance acceptance = model::Acceptance::kIncomplete;
  bool ill_passed = false;  ///< the cell that must not pass in a scene that is ill has passed
  std::string why;          ///< of the refusal, or of the acceptance

  bool accepted() const { return !refused && acceptance == model::Acceptance::kAccepted; }
};

/// As `rackproof judge` takes a report: it is read, held against what is installed, and judged
/// again. Anything but a clear error or a verdict is an exception of this.
Fate take_report(const std::string& text, const Installation& installation);

/// As `rackproof assemble` and then `judge` take journals, here without their seals: a journal
/// whose seal is broken is read up to the break.
Fate take_journals(const std::vector<assemble::JournalFile>& unsealed,
                   const Installation& installation);

/// As a run takes a table, or a suite, beside the other one that is installed: it is refused, or
/// the scene is played again with it.
Fate take_table(const std::string& text, Ill ill, const Installation& installation);
Fate take_suite(const std::string& text, Ill ill, const Installation& installation);

}  // namespace rackproof::evidence
