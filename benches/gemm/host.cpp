#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

#include "benches/gemm/gemm.hpp"
#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/buffer.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/product/compare.hpp"
#include "benches/kit/product/digest.hpp"
#include "benches/kit/product/exact_product.hpp"
#include "benches/kit/product/float_product.hpp"
#include "benches/kit/product/operands.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::gemm {
namespace {

using product::Fault;

// What the proof of a cell cost, beside what it proves.
struct ProofCost {
  double before_seconds = 0;  // check of the exact product, without the multiplication itself
  double timed_seconds = 0;   // checks of the timed results
};

// Says where the whole run is, at most twice a second.
class Progress {
 public:
  Progress(kit::Session& session, std::size_t cells) : session_(session), cells_(cells) {}

  void at(std::size_t cell, double part, const std::string& what) {
    const double now = kit::now_seconds();
    if (what == last_ && now - said_ < 0.5) return;
    said_ = now;
    last_ = what;
    session_.phase(what, (static_cast<double>(cell) + part) / static_cast<double>(cells_));
  }

 private:
  kit::Session& session_;
  std::size_t cells_;
  double said_ = 0;
  std::string last_;
};

void add(Fault& all, const Fault& one) {
  all.wrong += one.wrong;
  all.all_counted = all.all_counted && one.all_counted;
  if (!all.first) all.first = one.first;
  if (all.detail.empty()) all.detail = one.detail;
}

template <class T>
class Multiplication {
 public:
  explicit Multiplication(const Shape& shape)
      : shape_(shape),
        a_(static_cast<std::size_t>(shape.m * shape.k), kit::Pages::kHuge),
        b_(static_cast<std::size_t>(shape.k * shape.n), kit::Pages::kHuge),
        c_(static_cast<std::size_t>(shape.m * shape.n), kit::Pages::kHuge) {
    product::fill_value(c_.span(), std::numeric_limits<T>::quiet_NaN());
  }

  // C = sign * A * B. Calls take turns in their sign, so that a C nobody wrote is seen.
  void call(int sign) const {
    blas::multiply(shape_.m, shape_.n, shape_.k, static_cast<T>(sign), a_.data(), b_.data(),
                   c_.data());
  }
  std::span<T> a() const { return a_.span(); }
  std::span<T> b() const { return b_.span(); }
  std::span<T> c() const { return c_.span(); }
  product::Matrix<T> result() const { return {c_.data(), shape_.m, shape_.n}; }
  product::Product<T> product() const {
    return {{a_.data(), shape_.m, shape_.k}, {b_.data(), shape_.k, shape_.n}, result()};
  }

