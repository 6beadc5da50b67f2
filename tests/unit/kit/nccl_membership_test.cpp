#include "benches/kit/nccl/membership.hpp"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/protocol/token_line.hpp"

using namespace rackproof;
using namespace rackproof::kit::nccl;

namespace {

struct Ear final : kit::Session {
  void device(protocol::Device) override {}
  void token(protocol::Token record) override { tokens.push_back(std::move(record)); }
  void phase(std::string, double) override {}
  void check(protocol::Check) override {}
  void metric(protocol::Metric) override {}
  void note(std::string, contract::Parameters) override {}
  std::optional<kit::Injection> injection() const override { return {}; }

  std::vector<protocol::Token> tokens;
};

// A pipe whose other end has written `text`, and is closed unless it is to stay open.
class Stdin {
 public:
  explicit Stdin(const std::string& text, bool open = false) {
    REQUIRE(pipe(ends_.data()) == 0);
    REQUIRE(write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    if (!open) close_other();
  }
  ~Stdin() {
    close(ends_[0]);
    close_other();
  }
  Stdin(const Stdin&) = delete;
  Stdin& operator=(const Stdin&) = delete;
  int descriptor() const { return ends_[0]; }
  void close_other() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// The group that the harness names, for the length of a test.
struct Named {
  explicit Named(const char* name) { setenv(protocol::kGroupVariable, name, 1); }
  ~Named() { unsetenv(protocol::kGroupVariable); }
};

std::vector<Id> make(int count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  for (Id& id : ids) id.fill('x');
  return ids;
}

std::vector<Id> member(std::int64_t rank, std::int64_t ranks, const std::string& line) {
  Ear ear;
  const Stdin input(line);
  return exchange_ids({ranks, rank, 5}, ear, input.descriptor(), make);
}

std::string line_for(const std::string& group, int ranks) {
  Ear ear;
  const Stdin input("");
  (void)exchange_ids({ranks, 0, 5}, ear, input.descriptor(), make);
  REQUIRE(ear.tokens.size() == 1);
  return protocol::token_line(group, ranks, ear.tokens.front());
}

}  // namespace

TEST_CASE("every member gets the ids that the first one made") {
  const Named named("run7.step.1");
  for (const int ranks : {2, 16, 200}) {
    const std::string line = line_for("run7.step.1", ranks);
    CHECK(member(1, ranks, line) == make(ids_for(ranks)));
    CHECK(member(ranks - 1, ranks, line) == make(ids_for(ranks)));
  }
}

TEST_CASE("a member alone makes its id and says no token") {
  Ear ear;
  const Stdin input("");
  CHECK(exchange_ids({1, 0, 5}, ear, input.descriptor(), make) == make(1));
  CHECK(ear.tokens.empty());
}

TEST_CASE("a token of another run or group size or kind is refused before it is used") {
  const Named named("run7.step.2");
  const std::string line = line_for("run7.step.2", 4);
  CHECK_THROWS_AS(member(1, 4, line_for("run7.step.1", 4)), kit::UsageError);
  CHECK_THROWS_WITH(member(1, 4, line_for("run7.step.1", 4)), Catch::Contains("another group"));
  CHECK_THROWS_WITH(member(1, 8, line), Catch::Contains("group of '4' members, not of 8"));
  CHECK_THROWS_WITH(member(1, 4, protocol::token_line("run7.step.2", 4, {"mpi", "abc"})),
                    Catch::Contains("needs 'nccl'"));
  CHECK_THROWS_AS(member(1, 4, line.substr(0, line.size() - 9)), kit::UsageError);
  CHECK_THROWS_AS(member(1, 4, line.substr(0, line.size() - 9) + "\n"), kit::UsageError);
  CHECK_THROWS_AS(member(1, 4, ""), kit::UsageError);
  CHECK_THROWS_AS(member(1, 4, "garbage\n"), kit::UsageError);
}

TEST_CASE("a token that does not come ends the wait at the bring-up deadline") {
  Ear ear;
  const Stdin input("rackproof-token", true);
  const double start = kit::now_seconds();
  CHECK_THROWS_AS(exchange_ids({2, 1, 0.1}, ear, input.descriptor(), make), kit::GaveUp);
  CHECK(kit::now_seconds() - start >= 0.1);
  CHECK(kit::now_seconds() - start < 5);
}

TEST_CASE("a rank is inside of its group") {
  CHECK_NOTHROW(validate({0, 0, 1}));
  CHECK_NOTHROW(validate({4, 3, 1}));
  CHECK_THROWS_WITH(validate({4, 4, 1}), Catch::Contains("expected 0 to 3"));
  CHECK_THROWS_WITH(validate({0, 2, 1}), Catch::Contains("without --ranks"));
}
