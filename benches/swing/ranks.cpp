#include "benches/swing/ranks.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <climits>
#include <thread>

#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/kit/mpi/world.hpp"

namespace rackproof::swing {
namespace {

using kit::mpi::require;

constexpr int kTag = 1;

int counted(std::size_t count) {
  if (count > INT_MAX) throw kit::UsageError("too many beats or ranks for one message of MPI");
  return static_cast<int>(count);
}

// Tests before a rank that waits begins to sleep between them: few where others may want to compute
// on its core, many where the answer is that to a question for the time.
constexpr int kPatient = 20;
constexpr int kEager = 2000;

void wait(MPI_Request& request, int eager = kPatient) {
  for (int tests = 0;; ++tests) {
    int over = 0;
    require(MPI_Test(&request, &over, MPI_STATUS_IGNORE), "MPI_Test");
    if (over != 0) return;
    if (tests >= eager) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void send(std::span<const double> values, int to, MPI_Comm group) {
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Isend(values.data(), counted(values.size()), MPI_DOUBLE, to, kTag, group, &request),
          "MPI_Isend");
  wait(request);
}

void receive(std::span<double> values, int from, MPI_Comm group) {
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Irecv(values.data(), counted(values.size()), MPI_DOUBLE, from, kTag, group, &request),
          "MPI_Irecv");
  wait(request, kEager);
}

}  // namespace

struct Ranks::World {
  kit::mpi::World mpi;
};

Ranks::Ranks() : world_(std::make_unique<World>()), hosts_(world_->mpi.processor_names()) {
  const std::string& here = hosts_[static_cast<std::size_t>(rank())];
  for (std::size_t other = 0; other < hosts_.size(); ++other) {
    if (hosts_[other] != here) continue;
    ++local_size_;
    if (static_cast<std::int64_t>(other) < rank()) ++local_rank_;
  }
}

Ranks::~Ranks() = default;

std::int64_t Ranks::rank() const { return world_->mpi.rank(); }
std::int64_t Ranks::size() const { return world_->mpi.size(); }

std::vector<std::vector<double>> Ranks::gather(std::span<const double> values) const {
  const std::size_t ranks = rank() == 0 ? hosts_.size() : 0;
  std::vector<double> all(values.size() * ranks);
  (void)counted(all.size());
  const int count = counted(values.size());
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Igather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0,
                      world_->mpi.group(), &request),
          "MPI_Igather");
  wait(request);
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row < ranks; ++row) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * values.size());
    rows.emplace_back(first, first + count);
  }
  return rows;
}

std::vector<std::string> Ranks::names(const std::string& mine) const {
  constexpr std::size_t kLength = 256;
  std::array<char, kLength> own{};
  mine.copy(own.data(), kLength - 1);
  const std::size_t ranks = rank() == 0 ? hosts_.size() : 0;
  std::vector<char> all(ranks * kLength);
  (void)counted(all.size());
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Igather(own.data(), kLength, MPI_CHAR, all.data(), kLength, MPI_CHAR, 0,
                      world_->mpi.group(), &request),
          "MPI_Igather");
  wait(request);
  std::vector<std::string> names;
  for (std::size_t at = 0; at < ranks; ++at) names.emplace_back(all.data() + at * kLength);
  return names;
}

std::vector<double> Ranks::share(double value) const {
  std::vector<double> all(hosts_.size());
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Iallgather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, world_->mpi.group(),
                         &request),
          "MPI_Iallgather");
  wait(request);
  return all;
}

std::vector<double> Ranks::sum(std::span<const double> values) const {
  std::vector<double> sums(values.size());
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ireduce(values.data(), sums.data(), counted(values.size()), MPI_DOUBLE, MPI_SUM, 0,
                      world_->mpi.group(), &request),
          "MPI_Ireduce");
  wait(request);
  return sums;
}

double Ranks::from_first(double value) const {
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ibcast(&value, 1, MPI_DOUBLE, 0, world_->mpi.group(), &request), "MPI_Ibcast");
  wait(request);
  return value;
}

bool Ranks::any(bool here) const {
  const int mine = here ? 1 : 0;
  int all = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MAX, world_->mpi.group(), &request),
          "MPI_Iallreduce");
  wait(request);
  return all != 0;
}

Reading Ranks::align(const OwnClock& clock, std::int64_t exchanges, Questions& questions) const {
  if (rank() != 0) return answer(clock, exchanges);
  for (int other = 1; other < size(); ++other) {
    const Reading reading = ask(other, clock, exchanges, questions);
    send(std::array{reading.at, reading.offset, reading.bound}, other, world_->mpi.group());
  }
  return {clock.now(), 0, 0};
}

Reading Ranks::ask(int rank, const OwnClock& clock, std::int64_t exchanges,
                   Questions& questions) const {
  std::vector<Exchange> all;
  for (std::int64_t i = 0; i < exchanges; ++i) {
    std::array<double, 1> word{};
    Exchange exchange;
    exchange.sent = clock.now();
    send(word, rank, world_->mpi.group());
    receive(word, rank, world_->mpi.group());
    exchange.received = clock.now();
    exchange.theirs = word[0];
    all.push_back(exchange);
  }
  const Reading reading = shortest(all);
  questions.asked += exchanges;
  questions.contradicting += contradicting(all, reading);
  return reading;
}

Reading Ranks::answer(const OwnClock& clock, std::int64_t exchanges) const {
  for (std::int64_t i = 0; i < exchanges; ++i) {
    std::array<double, 1> word{};
    receive(word, 0, world_->mpi.group());
    word[0] = clock.now();
    send(word, 0, world_->mpi.group());
  }
  std::array<double, 3> found{};
  receive(found, 0, world_->mpi.group());
  return {found[0], found[1], found[2]};
}

}  // namespace rackproof::swing
