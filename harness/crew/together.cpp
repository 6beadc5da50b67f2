#include "harness/crew/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rackproof::crew {
namespace {

constexpr const char* kPrograms = "programs/";
constexpr std::size_t kNamed = 3;

std::string name_of(const Arrival& arrival) {
  return fmt::format("rank {} on {}", arrival.rank, arrival.host);
}

std::string other_version(const std::vector<Arrival>& arrivals) {
  const Arrival& first = arrivals.front();
  for (const Arrival& arrival : arrivals) {
    if (arrival.version == first.version && arrival.commit == first.commit) continue;
    return fmt::format("{} runs rackproof {} ({}), {} runs {} ({}): install one version everywhere",
                       name_of(arrival), arrival.version, arrival.commit, name_of(first),
                       first.version, first.commit);
  }
  return "";
}

// One name for two machines: half of what was measured would be said of the other.
std::string shared_name(const std::vector<Arrival>& arrivals) {
  std::map<std::string, const Arrival*> owner;
  for (const Arrival& arrival : arrivals) {
    if (arrival.boot.empty()) continue;
    const Arrival& known = *owner.try_emplace(arrival.host, &arrival).first->second;
    if (known.boot == arrival.boot) continue;
    return fmt::format(
        "rank {} and rank {} are on two machines that are both called {} (boot ids {} and {}): "
        "give every host a name of its own",
        known.rank, arrival.rank, arrival.host, known.boot, arrival.boot);
  }
  return "";
}

std::string digest_of(const Arrival& arrival, const std::string& name) {
  const auto found = arrival.files.find(name);
  return found == arrival.files.end() ? "" : found->second;
}

// Names of the programs that are not the same on both, or of the other files.
std::vector<std::string> differing(const Arrival& a, const Arrival& b, bool programs) {
  std::set<std::string> names;
  for (const auto& [name, digest] : a.files) names.insert(name);
  for (const auto& [name, digest] : b.files) names.insert(name);
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (name.starts_with(kPrograms) != programs) continue;
    if (digest_of(a, name) != digest_of(b, name)) out.push_back(name);
  }
  return out;
}

std::string list_of(const std::vector<std::string>& names, const Arrival& here,
                    const Arrival& there) {
  const auto text = [](const std::string& digest) {
    return digest.empty() ? std::string("not there") : digest;
  };
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    list += fmt::format("{}{} ({} and {})", i == 0 ? "" : ", ", names[i],
                        text(digest_of(here, names[i])), text(digest_of(there, names[i])));
  }
  if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
  return list;
}

std::string compare(const Arrival& arrival, const Arrival& reference, bool programs) {
  const std::vector<std::string> names = differing(arrival, reference, programs);
  if (names.empty()) return "";
  return fmt::format("{} has other {} installed than {}: {}; install one set everywhere",
                     name_of(arrival), programs ? "benches" : "suites or platform tables",
                     name_of(reference), list_of(names, arrival, reference));
}

std::string other_files(const std::vector<Arrival>& arrivals) {
  const Arrival* configs = nullptr;
  std::map<std::string, const Arrival*> programs;  // by architecture
  for (const Arrival& arrival : arrivals) {
    if (arrival.files.empty()) continue;
    if (configs == nullptr) configs = &arrival;
    if (auto why = compare(arrival, *configs, false); !why.empty()) return why;
    const Arrival& like = *programs.try_emplace(arrival.machine, &arrival).first->second;
    if (auto why = compare(arrival, like, true); !why.empty()) return why;
  }
  return "";
}

}  // namespace

std::string why_not_together(const std::vector<Arrival>& arrivals) {
  if (arrivals.empty()) return "";
  for (const auto& why : {other_version(arrivals), shared_name(arrivals), other_files(arrivals)}) {
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace rackproof::crew
