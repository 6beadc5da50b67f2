// align-cuda on a machine that is played and does not do what it should.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

namespace {

// The bytes of everything that is copied to the device before the first kernel, as `wrong` changes
// the one copy that it is for.
Listener with_wrong_upload(int which, const std::function<void(char*)>& wrong) {
  const cuda_host::Stage stage;
  int copies = 0;
  cuda_host::play().after = [&](const cuda_host::Done& done) {
    if (done.operation.find("a copy of ") == 0 && done.to == 0 && ++copies == which) {
      wrong(done.written);
    }
  };
  Listener listener;
  CudaSettings settings = quick();
  settings.passes = 1;
  settings.sample_cells = 10'000'000;  // all of them
  measure_cuda(settings, listener);
  return listener;
}

enum Upload { kQueries = 1, kMatrix, kBegins, kRows };

const protocol::Check* check_named(const Listener& listener, std::string_view name) {
  for (const protocol::Check& check : listener.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("wrong bits in what lies on the device are wrong answers with their place") {
  struct Case {
    Upload upload;
    int byte;
    int bit;
    const char* where;
  };
  // Letters that are others and bytes that are none; offsets that are far away, and odd; the
  // longest pair is the first one.
  for (const Case& one : {Case{kQueries, 40, 1, "query 0, residue 40 "},
                          {kQueries, 41, 7, "query 0, residue 41 "},
                          {kMatrix, 0, 3, "score of A and A "},
                          {kBegins, 8, 2, "first row of pair 1 "},
                          {kBegins, 8, 0, "first row of pair 1 "},
                          {kBegins, 12, 5, "first row of pair 1 "},
                          {kBegins, 15, 7, "first row of pair 1 "},
                          {kRows, 60, 2, "residue 30 "},
                          {kRows, 61, 7, "residue 30 "},
                          {kRows, 62, 5, "residue 31 "}}) {
    CAPTURE(one.where, one.byte, one.bit);
    const Listener listener = with_wrong_upload(one.upload, [&](char* written) {
      written[one.byte] = static_cast<char>(written[one.byte] ^ (1 << one.bit));
    });
    const protocol::Check* const memory = check_named(listener, "align.memory");
    REQUIRE(memory != nullptr);
    CHECK(!memory->passed);
    CHECK(memory->wrong == 1);
    REQUIRE(memory->first_wrong.has_value());
    CHECK(memory->first_wrong->where.find(one.where) != std::string::npos);
  }
}

TEST_CASE("scores tell too of a subject that has lost its rows") {
  // The first row of the second pair lies behind the end of all of them.
  const Listener listener = with_wrong_upload(kBegins, [](char* written) { written[14] = 1; });
  const std::vector<std::string> failed = listener.failed();
  CHECK(std::find(failed.begin(), failed.end(), "align.sample") != failed.end());
  CHECK(std::find(failed.begin(), failed.end(), "align.memory") != failed.end());
  CHECK(cuda_host::still_held() == 0);
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
