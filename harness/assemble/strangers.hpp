#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// Numbers that benches gave and no cell expects. What a bench says more than its suite asks for it
/// says of every part: one finding for a step, however many parts there are.
class Strangers {
 public:
  /// That an attempt gave so many, one of which is the cell `example`.
  void note(const model::Attempt& attempt, std::size_t count, const std::string& example);
  /// Adds the findings, in the order of the ids of the steps.
  void tell(model::Report& report) const;

 private:
  struct OfStep {
    std::string program;
    std::size_t count = 0;
    std::set<std::string> subjects;
    std::string example;
  };
  std::map<std::string, OfStep> steps_;
};

}  // namespace rackproof::assemble
