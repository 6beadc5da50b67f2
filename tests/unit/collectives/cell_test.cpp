#include "benches/collectives/cell.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <thread>

#include "benches/kit/errors.hpp"
#include "tests/unit/collectives/thread_transport.hpp"

using namespace rackproof;
using namespace rackproof::collectives;
using namespace rackproof::reduction;

namespace {

const MeasuringRule kShort{2, 3, 100, 0, 1};

std::vector<CellResult> measure_on(ThreadGroup& group, const CellSpec& spec,
                                   const MeasuringRule& rule = kShort,
                                   std::optional<kit::Injection> injection = {}) {
  std::vector<CellResult> results(group.size);
  run_group(group, [&](ThreadTransport& transport) {
    kit::ProgressWriter word;
    results[transport.rank()] = measure_cell(
        transport, spec, rule, injection, [](double) {}, word);
  });
  return results;
}

CellSpec spec_of(Operation operation, Dtype dtype, std::int64_t bytes, bool in_place = false,
                 RedOp redop = RedOp::kSum) {
  CellSpec spec{operation, dtype, std::nullopt, bytes, in_place};
  if (reduces(operation)) spec.redop = redop;
  return spec;
}

}  // namespace

TEST_CASE("every operation of a right transport passes, in and out of place, in any order") {
  for (const auto& text : operation_words()) {
    const Operation operation = *operation_of(text);
    for (const bool in_place : {false, true}) {
      if (in_place && !has_in_place_form(operation)) continue;
      for (const std::int64_t bytes : {8, 4096}) {
        ThreadGroup group(3);
        group.reversed = in_place;
        const CellSpec spec = spec_of(operation, Dtype::kFloat, bytes, in_place);
        INFO(label(spec));
        const auto results = measure_on(group, spec);
        for (const CellResult& result : results) {
          CHECK(result.wrong == 0);
          CHECK(result.compared > 0);
          CHECK(result.compared == results.front().compared);
          CHECK(result.seconds == results.front().seconds);
          CHECK(result.seconds.size() >= 3);
        }
      }
    }
  }
}

TEST_CASE("every type and reduction of a right transport passes") {
  for (const auto& type : dtype_words()) {
    for (const auto& redop : redop_words()) {
      for (const int ranks : {3, 4}) {
        ThreadGroup group(ranks);
        const CellSpec spec =
            spec_of(Operation::kAllReduce, *dtype_of(type), 1000, false, *redop_of(redop));
        INFO(label(spec) << " over " << ranks);
        const CellResult result = measure_on(group, spec).front();
        CHECK(result.wrong == 0);
        CHECK(result.compared > 0);
      }
    }
  }
}

TEST_CASE("compared counts every element of every operation over the ranks that have a result") {
  const auto compared = [](Operation operation) {
    ThreadGroup group(3);
    const CellResult result = measure_on(group, spec_of(operation, Dtype::kInt32, 120)).front();
    return result.compared / result.operations;
  };
  CHECK(compared(Operation::kAllReduce) == 90);
  CHECK(compared(Operation::kReduce) == 30);
  CHECK(compared(Operation::kBroadcast) == 60);
  CHECK(compared(Operation::kReduceScatter) == 30);
  CHECK(compared(Operation::kAllGather) == 90);
}

TEST_CASE("one wrong element in one timed operation is found, with rank, index and source") {
  ThreadGroup group(3);
  const std::int64_t slots = plan_batch(shape_of(Operation::kAllGather, 3, 1200, 4), 4).slots;
  const std::int64_t bad = slots + 5;  // in the batch after the warm-up
  group.spoil = [&](int rank, std::int64_t operation, void* out) {
    if (rank == 1 && operation == bad) static_cast<std::uint32_t*>(out)[217] ^= 1U << 9;
  };
  const CellSpec spec = spec_of(Operation::kAllGather, Dtype::kUint32, 1200);
  for (const CellResult& result : measure_on(group, spec)) {
    CHECK(result.wrong == 1);
    REQUIRE(result.first_wrong);
    CHECK(result.first_wrong->rank == 1);
    CHECK(result.first_wrong->iteration == bad);
    CHECK(result.first_wrong->element.index == 217);
    CHECK(result.first_wrong->element.source == 2);
    CHECK((result.first_wrong->element.got ^ result.first_wrong->element.want) == 1U << 9);
  }
}

TEST_CASE("64-bit patterns of a wrong element arrive whole") {
  ThreadGroup group(2);
  group.spoil = [](int rank, std::int64_t operation, void* out) {
    if (rank == 1 && operation == 0) *static_cast<std::uint64_t*>(out) = 0xfedcba9876543211ULL;
  };
  const auto results = measure_on(group, spec_of(Operation::kSendRecv, Dtype::kUint64, 8));
  REQUIRE(results.front().first_wrong);
  CHECK(results.front().first_wrong->element.got == 0xfedcba9876543211ULL);
}

