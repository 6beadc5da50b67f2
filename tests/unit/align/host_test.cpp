#include "benches/align/host.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "benches/align/kernels.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/align/listener.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

HostSettings quick() {
  HostSettings settings;
  settings.subjects = 200;
  settings.seconds = 0;
  settings.passes = 2;
  settings.threads = 1;
  settings.sample_cells = 1'000'000;
  return settings;
}

Listener measured_on_host(const HostSettings& settings, std::optional<kit::Injection> fault = {}) {
  Listener listener(fault);
  measure_host(settings, listener);
  return listener;
}

}  // namespace

TEST_CASE("a run on the host proves its scores and names its kernels") {
  const Listener listener = measured_on_host(quick());
  CHECK(listener.failed().empty());
  CHECK(listener.checks.size() == 4);
  REQUIRE(listener.metrics.size() == 9);
  const KernelSets all = kernel_sets();
  CHECK(std::get<std::string>(listener.metrics[0].conditions.at("kernels")) ==
        all.sets[all.count - 1].name);
}

TEST_CASE("the digest is the same for all kernels and numbers of threads") {
  const std::string want = measured_on_host(quick()).checks[0].digest;
  const KernelSets all = kernel_sets();
  for (int i = 0; i < all.count; ++i) {
    HostSettings settings = quick();
    settings.kernels = all.sets[i].name;
    settings.verify = "sampled";
    settings.passes = 1;
    CHECK(measured_on_host(settings).checks[0].digest == want);
  }
  HostSettings other = quick();
  other.seed = 2;
  CHECK(measured_on_host(other).checks[0].digest != want);
}

TEST_CASE("a flipped bit and each fault is a failed check") {
  CHECK(measured_on_host(quick(), kit::Injection{77, 3}).failed() ==
        std::vector<std::string>{"align.scores"});
  HostSettings settings = quick();
  settings.fault = "table";
  CHECK(measured_on_host(settings).failed() ==
        std::vector<std::string>{"align.copies", "align.sample"});
  settings.fault = "tile";
  CHECK(measured_on_host(settings).failed().front() == "align.scores");
  settings.fault = "stop";
  const std::vector<std::string> failed = measured_on_host(settings).failed();
  CHECK(std::count(failed.begin(), failed.end(), "align.copies") == 1);
  CHECK(std::count(failed.begin(), failed.end(), "align.reversed") == 1);
  settings.fault = "letter";
  CHECK(measured_on_host(settings).failed().front() == "align.copies");
}

TEST_CASE("DNA is aligned and proved in the same way") {
  HostSettings settings = quick();
  settings.alphabet = "dna";
  const Listener listener = measured_on_host(settings);
  CHECK(listener.failed().empty());
  CHECK(std::get<std::int64_t>(listener.metrics[0].parameters.at("gap_existence")) == 5);
  CHECK(std::get<std::int64_t>(listener.metrics[0].parameters.at("gap_extension")) == 2);
  CHECK(std::get<std::string>(listener.metrics[0].parameters.at("matrix")) == "2,-3");
}

TEST_CASE("kernels that this processor lacks are told as unavailable") {
  HostSettings settings = quick();
  settings.kernels = "kernels of tomorrow";
  CHECK_THROWS_AS(measured_on_host(settings), kit::Unavailable);
}
