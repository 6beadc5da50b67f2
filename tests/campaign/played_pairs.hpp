#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/localise/network.hpp"

namespace rackproof::campaign {

/// A machine of hosts with GPUs, each NIC for some of them, rails by the number of the NIC in its
/// host, and one leaf for each rail of a pod of hosts.
struct Shape {
  std::size_t hosts = 8;
  std::size_t gpus = 1;           ///< of each host
  std::size_t gpus_of_nic = 1;    ///< divides gpus
  std::size_t hosts_of_tray = 1;  ///< a tray of one is its host by another name
  std::size_t hosts_of_pod = 8;
  bool leaf_of_rail = true;  ///< else one leaf for all of a pod
};

std::vector<localise::Member> members_of(const Shape& shape);

/// Something that is slow by a share of what its pairs would give; of a link by its members.
struct Planted {
  localise::Part part;
  double deficit = 0.03;
  std::pair<std::size_t, std::size_t> link = {0, 0};
};

/// Whether a pair goes over it.
bool goes_over(const Planted& planted, const std::vector<localise::Member>& members,
               std::size_t low, std::size_t high);

/// What pairs of these members measure: 50, or 400 within a host, less what is planted, with noise
/// that is normal in the logarithm.
class Fabric {
 public:
  Fabric(const std::vector<localise::Member>& members, std::vector<Planted> planted, double noise,
         std::uint64_t seed);

  /// The pairs of so many rounds (contract::Tournament), drawn by the seed.
  std::vector<localise::Measured> play(int rounds);
  /// One pair, once more.
  double measure(std::size_t low, std::size_t high);

 private:
  double normal();

  const std::vector<localise::Member>& members_;
  std::vector<Planted> planted_;
  double noise_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

}  // namespace rackproof::campaign
