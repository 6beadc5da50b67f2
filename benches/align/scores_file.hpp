#pragma once

#include <fstream>
#include <string>

#include "benches/align/proof.hpp"

namespace rackproof::align {

/// Scores for a reader of one's own: a line for each query and subject, their names (numbers from 0
/// where they were drawn) and the score, with tabs between.
class ScoresFile {
 public:
  /// Empty for none. Throws UsageError for one that cannot be made, before anything is measured.
  explicit ScoresFile(const std::string& path);

  /// Throws std::runtime_error when not all of it could be written.
  void write(const Workload& work, const Scores& scores);

 private:
  std::string path_;
  std::ofstream out_;
};

}  // namespace rackproof::align
