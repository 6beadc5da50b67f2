#include "harness/gate/reason.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace rackproof::gate {

TEST_CASE("every reason has a word of its own, and comes back from it") {
  std::set<std::string_view> words;
  for (const auto& entry : words_of(GateReason{})) {
    CHECK(words.insert(entry.text).second);
    CHECK(contract::enumerator_of<GateReason>(entry.text) == entry.value);
  }
  // The last one of the enumeration.
  CHECK(words.size() == static_cast<std::size_t>(GateReason::kAsBefore) + 1);
}

TEST_CASE("bad outweighs incomplete, and that what only people read") {
  const Finding bad{GateReason::kGpuMissing, "GPU-3", "gone", ""};
  const Finding unknown{GateReason::kDriverSilent, "", "no answer", ""};
  const Finding note{GateReason::kFirstLook, "", "first", ""};
  CHECK(verdict_of(std::vector<Finding>{}) == Verdict::kOk);
  CHECK(verdict_of({note}) == Verdict::kOk);
  CHECK(verdict_of({note, unknown}) == Verdict::kIncomplete);
  CHECK(verdict_of({note, unknown, bad}) == Verdict::kBad);
  std::vector<Finding> all = {note, unknown, bad};
  sort_findings(all);
  CHECK(all == std::vector<Finding>{bad, unknown, note});
}

}  // namespace rackproof::gate
