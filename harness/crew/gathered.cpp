#include "harness/crew/gathered.hpp"

#include <fmt/format.h>

#include <utility>

namespace rackproof::crew {

void Gathered::begin(std::map<int, std::string> first_lines, std::set<int> visible) {
  first_lines_ = std::move(first_lines);
  visible_ = std::move(visible);
}

void Gathered::keep(const Ended& ended) {
  if (ended.rank == 0 || first_lines_.empty()) return;
  const std::string name =
      fmt::format("journals/{:04}-rank-{:05}.gathered.jsonl", segment_, ended.rank);
  if (keepsake_ != nullptr) {
    if (kept_.insert(ended.rank).second) keepsake_->keep(name, first_lines_[ended.rank]);
    for (const std::string& line : ended.lines) keepsake_->keep(name, line);
  }
  if (visible_.contains(ended.rank)) return;
  std::string bytes;
  warden::Seal& seal = seals_[ended.rank];
  if (!store_.exists(name)) bytes = seal.sealed(first_lines_[ended.rank]) + "\n";
  for (const std::string& line : ended.lines) bytes += seal.sealed(line) + "\n";
  store_.append(name, bytes);
}

}  // namespace rackproof::crew
