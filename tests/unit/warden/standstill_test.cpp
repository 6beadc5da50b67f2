#include "harness/warden/standstill.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "harness/warden/process_tree.hpp"

using rackproof::warden::parent_of;
using rackproof::warden::process_state;
using rackproof::warden::Standstill;
using rackproof::warden::WardenSettings;

namespace {

constexpr double kPatience = 5;

/// A process that sleeps, and its parent, which is no process of the test's own: the launcher of a
/// rank.
class Led {
 public:
  Led() {
    REQUIRE(pipe(told_.data()) == 0);
    leader_ = fork();
    if (leader_ == 0) {
      const pid_t rank = fork();
      if (rank != 0) (void)!::write(told_[1], &rank, sizeof rank);
      for (;;) pause();
    }
    REQUIRE(::read(told_[0], &rank_, sizeof rank_) == sizeof rank_);
  }
  ~Led() {
    kill(rank_, SIGKILL);
    end_leader();
    for (const int end : told_) close(end);
  }
  Led(const Led&) = delete;
  Led& operator=(const Led&) = delete;

  pid_t rank() const { return rank_; }
  pid_t leader() const { return leader_; }
  void end_leader() {
    if (leader_ > 0) kill(leader_, SIGKILL);
    if (leader_ > 0) waitpid(leader_, nullptr, 0);
    leader_ = 0;
  }
  void stop() const {
    kill(rank_, SIGSTOP);
    for (int i = 0; i < 500 && process_state(rank_).id != rackproof::model::ProcessState::kStopped;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    REQUIRE(process_state(rank_).id == rackproof::model::ProcessState::kStopped);
  }

 private:
  std::array<int, 2> told_{};
  pid_t leader_ = 0;
  pid_t rank_ = 0;
};

WardenSettings settings(double patience, bool with_led) {
  WardenSettings made;
  made.patience_seconds = patience;
  made.patient_with_led = with_led;
  return made;
}

/// Looks once a second; the first second in which it was too long, or -1.
int first_too_long(Standstill& standstill, int from, int to) {
  for (int second = from; second <= to; ++second) {
    if (standstill.too_long(second)) return second;
  }
  return -1;
}

}  // namespace

TEST_CASE("a rank that is stopped is borne for so long, and one that sleeps for ever") {
  const Led led;
  Standstill standstill(led.rank(), settings(kPatience, false));
  CHECK(first_too_long(standstill, 1, 20) == -1);
  led.stop();
  CHECK(first_too_long(standstill, 21, 40) == 25);
}

TEST_CASE("a stopped rank is left to the launcher that started it, and to nobody else") {
  Led led;
  CHECK(parent_of(led.rank()) == led.leader());
  Standstill standstill(led.rank(), settings(kPatience, true));
  led.stop();
  CHECK(first_too_long(standstill, 1, 100) == -1);
  led.end_leader();
  CHECK(standstill.too_long(101));
}

TEST_CASE("without patience nobody is ended, and a paused warden loses none") {
  const Led led;
  led.stop();
  Standstill none(led.rank(), settings(0, false));
  CHECK_FALSE(none.matters());
  CHECK_FALSE(none.too_long(1000));
  Standstill paused(led.rank(), settings(kPatience, false));
  CHECK(paused.matters());
  // Two seconds at most of each pause count.
  CHECK_FALSE(paused.too_long(1000));
  CHECK_FALSE(paused.too_long(2000));
  CHECK(paused.too_long(3000));
}
