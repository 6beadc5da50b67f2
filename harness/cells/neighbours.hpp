#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/cells/cell.hpp"

namespace rackproof::cells {

/// A cell that others of its step and subject contradict.
struct Contradicted {
  std::size_t cell = 0;  ///< its place
  std::string why;
};

/// What cells of one step and subject say of each other, which no cell shows by itself: a message
/// of which three quarters take more than twice as long as three quarters of a larger one, and
/// kernels that the bench calls sisters and that lie further apart than it says. Something
/// disturbed one of the two, and nobody can tell from the numbers how much else.
///
/// Times are those of metrics in seconds, and bytes over the rate of those in B/s, with a parameter
/// `bytes` and all others equal; of tails (p99, worst) nothing is expected. Decision 33 says where
/// the limits come from.
class Neighbours {
 public:
  /// `place` is that of the cell in the report.
  void add(const evidence::Context& context, const model::Cell& cell, const Judgement& judgement,
           std::size_t place);
  /// As if what `later` holds had been added here, each place `cells` further on.
  void append(Neighbours later, std::size_t cells);

  /// The fewest that would have to be wrong, those with the most contradictions first, both of two
  /// alone; and with a message all that was measured with it. In the order of their places.
  std::vector<Contradicted> contradicted() const;

 private:
  struct Said {
    std::size_t cell = 0;
    std::string metric;
    std::string unit;
    double bytes = 0;  ///< 0 where there are none
    double value = 0;
    double least = 0;    ///< first quartile of a message's times; 0 where nothing is expected of it
    double most = 0;     ///< third quartile
    std::string family;  ///< the first of its sisters; empty where it has none
    double apart = 0;    ///< how far they lie from each other at most
  };
  using Series = std::vector<Said>;

  static std::string slow_text(const Said& slow, const Said& large);
  static void find_slow_messages(const Series& series, std::vector<Contradicted>& found);
  static void find_odd_sisters(const Series& series, std::vector<Contradicted>& found);

  /// By step, subject, first word of the metric and parameters but for the bytes.
  std::unordered_map<std::string, Series> series_;
};

}  // namespace rackproof::cells
