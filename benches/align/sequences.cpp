#include "benches/align/sequences.hpp"

#include <algorithm>
#include <utility>

namespace rackproof::align {

std::int64_t Sequences::longest() const {
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < size(); ++i) most = std::max(most, length(i));
  return most;
}

std::string Sequences::name(std::int64_t which) const {
  return names.empty() ? std::to_string(which) : names[static_cast<std::size_t>(which)];
}

std::string Sequences::text(std::int64_t which, Alphabet alphabet) const {
  std::string text;
  for (const Residue residue : at(which)) text += letters_of(alphabet)[residue];
  return text;
}

void Sequences::add(std::span<const Residue> sequence) {
  residues.insert(residues.end(), sequence.begin(), sequence.end());
  offsets.push_back(static_cast<std::int64_t>(residues.size()));
}

void Sequences::add(std::span<const Residue> sequence, std::string name) {
  add(sequence);
  names.push_back(std::move(name));
}

void reverse_each(Sequences& sequences) {
  Residue* const first = sequences.residues.data();
  for (std::int64_t i = 0; i < sequences.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::reverse(first + sequences.offsets[at], first + sequences.offsets[at + 1]);
  }
}

}  // namespace rackproof::align
