// align-cuda on a machine that is played and does not do what it should.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "benches/align/cuda.hpp"
#include "benches/kit/errors.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/unit/align/listener.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

CudaSettings quick() {
  CudaSettings settings;
  settings.queries = 1;
  settings.subjects = 64;
  settings.seconds = 0;
  settings.passes = 2;
  settings.threads = 1;
  settings.sample_cells = 10'000;
  settings.verify = "sampled";
  settings.tile = "8x20-bytes";
  return settings;
}

// Which number of a kernel it is, counted from 1.
struct Kernels {
  int seen = 0;
  bool is(std::string_view operation, int which) {
    return operation.find("align_kernel") != std::string_view::npos && ++seen == which;
  }
};

}  // namespace

TEST_CASE("too little memory of the device is said once, and nothing is kept") {
  const cuda_host::Stage stage;
  cuda_host::machine_to_change().memory = std::size_t{40} << 10;
  Listener listener;
  CHECK_THROWS_AS(measure_cuda(quick(), listener), kit::Unavailable);
  CHECK(listener.checks.empty());
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("a kernel that did nothing in one pass leaves scores that are missing") {
  const cuda_host::Stage stage;
  Kernels kernels;
  cuda_host::play().begins = [&](int, std::string_view operation) {
    return !kernels.is(operation, 2);
  };
  Listener listener;
  measure_cuda(quick(), listener);
  CHECK(kernels.seen == 2);
  CHECK(listener.failed() == std::vector<std::string>{"align.scores"});
  CHECK(listener.checks.front().wrong == 64);
  CHECK(listener.checks.front().first_wrong->where.find("pass 2") == 0);
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("a count that is wrong leads to no memory that is another's") {
  const cuda_host::Stage stage;
  int counts = 0;
  cuda_host::play().after = [&](const cuda_host::Done& done) {
    if (done.operation != "a memset of 8 B") return;
    const std::uint64_t much = std::uint64_t{1} << (counts++ == 0 ? 40U : 63U);
    std::memcpy(done.written, &much, sizeof(much));
  };
  Listener listener;
  measure_cuda(quick(), listener);
  CHECK(counts == 2);
  CHECK(listener.failed().empty());
}

TEST_CASE("the rate is that of the device's own time") {
  const cuda_host::Stage stage;
  cuda_host::play().seconds = [](const cuda_host::Done& done) {
    return done.operation.find("align_kernel") != std::string_view::npos ? 2.0 : 0.0;
  };
  Listener listener;
  measure_cuda(quick(), listener);
  REQUIRE(listener.metrics.size() == 2);
  const auto cells = std::get<double>(listener.notes.front().facts.at("cells"));
  CHECK(listener.metrics[1].value == Approx(cells / 2));
}
