#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contract/words.hpp"

namespace rackproof::localise {

/// What may be to blame for slow pairs, the coarsest first. A member is in one part at most of each
/// of the first seven; a way is what lies between two leaves, a link what lies between two members
/// alone.
enum class Factor { kRack, kLeaf, kRail, kTray, kHost, kNic, kGpu, kWay, kLink };
inline constexpr std::size_t kFactorsOfMembers = 7;
inline constexpr contract::Word<Factor> kFactorWords[] = {
    {Factor::kRack, "rack"}, {Factor::kLeaf, "leaf"}, {Factor::kRail, "rail"},
    {Factor::kTray, "tray"}, {Factor::kHost, "host"}, {Factor::kNic, "nic"},
    {Factor::kGpu, "gpu"},   {Factor::kWay, "way"},   {Factor::kLink, "link"}};
constexpr const auto& words_of(Factor) { return kFactorWords; }

/// Who takes part in pairs: the name of its part of each factor, unique within the factor; empty:
/// it has none, or nobody knows. One at least is known.
struct Member {
  std::array<std::string, kFactorsOfMembers> part;
  /// Within one domain of several hosts, as of NVLink, links leave by no adapter, as within a host.
  std::string domain;

  std::string& operator[](Factor factor) { return part[static_cast<std::size_t>(factor)]; }
  const std::string& operator[](Factor factor) const {
    return part[static_cast<std::size_t>(factor)];
  }
};

/// What was measured between two members, by their places; positive.
struct Measured {
  std::size_t low = 0;
  std::size_t high = 0;
  double value = 0;
};

struct Part {
  Factor factor = Factor::kHost;
  std::string name;

  bool operator==(const Part&) const = default;
};

/// Parts that the same links go over: no measurement tells them apart, and whoever blames one of
/// them blames all ("host gb-07 or its NIC mlx5_0").
struct Candidate {
  std::vector<Part> parts;  ///< the coarsest first
  /// That have an end in it, in rising order; of a NIC, rail or leaf those that leave by it.
  std::vector<std::uint32_t> links;
  /// Of these, the ones that have like links which do not go over it.
  std::vector<std::uint32_t> evidence;
  std::vector<std::uint32_t> members;  ///< in it; none of a way
};

struct Link {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t kind = 0;  ///< links of like ways: within a host, a rack, a leaf, a rail or not
  /// Within a host or a domain: it goes over no NIC, rail or leaf, whatever its ends have.
  bool inside = false;
  double log = 0;  ///< of the value; lower is worse, whatever the unit
};

/// Members, what was measured between them, and all parts that could be to blame.
class Network {
 public:
  /// std::invalid_argument for a member without a part, a value that is not positive and finite, a
  /// pair of one member or of one that is not there, and a pair that comes twice.
  Network(std::vector<Member> members, const std::vector<Measured>& measured, bool more_is_better);

  const std::vector<Member>& members() const { return members_; }
  const std::vector<Link>& links() const { return links_; }
  /// The value with this logarithm.
  double value_of(double log) const { return std::exp(more_is_better_ ? log : -log); }
  bool more_is_better() const { return more_is_better_; }

  std::size_t kinds() const { return links_of_kind_.size(); }
  const std::vector<std::uint32_t>& links_of_kind(std::size_t kind) const {
    return links_of_kind_[kind];
  }
  /// False where so few are alike (under kLeastAlike) that nothing can be said of them.
  bool comparable(const Link& link) const {
    return links_of_kind_[link.kind].size() >= kLeastAlike;
  }
  static constexpr std::size_t kLeastAlike = 8;
  /// The kind of a link between two members; nothing where none like it was measured.
  std::optional<std::uint32_t> kind_between(std::size_t one, std::size_t other) const;

  /// The coarsest first; of one factor in the order of members.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  /// The candidates that a member is in, by their places.
  const std::vector<std::uint32_t>& candidates_of(std::size_t member) const {
    return candidates_of_[member];
  }

 private:
  void find_kinds();
  void find_candidates();
  void find_evidence(Candidate& candidate) const;

  bool more_is_better_;
  std::vector<Member> members_;
  std::vector<Link> links_;
  std::map<std::uint32_t, std::uint32_t> kind_of_;  ///< by what the ends have in common
  std::vector<std::vector<std::uint32_t>> links_of_kind_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::uint32_t>> candidates_of_;
};

/// "host gb-07 or nic gb-07 mlx5_0"
std::string text_of(const std::vector<Part>& parts);

/// Whether links within a host or a domain go past it.
constexpr bool is_of_fabric(Factor factor) {
  return factor == Factor::kLeaf || factor == Factor::kRail || factor == Factor::kNic ||
         factor == Factor::kWay;
}

}  // namespace rackproof::localise