TEST_CASE("a contribution that is left out is found") {
  for (const Operation operation :
       {Operation::kAllReduce, Operation::kReduce, Operation::kReduceScatter}) {
    ThreadGroup group(3);
    group.dropped_rank = 2;
    CHECK(measure_on(group, spec_of(operation, Dtype::kDouble, 4096)).front().wrong > 0);
  }
}

TEST_CASE("an operation that does nothing is found, by each element that it leaves") {
  ThreadGroup group(2);
  group.skip = [](int rank, std::int64_t operation) { return rank == 1 && operation == 6; };
  const CellResult result =
      measure_on(group, spec_of(Operation::kAllReduce, Dtype::kInt32, 1024)).front();
  CHECK(result.wrong == 256);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->rank == 1);
  CHECK(result.first_wrong->iteration == 6);
}

TEST_CASE("a large operation that does nothing is found, though the one before left the result") {
  constexpr std::int64_t kBytes = 256 * 1024;
  const CellSpec spec = spec_of(Operation::kAllReduce, Dtype::kInt32, kBytes);
  REQUIRE(plan_batch(shape_of(spec.operation, 2, kBytes, 4), 4).slots == 1);
  ThreadGroup group(2);
  // The first batch has eight rehearsals before the operation that counts.
  group.skip = [](int rank, std::int64_t operation) { return rank == 0 && operation == 8; };
  const CellResult result = measure_on(group, spec).front();
  CHECK(result.wrong == 2 * kBytes / 1024);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->rank == 0);
  CHECK(result.first_wrong->iteration == 0);
}

TEST_CASE("the result of an earlier batch is found where only the stamps differ") {
  constexpr std::int64_t kBytes = 256 * 1024;
  std::vector<std::vector<char>> kept(2);
  ThreadGroup group(2);
  group.spoil = [&](int rank, std::int64_t operation, void* out) {
    if (operation == 0) {
      kept[rank].assign(static_cast<char*>(out), static_cast<char*>(out) + kBytes);
    }
    std::memcpy(out, kept[rank].data(), kept[rank].size());
  };
  const CellResult result =
      measure_on(group, spec_of(Operation::kAllReduce, Dtype::kInt32, kBytes)).front();
  CHECK(result.wrong == (result.operations - 1) * 2 * kBytes / 4 / kStampStride);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->iteration == 1);
}

TEST_CASE("an injected bit is found on the last rank that has a result, once") {
  for (const auto& text : operation_words()) {
    const Operation operation = *operation_of(text);
    ThreadGroup group(3);
    const CellResult result =
        measure_on(group, spec_of(operation, Dtype::kFloat, 1200), kShort, kit::Injection{50, 3})
            .front();
    INFO(text);
    CHECK(result.wrong == 1);
    REQUIRE(result.first_wrong);
    CHECK(result.first_wrong->rank == (operation == Operation::kReduce ? 0 : 2));
    CHECK(result.first_wrong->element.index == 50);
    CHECK((result.first_wrong->element.got ^ result.first_wrong->element.want) == 8);
  }
}

