#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/crew/keepsake.hpp"
#include "harness/crew/order.hpp"
#include "harness/support/store.hpp"
#include "harness/warden/seal.hpp"

namespace rackproof::crew {

/// What the attempts of other ranks said, kept by rank 0 as well: in journals of its own for ranks
/// whose disk it cannot see, which would be missing from the report, and in the keepsake for all.
class Gathered {
 public:
  /// `keepsake` may be null.
  Gathered(support::Store& store, Keepsake* keepsake, int segment)
      : store_(store), keepsake_(keepsake), segment_(segment) {}

  /// The first line of each rank's journal, and the ranks whose journals rank 0 can read itself.
  /// Before this nothing is kept.
  void begin(std::map<int, std::string> first_lines, std::set<int> visible);
  void keep(const Ended& ended);

 private:
  support::Store& store_;
  Keepsake* keepsake_;
  int segment_;
  std::map<int, std::string> first_lines_;
  std::set<int> visible_;
  std::set<int> kept_;                 ///< ranks that the keepsake knows of
  std::map<int, warden::Seal> seals_;  ///< of the journals that are kept here
};

}  // namespace rackproof::crew
