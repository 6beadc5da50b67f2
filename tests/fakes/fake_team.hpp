#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/fleet/team.hpp"
#include "tests/fakes/fake_clock.hpp"

namespace rackproof::fakes {

/// A message on its way, or one that was sent.
struct Letter {
  int from = 0;
  int to = 0;
  fleet::MessageKind kind{};
  std::string body;
  double due = 0;
};

/// The network between the FakeTeams of one test. Between two ranks, messages keep their order.
class FakeStar {
 public:
  FakeStar(FakeClock& clock, int size) : clock_(clock), size_(size) {}

  int size() const { return size_; }
  void post(int from, int to, fleet::MessageKind kind, const std::string& body);
  std::optional<fleet::Message> collect(int rank);

  /// From now on messages to and from this rank vanish.
  void cut(int rank) { cut_.insert(rank); }
  /// From now on messages to and from this rank take this long.
  void delay(int rank, double seconds) { delay_[rank] = seconds; }
  /// The `nth` message of this kind from a rank, and all later ones, vanish.
  void drop(int rank, fleet::MessageKind kind, int nth) { dropped_[{rank, kind}] = nth; }
  /// Everything ever posted, what vanished included.
  const std::vector<Letter>& sent() const { return sent_; }
  /// How many messages of this kind a rank has sent.
  int count(int from, fleet::MessageKind kind) const;

 private:
  FakeClock& clock_;
  int size_;
  std::set<int> cut_;
  std::map<int, double> delay_;
  std::map<std::pair<int, fleet::MessageKind>, int> dropped_;
  std::map<int, std::deque<Letter>> waiting_;
  std::vector<Letter> sent_;
};

/// One rank's end of a FakeStar.
class FakeTeam : public fleet::Team {
 public:
  FakeTeam(FakeStar& star, int rank) : star_(star), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return star_.size(); }
  void send(int to, fleet::MessageKind kind, const std::string& body) override {
    star_.post(rank_, to, kind, body);
  }
  std::optional<fleet::Message> receive() override { return star_.collect(rank_); }
  void leave(bool everyone) override { left_with_ = everyone; }

  /// What leave() was told; nothing before.
  std::optional<bool> left_with() const { return left_with_; }

 private:
  FakeStar& star_;
  int rank_;
  std::optional<bool> left_with_;
};

}  // namespace rackproof::fakes
