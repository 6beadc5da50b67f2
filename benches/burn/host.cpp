#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "benches/burn/burn.hpp"
#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/buffer.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/product/compare.hpp"
#include "benches/kit/product/exact_product.hpp"
#include "benches/kit/product/operands.hpp"
#include "benches/kit/results.hpp"

namespace rackproof::burn {
namespace {

using product::Fault;
using product::Matrix;

template <class T>
class Workload {
 public:
  Workload(std::int64_t size, std::int64_t slots, std::uint64_t seed)
      : size_(size),
        slots_(slots),
        a_(elements(), kit::Pages::kHuge),
        b_(elements(), kit::Pages::kHuge),
        reference_(elements(), kit::Pages::kHuge),
        results_(elements() * static_cast<std::size_t>(slots), kit::Pages::kHuge) {
    const std::int64_t bound = product::exact_bound(size, std::numeric_limits<T>::digits);
    product::fill_integers(a_.span(), bound, product::mix(seed, 1));
    product::fill_integers(b_.span(), bound, product::mix(seed, 2));
    // Memory is touched now, and with what no right result holds.
    product::fill_value(reference_.span(), std::numeric_limits<T>::quiet_NaN());
  }

  // Touches one result matrix, so that its page faults are not in the first windows.
  void touch(std::int64_t slot) const {
    product::fill_value(std::span<T>(result(slot), elements()),
                        std::numeric_limits<T>::quiet_NaN());
  }

  Fault prove_reference(std::uint64_t seed) const {
    blas::multiply(size_, size_, size_, T{1}, a_.data(), b_.data(), reference_.data());
    return product::check_exact(
        product::Product<T>{matrix(a_.data()), matrix(b_.data()), matrix(reference_.data())}, seed,
        "reference, ");
  }

  // Multiplication `index`, from 0, into its slot. The sign changes with each pass over the slots:
  // a slot that nobody wrote again still has the sign of the pass before, and every element is
  // wrong.
  void multiply(std::int64_t index) const {
    blas::multiply(size_, size_, size_, static_cast<T>(sign(index)), a_.data(), b_.data(),
                   result(index % slots_));
  }

  Fault compare(std::int64_t index, const std::string& where) const {
    return product::compare(matrix(reference_.data()), matrix(result(index % slots_)), sign(index),
                            where);
  }

  T* result(std::int64_t slot) const {
    return results_.data() + elements() * static_cast<std::size_t>(slot);
  }

 private:
  std::size_t elements() const { return static_cast<std::size_t>(size_ * size_); }
  Matrix<T> matrix(const T* data) const { return {data, size_, size_}; }
  int sign(std::int64_t index) const { return index / slots_ % 2 == 0 ? 1 : -1; }

  std::int64_t size_;
  std::int64_t slots_;
  kit::Buffer<T> a_;
  kit::Buffer<T> b_;
  kit::Buffer<T> reference_;
  kit::Buffer<T> results_;
};

struct BurnResult {
  Fault fault;
  std::int64_t multiplications = 0;
  double compare_seconds = 0;
  double seconds = 0;
  std::vector<double> rates;
};

// Says how far the run is, twice a second at most.
class Progress {
 public:
  explicit Progress(kit::Session& session) : session_(session) {}

  void at(const std::string& what, double fraction) {
    const double now = kit::now_seconds();
    if (what == last_ && now - said_ < 0.5) return;
    last_ = what;
    said_ = now;
    session_.phase(what, std::min(fraction, 1.0));
  }

