#include "tests/fakes/fake_team.hpp"

#include <algorithm>

namespace rackproof::fakes {

void FakeStar::post(int from, int to, fleet::MessageKind kind, const std::string& body) {
  Letter letter{from, to, kind, body, clock_.now() + std::max(delay_[from], delay_[to])};
  sent_.push_back(letter);
  if (cut_.contains(from) || cut_.contains(to)) return;
  const auto dropped = dropped_.find({from, kind});
  if (dropped != dropped_.end() && count(from, kind) >= dropped->second) return;
  std::deque<Letter>& box = waiting_[to];
  for (const Letter& earlier : box) {
    if (earlier.from == from) letter.due = std::max(letter.due, earlier.due);
  }
  box.push_back(std::move(letter));
}

std::optional<fleet::Message> FakeStar::collect(int rank) {
  std::deque<Letter>& box = waiting_[rank];
  const auto found = std::find_if(box.begin(), box.end(), [&](const Letter& letter) {
    return letter.due <= clock_.now() && !cut_.contains(letter.from) && !cut_.contains(rank);
  });
  if (found == box.end()) return std::nullopt;
  fleet::Message message{found->from, found->kind, std::move(found->body)};
  box.erase(found);
  return message;
}

int FakeStar::count(int from, fleet::MessageKind kind) const {
  return static_cast<int>(std::count_if(sent_.begin(), sent_.end(), [&](const Letter& letter) {
    return letter.from == from && letter.kind == kind;
  }));
}

}  // namespace rackproof::fakes
