#include "harness/lint/cells.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/lint/support.hpp"

using namespace rackproof::lint;
using rackproof::lint_test::catalogue;
namespace contract = rackproof::contract;
namespace model = rackproof::model;

namespace {

Selector selector(std::string metric, contract::Parameters parameters = {},
                  std::string backend = "") {
  Selector made;
  made.metric = std::move(metric);
  made.parameters = std::move(parameters);
  made.backend = std::move(backend);
  return made;
}

const contract::Scalar kBf16 = std::string("bf16");
const contract::Scalar kFp64 = std::string("fp64");

}  // namespace

TEST_CASE("a pattern stands for the metrics of all benches that match") {
  CHECK(names_of("stream.tri*", catalogue()) == std::vector<std::string>{"stream.triad"});
  const std::vector<std::string> rates = names_of("*.busbw", catalogue());
  CHECK(rates.size() >= 7);
  for (const std::string& name : rates) CHECK(name.ends_with(".busbw"));
  CHECK(names_of("of-no-bench.*", catalogue()).empty());
}

TEST_CASE("a selector is about the kinds that take its parameters") {
  CHECK(kinds_of(selector("gemm.rate"), catalogue()).size() == 3);
  CHECK(kinds_of(selector("gemm.rate", {{"dtype", kFp64}}), catalogue()).size() == 2);
  CHECK(kinds_of(selector("gemm.rate", {{"dtype", kBf16}}), catalogue()).size() == 1);
  CHECK(kinds_of(selector("gemm.rate", {{"dtype", kFp64}}, "host"), catalogue()).size() == 1);
  CHECK(kinds_of(selector("gemm.rate", {{"bytes", std::int64_t{8}}}), catalogue()).empty());
}

TEST_CASE("the backends of a selector are those that print its metrics") {
  const auto backends = [](const Selector& one) {
    return backends_of(one, kinds_of(one, catalogue()));
  };
  CHECK(backends(selector("gemm.rate", {{"dtype", kBf16}})) == std::vector<std::string>{"cuda"});
  CHECK(backends(selector("all_reduce.busbw")) == std::vector<std::string>{"mpi", "nccl"});
  CHECK(backends(selector("all_reduce.busbw", {}, "n*")) == std::vector<std::string>{"nccl"});
}

TEST_CASE("parameters contradict each other only by a name that both give") {
  CHECK(compatible({{"dtype", kBf16}}, {{"m", std::int64_t{8192}}}));
  CHECK(compatible({{"m", 8192.0}}, {{"m", std::int64_t{8192}}}));
  CHECK(compatible({{"dtype", std::string("b*")}}, {{"dtype", kBf16}}));
  CHECK(compatible({{"dtype", kBf16}}, {{"dtype", std::string("b*")}}));
  CHECK_FALSE(compatible({{"dtype", kBf16}}, {{"dtype", kFp64}}));
}

TEST_CASE("a more general selector covers a more particular one and not the other way round") {
  const Selector all = selector("stream.*");
  const Selector one = selector("stream.triad", {{"type", std::string("double")}}, "cuda");
  CHECK(covers(all, one, catalogue()));
  CHECK_FALSE(covers(one, all, catalogue()));
  CHECK(covers(one, one, catalogue()));
  CHECK(overlap(all, one, catalogue()));
  CHECK_FALSE(covers(selector("stream.*", {}, "host"), one, catalogue()));
  CHECK_FALSE(overlap(selector("stream.*", {}, "host"), one, catalogue()));
  CHECK_FALSE(overlap(selector("stream.add"), one, catalogue()));
}

TEST_CASE("node counts tell selectors apart") {
  Selector small = selector("all_reduce.busbw");
  small.nodes_max = 1;
  Selector large = small;
  large.nodes_min = 2;
  large.nodes_max = 16;
  CHECK_FALSE(overlap(small, large, catalogue()));
  CHECK(covers(selector("all_reduce.busbw"), large, catalogue()));
  CHECK_FALSE(covers(large, selector("all_reduce.busbw"), catalogue()));
}
