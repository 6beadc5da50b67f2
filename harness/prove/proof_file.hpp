#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/prove/examine.hpp"
#include "reports/model/report.hpp"

namespace rackproof::prove {

/// The proof as a document (JSON, "rackproof/proof/1"), with a newline at its end.
std::string to_json(const prove::Proof& proof);

/// Where the last proof of this user is kept: $XDG_STATE_HOME/rackproof/proof.json, or below
/// ~/.local/state. Empty when the environment names neither.
std::string proof_path(const std::map<std::string, std::string>& environment);

/// The summary of the proof in that file; nothing when there is none, or when it is no proof.
std::optional<model::ProofInfo> read_proof(const std::string& path);

/// The table that `rackproof prove` prints.
std::string table_of(const prove::Proof& proof);

}  // namespace rackproof::prove
