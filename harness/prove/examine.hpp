#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/prove/injections.hpp"

namespace rackproof::prove {

/// What became of one planted fault.
enum class State { kCaught, kMissed, kUnproven };

const char* word(State state);

struct Entry {
  std::string name;
  std::string planted;
  std::string demanded;
  std::string seen;
  State state = State::kUnproven;
};

/// The record of one proof.
struct Proof {
  std::string utc;
  std::string version;
  std::string commit;
  std::string launcher;
  int ranks = 1;
  std::vector<std::string> hosts;
  std::vector<Entry> entries;

  int count(State state) const;
};

/// Host under which a rank runs in the proof: each rank is a node of its own there.
using HostOf = std::function<std::string(int rank)>;

/// Looks in the report of the proof's run for what each injection demands: the guilty part named
/// with the right reason, and nobody else blamed. What could not be planted, or has no verdict
/// because the run broke, is unproven. Pure.
std::vector<Entry> examine(const model::Report& report, const std::vector<Injection>& all,
                           const HostOf& host_of);

/// Whether a report made out of journals in which `journal` had one digit changed says so, and is
/// not accepted.
Entry examine_tampered(const model::Report& report, const std::string& journal);

/// Whether the refusal of a run whose rank on `host` has another build, or other files, names it.
/// `refusal` is empty when the run was not refused.
Entry examine_refusal(const std::string& name, const std::string& planted,
                      const std::string& refusal, const std::string& host);

}  // namespace rackproof::prove
