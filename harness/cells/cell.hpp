#pragma once

#include <string>
#include <vector>

#include "harness/evidence/context.hpp"
#include "harness/evidence/evidence.hpp"

namespace rackproof::cells {

/// The verdict of one cell by rules 1 to 6, with what the later rules need.
struct Judgement {
  model::Verdict verdict;
  /// Judged against a baseline that is not required: the outcome does not bear on acceptance.
  /// The measurements that the verdict rests on; empty when there was nothing to look at.
  std::vector<const model::Measurement*> clean;
  /// No attempt gave a number whose samples lie as close together as those of the metric do on a
  /// machine that nothing disturbs.
  bool scattered = false;
  /// What attempts that confirm gave, by the statistic of the verdict.
  std::vector<double> again;
  /// A limit judged it that is not of a generic table.
  bool limited = false;
  /// Why it would fail by the attempts that scattered, which were left out beside a steady one;
  /// empty where it would not.
  std::string left_out;
};

/// Of which verdicts the sentence is wanted: to write one takes as long as to come to it.
enum class Words { kAll, kNotOfPassed };

/// The measurements of the judgement are those of `cell`.
Judgement judge_cell(evidence::Courses& courses, const model::Cell& cell,
                     Words words = Words::kAll);

/// True when a limit of the verdict splits its interval: one end would pass and the other fail.
bool is_split(const model::Verdict& verdict);

}  // namespace rackproof::cells
