#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// The claims of a run: those that its suite names, else each step that expects a required cell is
/// one.
std::vector<model::Claim> claims_of(const model::Report& report);

/// Which cells can hold which claims.
class Claimants {
 public:
  /// One required cell that can hold a claim; `each` is a place in values().
  struct One {
    std::uint32_t cell = 0;
    std::uint16_t claim = 0;
    std::uint16_t each = 0;
  };

  /// `place` is that of the cell in the report. A cell that is not required holds nothing.
  void add(const std::vector<model::Claim>& claims, const model::Cell& cell, std::size_t place);
  /// As if what `later` holds had been added here, each place `cells` further on.
  void append(const Claimants& later, std::size_t cells);

  const std::vector<One>& all() const { return all_; }
  const std::vector<std::string>& values() const { return values_; }

 private:
  /// Cells of one step and metric, which mostly differ in nothing that claims ask for.
  struct Kind {
    std::string step;
    std::string metric;
    std::vector<std::uint16_t> claims;
  };

  const Kind& kind_of(const std::vector<model::Claim>& claims, const model::Cell& cell);
  std::uint16_t value_of(const std::string& text);

  std::vector<One> all_;
  std::vector<std::string> values_ = {""};
  std::unordered_map<std::string, std::uint16_t> value_places_;
  std::vector<Kind> kinds_;
  std::unordered_multimap<std::size_t, std::size_t> kind_places_;  ///< by hash of the texts
};

/// What a claim wants to know of a cell.
struct Claimed {
  bool owed = false;  ///< it is there to be judged: not waived
  bool held = false;  ///< it passes a limit that is not of a generic table
  const model::Subject* subject = nullptr;
};

/// What became of each claim that a cell can hold, in the order of the claims. `accepted` has why
/// some need not be held, by id.
std::vector<model::ClaimState> claim_states(const std::vector<model::Claim>& claims,
                                            const Claimants& claimants,
                                            const std::function<Claimed(std::size_t)>& cell_at,
                                            const std::map<std::string, std::string>& accepted);

/// "GEMM of GPUs (dtype=fp64), bandwidth of host memory (3 of 8 places)": those that are neither
/// held nor accepted; empty where there are none.
std::string unheld(const std::vector<model::ClaimState>& states);

}  // namespace rackproof::evidence