 private:
  Shape shape_;
  kit::Buffer<T> a_;
  kit::Buffer<T> b_;
  kit::Buffer<T> c_;
};

// Part one: integers whose product is exact. It also warms up what the timed calls use.
template <class T>
Fault prove_exact(const Multiplication<T>& work, const Shape& shape, std::uint64_t seed,
                  const kit::Session& session, ProofCost& cost) {
  const std::int64_t bound = product::exact_bound(shape.k, std::numeric_limits<T>::digits);
  product::fill_integers(work.a(), bound, product::mix(seed, 1));
  product::fill_integers(work.b(), bound, product::mix(seed, 2));
  work.call(1);
  if (const auto injection = session.injection()) {
    kit::flip(*injection, work.c().data(), shape.m * shape.n, sizeof(T));
  }
  const double start = kit::now_seconds();
  Fault fault = product::check_exact(work.product(), product::mix(seed, 3), "exact operands, ");
  cost.before_seconds += kit::now_seconds() - start;
  return fault;
}

// A timed result that is not the first one's: multiplies again to say where.
template <class T>
Fault locate(const Multiplication<T>& work, const Shape& shape, std::size_t call, int sign,
             const std::vector<std::uint64_t>& want, const std::vector<std::uint64_t>& got) {
  Fault fault;
  const std::string where = fmt::format("timed call {}, ", call);
  const kit::Buffer<T> kept(work.c().size());
  std::copy(work.c().begin(), work.c().end(), kept.data());
  work.call(1);
  if (product::row_digests(work.result(), 1) == want) {
    const product::Matrix<T> wrong{kept.data(), shape.m, shape.n};
    fault = product::compare(work.result(), wrong, sign, where);
  }
  if (fault.wrong == 0) {
    const auto row = std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin();
    fault.wrong = 1;
    fault.all_counted = false;
    fault.first = protocol::FirstWrong{fmt::format("{}row {}", where, row),
                                       fmt::format("digest {:016x}", got[row]),
                                       fmt::format("digest {:016x}", want[row])};
  }
  fault.detail =
      fmt::format("timed call {} gave other bits than the first with the same operands", call);
  return fault;
}

struct Timed {
  std::vector<double> seconds;
  Fault fault;
};

// Part two: normal operands, timed; the first result is checked, the others must have its bits.
template <class T>
Timed time_normal(const Multiplication<T>& work, const Shape& shape, const Settings& settings,
                  std::uint64_t seed, ProofCost& cost,
                  const std::function<void(double)>& progress) {
  product::fill_normal(work.a(), product::mix(seed, 4));
  product::fill_normal(work.b(), product::mix(seed, 5));
  Timed timed;
  std::vector<std::uint64_t> first;
  double total = 0;
  while (static_cast<std::int64_t>(timed.seconds.size()) < settings.min_samples ||
         total < settings.seconds) {
    const int sign = timed.seconds.size() % 2 == 0 ? 1 : -1;
    const double start = kit::now_seconds();
    work.call(sign);
    const double end = kit::now_seconds();
    timed.seconds.push_back(end - start);
    total += end - start;
    std::vector<std::uint64_t> digests = product::row_digests(work.result(), sign);
    if (first.empty()) {
      first = std::move(digests);
      add(timed.fault,
          product::check_float(work.product(), product::mix(seed, 6), "timed call 1, "));
    } else if (digests != first && timed.fault.wrong == 0) {
      add(timed.fault, locate(work, shape, timed.seconds.size(), sign, first, digests));
    } else if (digests != first) {
      timed.fault.all_counted = false;
    }
    cost.timed_seconds += kit::now_seconds() - end;
    const double calls = static_cast<double>(timed.seconds.size());
    progress(std::min({1.0, calls / static_cast<double>(settings.min_samples),
                       settings.seconds > 0 ? total / settings.seconds : 1.0}));
  }
  return timed;
}

void say(const Cell& cell, const Settings& settings, const Fault& fault, const Timed& timed,
         const ProofCost& cost, kit::Session& session) {
  const std::int64_t compared =
      cell.shape.m * cell.shape.n * (1 + static_cast<std::int64_t>(timed.seconds.size()));
  protocol::Check check = kit::check_of(fmt::format("gemm.{}.{}", cell.dtype, text(cell.shape)), "",
                                        compared, fault.wrong, fault.first);
  check.detail =
      check.passed
          ? fmt::format(
                "exact integer product by row, column and random checksums without BLAS; "
                "first of {} timed results by Freivalds' test within rounding, the others "
                "bitwise equal to it by digest",
                timed.seconds.size())
          : fault.detail + (fault.all_counted ? "" : "; more may be wrong than were counted");
  session.check(check);

  protocol::Metric metric =
      kit::metric_of("gemm.rate", "FLOP/s", contract::Better::kMore, check.name);
  kit::put_samples(metric, contract::Statistic::kMedian,
                   kit::rates(operations(cell.shape), timed.seconds));
  metric.parameters = parameters(cell);
  metric.conditions = settings.conditions;
  session.metric(metric);

  double total = 0;
  for (const double seconds : timed.seconds) total += seconds;
  session.note(
      fmt::format("{}: proof of timed results {:.2f} % of the timed {:.2f} s, of the exact "
                  "product before them {:.3f} s",
                  check.name, 100 * cost.timed_seconds / total, total, cost.before_seconds),
      {{"timed_seconds", total},
       {"timed_proof_seconds", cost.timed_seconds},
       {"exact_proof_seconds", cost.before_seconds}});
}

template <class T>
void measure_cell(const Cell& cell, const Settings& settings, std::uint64_t seed,
                  const std::function<void(double)>& progress, kit::Session& session) {
  progress(0);
  const Multiplication<T> work(cell.shape);
  ProofCost cost;
  Fault fault = prove_exact(work, cell.shape, seed, session, cost);
  const Timed timed = time_normal(work, cell.shape, settings, seed, cost, progress);
  add(fault, timed.fault);
  say(cell, settings, fault, timed, cost, session);
}

void refuse_what_does_not_fit(const std::vector<Cell>& all) {
  const std::int64_t available = kit::available_memory_bytes();
  for (const Cell& cell : all) {
    const std::int64_t needed = bytes_needed(cell);
    if (needed <= available) continue;
    throw kit::UsageError(
        fmt::format("--shape {} with --dtype {} needs {:.1f} GiB of memory, and {:.1f} GiB are "
                    "available: choose "
                    "a smaller shape",
                    text(cell.shape), cell.dtype, static_cast<double>(needed) / (1 << 30),
                    static_cast<double>(available) / (1 << 30)));
  }
}

}  // namespace

void measure(const Settings& settings, kit::Session& session) {
  const std::vector<Cell> all = cells(settings);
  refuse_what_does_not_fit(all);
  const int threads = blas::use_threads(settings.threads);
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  session.note(fmt::format("{} threads, seed {}", threads, seed),
               {{"threads", std::int64_t{threads}}, {"seed", static_cast<std::int64_t>(seed)}});
  Progress progress(session, all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Cell& cell = all[i];
    const auto part = [&](double fraction) {
      progress.at(i, fraction, fmt::format("{} {}", cell.dtype, text(cell.shape)));
    };
    const std::uint64_t cell_seed = product::mix(seed, i);
    if (cell.dtype == "fp64") {
      measure_cell<double>(cell, settings, cell_seed, part, session);
    } else {
      measure_cell<float>(cell, settings, cell_seed, part, session);
    }
  }
  session.phase("done", 1);
}

}  // namespace rackproof::gemm
