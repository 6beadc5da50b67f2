#pragma once

#include <cstddef>
#include <vector>

namespace rackproof::budget {

/// A step that may be chosen.
struct Option {
  double seconds = 0;
  /// By kind of fault: the chance that the step finds one that is there.
  std::vector<double> chances;
  std::size_t program = 0;  ///< steps of one program look in the same way
};

/// How many faults are expected, one number for each kind, and what a further step of a program
/// finds: its chance times `again`. What the best step of a program missed, others of it mostly
/// miss too. Programs are independent of each other.
struct Faults {
  std::vector<double> expected;
  double again = 1;
};

/// Which options were chosen, by their places, sorted.
struct Choice {
  std::vector<std::size_t> options;
  double seconds = 0;
  double missed = 0;  ///< how many faults are expected to be missed
  /// No choice that takes no longer is expected to miss fewer than this.
  double fewest_missed = 0;
};

/// How many faults are missed when these options look for them.
double missed(const Faults& faults, const std::vector<Option>& options,
              const std::vector<std::size_t>& chosen);

/// The same of each kind.
std::vector<double> missed_of_each(const Faults& faults, const std::vector<Option>& options,
                                   const std::vector<std::size_t>& chosen);

/// Options that take `seconds` together at most and miss few faults. Those of `must` are chosen
/// first, however long they take. What is found is a monotone submodular function of the set of
/// options: each set of up to three of them (two of more than 30, one of more than 80) is completed
/// greedily, by what one more option finds for each second, and the best is taken. From sets of
/// three it finds 1 - 1/e of what the best choice does (Sviridenko, Operations Research Letters 32,
/// 2004), in practice nearly all. The bound is of the choice itself: what it finds, and what those
/// that it lacks would add, each alone and the last one in part (Leskovec et al., KDD 2007).
Choice choose(const Faults& faults, const std::vector<Option>& options,
              const std::vector<std::size_t>& must, double seconds);

}  // namespace rackproof::budget
