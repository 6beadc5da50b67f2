#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/localise/fit.hpp"
#include "harness/localise/network.hpp"

namespace rackproof::localise {

/// What is left of the values of a network when those that are accused explain their share.
class Search {
 public:
  Search(const Network& network, const Fit& fit);

  /// What the links of a candidate show of it.
  struct Shown {
    double effect = 0;     ///< milder middle of its values
    double error = 0;      ///< standard error of that
    double reduction = 0;  ///< of the sum of sizes, were it accused
  };
  Shown shown(std::size_t candidate) const;

  /// The values of a candidate's evidence, in its order, as if it were not accused: without what
  /// is known of their other ends, and of those that do not go over it.
  std::vector<double> values(std::size_t candidate) const;

  /// The accused by their candidates, and what each explains.
  const std::vector<std::size_t>& accused() const { return accused_; }
  double effect(std::size_t candidate) const { return effect_[candidate]; }
  bool is_accused(std::size_t candidate) const { return is_accused_[candidate]; }
  void accuse(const std::vector<std::size_t>& candidates);
  void acquit(std::size_t candidate);

  /// What nothing explains of a link.
  double left(std::size_t link) const { return left_[link]; }
  /// Standard deviation of links of a kind, and how skewed to the bad side they are (Tukey's g).
  double spread(std::size_t kind) const { return spread_[kind]; }
  double skewness(std::size_t kind) const { return skewness_[kind]; }
  /// Degrees of freedom of these.
  double freedom(std::size_t kind) const { return freedom_[kind]; }
  /// The freedom of the spread of the links of a candidate.
  double freedom_of(const Candidate& candidate) const;

 private:
  void settle();
  void explain();
  void look();
  void know_ends(const Fit& fit);
  /// Pairs of other hosts tell host, NIC and GPU together: of that nothing is known which a link
  /// within a host goes over.
  double end_of(const Link& link, std::size_t member) const {
    return link.inside ? 0 : shrink_ * of_end_[member];
  }
  /// What is left of links of a kind that do not go over it.
  std::vector<double> others_of(const Candidate& candidate, std::size_t kind) const;
  /// The spread of the links of a candidate.
  double spread_of(std::size_t candidate, const std::vector<double>& own, double effect) const;
  /// Of a kind of link, around the candidate's own middle and that of the others: a candidate that
  /// many of them go over would hide behind the spread that it makes itself.
  double spread_within(std::size_t candidate, std::size_t kind, const std::vector<double>& own,
                       double effect) const;
  double outside(const Candidate& candidate, std::size_t kind, std::size_t inside) const;

  const Network& network_;
  double shrink_ = 0;
  std::vector<double> of_end_;     ///< of each member, of what the accused do not explain
  std::vector<double> explained_;  ///< of each link, by the accused
  std::vector<double> left_;       ///< of each link
  std::vector<double> spread_;     ///< of each kind
  std::vector<double> skewness_;   ///< of each kind
  std::vector<double> freedom_;    ///< of each kind
  std::vector<double> effect_;     ///< of each candidate
  std::vector<bool> is_accused_;   ///< each candidate
  std::vector<std::size_t> accused_;
};

/// The middle of `values`, of the two in the middle the larger one, which is the milder: among few
/// values one that is wild cannot then move the effect. 0 of none.
double milder_middle(std::vector<double> values);

}  // namespace rackproof::localise
