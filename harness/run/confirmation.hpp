#pragma once

#include <cstddef>
#include <vector>

#include "harness/judge/judge.hpp"
#include "harness/run/step_runner.hpp"

namespace rackproof::run {

/// Measures again, alone, what is worse than its peers, and some of the better half beside it: what
/// the judge then fails is a part, and no bad moment.
class Confirmation {
 public:
  Confirmation(Context& context, StepRunner& runner)
      : context_(context), runner_(runner), suspects_(context.live) {}

  /// For the step that the runner has measured last.
  void run(const plan::PlacedStep& step);

 private:
  void confirm_processes(const plan::PlacedStep& step);
  void confirm_in_ranks(const plan::PlacedStep& step);
  std::vector<std::size_t> choose(const plan::PlacedStep& step);
  std::vector<std::vector<std::size_t>> waves_of(const plan::PlacedStep& step,
                                                 std::vector<std::size_t> chosen) const;
  void start(const plan::PlacedStep& step, std::size_t instance);

  Context& context_;
  StepRunner& runner_;
  judge::SuspectFinder suspects_;
};

}  // namespace rackproof::run