 private:
  kit::Session& session_;
  double said_ = 0;
  std::string last_;
};

// Setting up has no place in the fraction: its length is not known before.
template <class T>
void touch_all(const Workload<T>& workload, std::int64_t slots, Progress& progress) {
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    progress.at("touching memory", 0);
    workload.touch(slot);
  }
}

template <class T>
BurnResult burn(const Workload<T>& workload, const Settings& settings, double operations,
                const kit::Session& session, Progress& progress) {
  BurnResult result;
  Windows windows(settings.window, operations);
  const auto injection = session.injection();
  const double start = kit::now_seconds();
  // One multiplication at least: a burn that did no work has no result.
  do {
    const std::int64_t index = result.multiplications++;
    workload.multiply(index);
    if (injection && index == 0) {
      kit::flip(*injection, workload.result(0), settings.size * settings.size, sizeof(T));
    }
    const double multiplied = kit::now_seconds();
    const Fault fault = workload.compare(
        index, fmt::format("window {}, multiplication {}, ", windows.current(), index + 1));
    result.fault.wrong += fault.wrong;
    if (!result.fault.first) result.fault.first = fault.first;
    const double ended = kit::now_seconds();
    result.compare_seconds += ended - multiplied;
    result.seconds = ended - start;
    windows.multiplication_ended(result.seconds);
    progress.at("burning", result.seconds / settings.seconds);
  } while (result.seconds < settings.seconds);
  windows.finish();
  result.rates = windows.rates();
  return result;
}

void say(const Settings& settings, const BurnResult& result, std::int64_t slots,
         kit::Session& session) {
  protocol::Check check = kit::check_of(
      "burn." + settings.dtype,
      fmt::format("every element of {} results equal to the first, which is the exact integer "
                  "product by row, column and random checksums without BLAS",
                  result.multiplications),
      (1 + result.multiplications) * settings.size * settings.size, result.fault.wrong,
      result.fault.first);
  if (!check.passed) {
    check.detail =
        fmt::format("{} wrong elements in {} multiplications", check.wrong, result.multiplications);
  }
  session.check(check);

  protocol::Metric metric =
      kit::metric_of("burn.rate", "FLOP/s", contract::Better::kMore, check.name);
  kit::put_samples(metric, contract::Statistic::kWorst, result.rates);
  metric.parameters = {{"dtype", settings.dtype}};
  metric.conditions = settings.conditions;
  session.metric(metric);

  session.note(fmt::format("{} multiplications in {:.1f} s over {} result matrices, {:.2f} % of it "
                           "in comparing",
                           result.multiplications, result.seconds, slots,
                           100 * result.compare_seconds / result.seconds),
               {{"multiplications", result.multiplications},
                {"seconds", result.seconds},
                {"compare_seconds", result.compare_seconds}});
}

void say_reference_wrong(const Settings& settings, const Fault& fault, kit::Session& session) {
  session.check(kit::check_of(
      "burn." + settings.dtype,
      "the first product is not the exact one, so nothing was burned: " + fault.detail +
          (fault.all_counted ? "" : "; more may be wrong than were counted"),
      settings.size * settings.size, fault.wrong, fault.first));
}

template <class T>
void measure_as(const Settings& settings, std::int64_t slots, std::uint64_t seed,
                kit::Session& session) {
  Progress progress(session);
  progress.at("touching memory", 0);
  const Workload<T> workload(settings.size, slots, seed);
  touch_all(workload, slots, progress);
  progress.at("proving the reference", 0);
  const Fault fault = workload.prove_reference(product::mix(seed, 3));
  if (fault.wrong > 0) {
    say_reference_wrong(settings, fault, session);
    return;
  }
  const double n = static_cast<double>(settings.size);
  say(settings, burn(workload, settings, 2 * n * n * n, session, progress), slots, session);
}

}  // namespace

void measure(const Settings& settings, kit::Session& session) {
  const std::int64_t slots = result_slots(settings, kit::available_memory_bytes());
  const int threads = blas::use_threads(settings.threads);
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  session.note(fmt::format("{} threads, {} result matrices of {} x {}, seed {}", threads, slots,
                           settings.size, settings.size, seed),
               {{"threads", std::int64_t{threads}},
                {"size", settings.size},
                {"slots", slots},
                {"seed", static_cast<std::int64_t>(seed)}});
  if (settings.dtype == "fp64") {
    measure_as<double>(settings, slots, seed, session);
  } else {
    measure_as<float>(settings, slots, seed, session);
  }
  session.phase("done", 1);
}

}  // namespace rackproof::burn