TEST_CASE("a sample is the longest time any rank needed, and one slow operation is one sample") {
  ThreadGroup group(2);
  const BatchPlan plan = plan_batch(shape_of(Operation::kAllReduce, 2, 8, 4), 4);
  const std::int64_t slow = plan.slots + plan.lead + 1;
  group.spoil = [&](int rank, std::int64_t operation, void*) {
    if (rank == 1 && operation == slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const auto results = measure_on(group, spec_of(Operation::kAllReduce, Dtype::kFloat, 8));
  const std::vector<double>& seconds = results.front().seconds;
  CHECK(seconds.at(1) >= 0.02);
  CHECK(results.back().seconds == seconds);
}

TEST_CASE("batches end whole, lead iterations are dropped, the upper limit holds") {
  const Shape small = shape_of(Operation::kAllReduce, 2, 8, 4);
  const BatchPlan plan = plan_batch(small, 4);
  CHECK(plan.slots == 512);
  CHECK(plan.lead == 8);
  const BatchPlan large = plan_batch(shape_of(Operation::kAllReduce, 2, 1 << 22, 4), 4);
  CHECK(large.slots == 1);
  CHECK(large.lead == 0);

  ThreadGroup group(2);
  const MeasuringRule rule{0, 600, 1000, 1000, 1};
  const CellResult result =
      measure_on(group, spec_of(Operation::kAllReduce, Dtype::kFloat, 8), rule).front();
  CHECK(result.seconds.size() == 1008);
  CHECK(result.operations == 1024);
}

TEST_CASE("memory that is not there is refused by every rank") {
  for (const std::int64_t bytes : {std::int64_t{1} << 43, std::int64_t{1} << 60}) {
    ThreadGroup group(2);
    std::atomic<int> refused = 0;
    run_group(group, [&](ThreadTransport& transport) {
      const CellSpec spec = spec_of(Operation::kAllToAll, Dtype::kInt8, bytes);
      kit::ProgressWriter word;
      try {
        (void)measure_cell(
            transport, spec, kShort, {}, [](double) {}, word);
      } catch (const kit::Unavailable&) {
        ++refused;
      }
    });
    CHECK(refused == 2);
  }
}

TEST_CASE("every call is told before it is made and after it, alike on all ranks") {
  using contract::unpacked;
  for (const std::int64_t bytes : {std::int64_t{64}, std::int64_t{1} << 20}) {
    ThreadGroup group(2);
    std::vector<contract::ProgressPage> pages(2);
    std::vector<int> outside(2);  // calls while the page said that none was under way
    std::vector<std::int64_t> operations(2);
    const auto look = [&](int rank) {
      const auto& page = pages[static_cast<std::size_t>(rank)];
      if (page.entered <= page.completed) ++outside[static_cast<std::size_t>(rank)];
    };
    group.spoil = [&](int rank, std::int64_t, void*) {
      look(rank);
      const auto at = unpacked(pages[static_cast<std::size_t>(rank)].entered);
      // The last operation of a cell is the one with the highest number.
      if (at.exchange == 0) operations[static_cast<std::size_t>(rank)] = at.iteration + 1;
    };
    const CellSpec spec = spec_of(Operation::kAllReduce, Dtype::kInt32, bytes);
    std::vector<CellResult> results(2);
    run_group(group, [&](ThreadTransport& transport) {
      const auto rank = static_cast<std::size_t>(transport.rank());
      kit::ProgressWriter word(&pages[rank]);
      word.begin("before", 0);
      results[rank] = measure_cell(
          transport, spec, kShort, {}, [](double) {}, word);
    });
    CHECK(outside == std::vector<int>{0, 0});
    CHECK(operations == std::vector<std::int64_t>(2, results[0].operations));
    CHECK(pages[0].entered == pages[1].entered);
    CHECK(unpacked(pages[0].entered).cell == 2);
    CHECK(pages[0].completed == pages[0].entered);
    CHECK(pages[0].titles[0].bytes == bytes);
  }
}

TEST_CASE("labels name operation, size, type and reduction") {
  CHECK(label(spec_of(Operation::kAllReduce, Dtype::kFloat, 4096)) ==
        "all_reduce 4096 B float sum");
  CHECK(label(spec_of(Operation::kAllGather, Dtype::kInt8, 8, true)) ==
        "all_gather 8 B int8 in place");
  CellSpec spec = spec_of(Operation::kSendRecv, Dtype::kHalf, 8);
  spec.launch = Launch::kGraph;
  spec.registration = Registration::kSymmetric;
  CHECK(label(spec) == "sendrecv 8 B half graph symmetric");
}

TEST_CASE("findings of all ranks add up whole, and the first wrong rank is named") {
  RankFindings clean;
  clean.found.compared = 100;
  RankFindings bad;
  bad.found.compared = 100;
  bad.found.wrong = 3;
  bad.found.first = WrongElement{std::int64_t{1} << 40, 7, 0xfedcba9876543210ULL, ~0ULL};
  bad.iteration = 12;
  std::vector<double> all = pack(clean);
  for (const RankFindings& one : {bad, bad}) {
    const std::vector<double> packed = pack(one);
    REQUIRE(packed.size() == kFindingsFields);
    all.insert(all.end(), packed.begin(), packed.end());
  }
  CellResult result;
  unpack(all, result);
  CHECK(result.compared == 300);
  CHECK(result.wrong == 6);
  REQUIRE(result.first_wrong);
  CHECK(result.first_wrong->rank == 1);
  CHECK(result.first_wrong->iteration == 12);
  CHECK(result.first_wrong->element.index == std::int64_t{1} << 40);
  CHECK(result.first_wrong->element.source == 7);
  CHECK(result.first_wrong->element.got == 0xfedcba9876543210ULL);
  CHECK(result.first_wrong->element.want == ~0ULL);
}

TEST_CASE("a cell is done by count and time, or by its upper limit") {
  const MeasuringRule rule{0, 50, 1000, 2.0, 1};
  CHECK(done_part(rule, 25, 10) == Approx(0.5));
  CHECK(done_part(rule, 100, 1) == Approx(0.5));
  CHECK(done_part(rule, 1000, 0) == Approx(1));
  CHECK(done_part(rule, 50, 2) == Approx(1));
}
