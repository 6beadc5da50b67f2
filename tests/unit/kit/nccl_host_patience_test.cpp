#include "benches/kit/nccl/host_patience.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace rackproof::kit;

namespace {

void sleep_until(const std::atomic<bool>& done) {
  while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("a call that does not come back is given up while it is under way, once") {
  std::atomic<bool> told{false};
  std::vector<std::string> said;
  nccl::HostPatience patience(0.02, [&](const std::string& what) {
    said.push_back(what);
    told = true;
  });
  patience.guard("quick", [] {});
  patience.guard("connecting", [&] { sleep_until(told); });
  patience.guard("quick again", [] {});
  CHECK(said == std::vector<std::string>{"connecting"});
}

TEST_CASE("calls that come back are left alone, by whatever way") {
  std::atomic<int> told{0};
  {
    nccl::HostPatience patience(30, [&](const std::string&) { ++told; });
    for (int i = 0; i < 1000; ++i) patience.guard("an operation", [] {});
    CHECK_THROWS_AS(patience.guard("a failure", [] { throw std::runtime_error("no"); }),
                    std::runtime_error);
  }
  CHECK(told == 0);
}
