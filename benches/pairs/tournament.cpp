#include "benches/pairs/tournament.hpp"

#include <stdexcept>

namespace rackproof::pairs {
namespace {

int even(int ranks) { return ranks + ranks % 2; }

int meets(int seats, int round, int seat) {
  const int circle = seats - 1;
  if (seat == circle) {
    // The seat s with 2 s = round modulo an odd number.
    return round % 2 == 0 ? round / 2 : (round + circle) / 2;
  }
  const int other = (round - seat + circle) % circle;
  return other == seat ? circle : other;
}

}  // namespace

int rounds(int ranks) { return ranks < 2 ? 0 : even(ranks) - 1; }

int partner(int ranks, int round, int rank) {
  if (rank < 0 || rank >= ranks || round < 0 || round >= rounds(ranks)) {
    throw std::invalid_argument("no such round or rank in the tournament");
  }
  const int other = meets(even(ranks), round, rank);
  return other < ranks ? other : kBye;
}

}  // namespace rackproof::pairs
