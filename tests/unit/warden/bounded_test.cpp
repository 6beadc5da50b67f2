#include "harness/warden/bounded.hpp"

#include <catch2/catch.hpp>

#include "harness/support/clock.hpp"

namespace rackproof::warden {

TEST_CASE("what a program says and its exit code are taken") {
  const Bounded done =
      run_bounded({"/bin/sh", "-c", "echo out; echo err >&2; exit 5"}, {20, false, {}});
  CHECK(done.out == "out\n");
  CHECK(done.err == "err\n");
  CHECK(done.code == 5);
  CHECK_FALSE(done.late);
  CHECK(done.error.empty());
}

TEST_CASE("more than a pipe holds is taken, and what comes after its end as well") {
  const Bounded done = run_bounded(
      {"/bin/sh", "-c", "head -c 1000000 /dev/zero; (sleep 0.05; echo end) &"}, {20, false, {}});
  CHECK(done.out.size() >= 1'000'000);
  CHECK(done.code == 0);
}

TEST_CASE("a program that does not end is killed with all that it started in its group") {
  support::SystemClock clock;
  const double begun = clock.now();
  const Bounded done = run_bounded(
      {"/bin/sh", "-c", "trap '' TERM; sleep 60 & echo said; sleep 60"}, {0.3, false, {}});
  CHECK(clock.now() - begun < 20);
  CHECK(done.late);
  CHECK(done.out == "said\n");
  CHECK(done.code == 128 + 9);
  CHECK(done.left_behind == 0);
}

TEST_CASE("who has said its line is not waited for") {
  support::SystemClock clock;
  const double begun = clock.now();
  const Bounded done = run_bounded({"/bin/sh", "-c", "echo said; sleep 60"}, {50, true, {}});
  CHECK(clock.now() - begun < 30);
  CHECK(done.out == "said\n");
  CHECK_FALSE(done.late);
}

TEST_CASE("a program that is not there is an error, and one that reads has an empty stdin") {
  CHECK_FALSE(run_bounded({"/no/such/program"}, {5, false, {}}).error.empty());
  CHECK(run_bounded({"/bin/cat"}, {20, false, {}}).code == 0);
}

TEST_CASE("variables are set over the scrubbed environment") {
  const Bounded done =
      run_bounded({"/bin/sh", "-c", "echo $SLURM_CONF"}, {20, false, {{"SLURM_CONF", "/etc/x"}}});
  CHECK(done.out == "/etc/x\n");
}

}  // namespace rackproof::warden
