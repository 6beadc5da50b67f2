#include "harness/prove/proof_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/config/installed.hpp"
#include "reports/json/strict_json.hpp"

namespace rackproof::prove {
namespace {

using nlohmann::json;
using prove::Entry;

constexpr const char* kProofSchema = "rackproof/proof/1";
constexpr std::size_t kLargestProof = 1 << 20;

std::string state_text(prove::State state) {
  switch (state) {
    case prove::State::kCaught:
      return "caught";
    case prove::State::kMissed:
      return "missed";
    case prove::State::kUnproven:
      return "not-proven";
  }
  return "";
}

}  // namespace

std::string to_json(const prove::Proof& proof) {
  json entries = json::array();
  for (const Entry& one : proof.entries) {
    entries.push_back({{"name", one.name},
                       {"planted", one.planted},
                       {"demanded", one.demanded},
                       {"seen", one.seen},
                       {"state", state_text(one.state)}});
  }
  const json document = {{"schema", kProofSchema},
                         {"utc", proof.utc},
                         {"version", proof.version},
                         {"commit", proof.commit},
                         {"launcher", proof.launcher},
                         {"ranks", proof.ranks},
                         {"hosts", proof.hosts},
                         {"caught", proof.count(prove::State::kCaught)},
                         {"missed", proof.count(prove::State::kMissed)},
                         {"not_proven", proof.count(prove::State::kUnproven)},
                         {"entries", entries}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string proof_path(const std::map<std::string, std::string>& environment) {
  const std::string folder = config::state_folder(environment);
  return folder.empty() ? "" : folder + "/proof.json";
}

std::optional<model::ProofInfo> read_proof(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (path.empty() || !file) return std::nullopt;
  std::string text(kLargestProof + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestProof) return std::nullopt;
  try {
    const json body = model::parse_strict(text);
    if (body.at("schema") != kProofSchema) return std::nullopt;
    model::ProofInfo info;
    info.utc = body.at("utc").get<std::string>();
    info.version = body.at("version").get<std::string>();
    info.commit = body.at("commit").get<std::string>();
    info.ranks = body.at("ranks").get<int>();
    info.caught = body.at("caught").get<int>();
    info.missed = body.at("missed").get<int>();
    info.not_proven = body.at("not_proven").get<int>();
    return info;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string table_of(const prove::Proof& proof) {
  std::size_t width = 0;
  for (const Entry& one : proof.entries) width = std::max(width, one.name.size());
  std::string text;
  for (const prove::State state :
       {prove::State::kMissed, prove::State::kCaught, prove::State::kUnproven}) {
    for (const Entry& one : proof.entries) {
      if (one.state != state) continue;
      text += fmt::format("{:<10}  {:<{}}  {}\n", prove::word(state), one.name, width, one.seen);
      if (state == prove::State::kMissed) {
        text += fmt::format("{:<10}  {:<{}}  injected: {}\n", "", "", width, one.planted);
        text += fmt::format("{:<10}  {:<{}}  expected: {}\n", "", "", width, one.demanded);
      }
    }
  }
  return text + fmt::format("\n{} injected faults detected, {} missed, {} not tested here\n",
                            proof.count(prove::State::kCaught), proof.count(prove::State::kMissed),
                            proof.count(prove::State::kUnproven));
}

}  // namespace rackproof::prove
