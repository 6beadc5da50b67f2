#include "benches/burn/cuda.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>

#include "benches/burn/cuda_burner.hpp"
#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/product/seed.hpp"
#include "benches/kit/results.hpp"

namespace rackproof::burn {
namespace {

namespace cuda = kit::cuda;
using product::Dtype;
using product::Fault;

// The dtypes that the device has, with a note for each that it lacks. Throws Unavailable when that
// is none.
std::vector<Dtype> available(const CudaSettings& settings, const cuda::Device& device,
                             kit::Session& session) {
  std::vector<Dtype> dtypes;
  std::vector<std::pair<std::string, std::string>> missing;
  for (const std::string& name : settings.dtypes) {
    const Dtype dtype = product::dtype_of(name);
    if (const auto reason = product::lacking(dtype, device.major, device.minor)) {
      missing.emplace_back(name, *reason);
    } else {
      dtypes.push_back(dtype);
    }
  }
  if (dtypes.empty()) throw kit::Unavailable(missing.front().second);
  for (const auto& [name, reason] : missing) session.note(reason, {{"lacking", name}});
  return dtypes;
}

// What is burned.
class Workloads {
 public:
  Workloads(const CudaSettings& settings, kit::Session& session)
      : settings_(settings), session_(session) {}

  // Prepares and proves a workload for each; gives the ones that can burn.
  std::vector<Workload*> prepare(const std::vector<Dtype>& dtypes, const Pool& pool,
                                 std::uint64_t seed) {
    std::vector<Workload*> ready;
    std::string missing;
    for (std::size_t i = 0; i < dtypes.size(); ++i) {
      const product::Numbers& type = product::numbers(dtypes[i]);
      session_.phase(fmt::format("proving the reference of {}", type.name), 0);
      all_.push_back(
          std::make_unique<Workload>(handle_, settings_, dtypes[i], pool, product::mix(seed, i)));
      Workload& workload = *all_.back();
      if (!workload.prepare({static_cast<int>(settings_.candidates), settings_.search_seconds})) {
        missing = fmt::format("cuBLASLt {} has no kernel for {} of this size on this device",
                              cublas::version_text(cublas::api().version()), type.name);
        session_.note(missing, {{"lacking", type.name}});
        continue;
      }
      const Fault fault = workload.prove();
      if (fault.wrong > 0) {
        say_reference_wrong(workload, fault);
        continue;
      }
      workload.measure_costs();
      ready.push_back(&workload);
    }
    if (ready.empty() && !wrong_) throw kit::Unavailable(missing);
    return ready;
  }

 private:
  void say_reference_wrong(const Workload& workload, const Fault& fault) {
    wrong_ = true;
    session_.check(kit::check_of(
        fmt::format("burn.{}", workload.type().name),
        "the reference is not what it must be, so nothing was burned: " + fault.detail +
            (fault.all_counted ? "" : "; more may be wrong than were counted"),
        workload.elements(), fault.wrong, fault.first));
  }

  const CudaSettings& settings_;
  kit::Session& session_;
  cublas::Handle handle_;
  std::vector<std::unique_ptr<Workload>> all_;
  bool wrong_ = false;
};

// What is said of a burn that is over.
class Report {
 public:
  Report(const CudaSettings& settings, const cuda::Device& device, kit::Session& session)
      : settings_(settings), device_(device), session_(session) {}

  void say(const std::vector<Tally>& tallies, const std::optional<double>& power,
           const std::vector<double>& power_samples) {
    std::vector<std::string> names;
    for (const Tally& tally : tallies) {
      say_check(tally);
      say_rate(tally);
      say_how(tally);
      names.emplace_back(tally.workload->type().name);
    }
    if (!power || tallies.empty()) return;
    protocol::Metric metric =
        kit::metric_of("burn.power", "W", contract::Better::kMore, proof_of_all(tallies));
    metric.statistic = contract::Statistic::kMean;
    // Over the whole burn when it is too short for a stretch.
    metric.value = *power;
    if (!power_samples.empty()) kit::put_samples(metric, metric.statistic, power_samples);
    metric.parameters = cuda_parameters(settings_, fmt::format("{}", fmt::join(names, ",")));
    metric.subject = kit::device_subject(device_.uuid);
    session_.metric(std::move(metric));
  }

 private:
  static std::string name_of(const Tally& tally) {
    return fmt::format("burn.{}", tally.workload->type().name);
  }

  // The check that power hangs on: a failed one where there is one.
  static std::string proof_of_all(const std::vector<Tally>& tallies) {
    for (const Tally& tally : tallies) {
      if (tally.wrong > 0) return name_of(tally);
    }
    return name_of(tallies.front());
  }

  void say_check(const Tally& tally) {
    const Workload& workload = *tally.workload;
    constexpr std::int64_t kReferences = 4;
    protocol::Check check = kit::check_of(
        name_of(tally), "", (kReferences + tally.multiplications) * workload.elements(),
        tally.wrong, tally.first);
    check.detail =
        check.passed
            ? fmt::format(
                  "every bit of {} results equal to the first; {} of them, one a window, are "
                  "exact integer products, proved by row, column and random checksums off "
                  "the matrix units",
                  tally.multiplications, tally.exact)
            : fmt::format("{} wrong elements in {} multiplications", tally.wrong,
                          tally.multiplications);
    if (settings_.seed != 0) {
      check.digest = fmt::format("{:016x}{:016x}", workload.digests()[0], workload.digests()[1]);
    }
    session_.check(std::move(check));
  }

  void say_rate(const Tally& tally) {
    protocol::Metric metric = kit::metric_of("burn.rate", std::string(tally.workload->type().unit),
                                             contract::Better::kMore, name_of(tally));
    kit::put_samples(metric, contract::Statistic::kWorst, tally.rates);
    metric.parameters = cuda_parameters(settings_, tally.workload->type().name);
    metric.subject = kit::device_subject(device_.uuid);
    session_.metric(std::move(metric));
  }

  void say_how(const Tally& tally) {
    const Workload& workload = *tally.workload;
    const double share = workload.compare_seconds() / tally.seconds_of_one;
    session_.note(
        fmt::format(
            "{}: {} multiplications of {} x {} x {} over {} result matrices, {:.2f} % of the "
            "time in comparing; {}",
            name_of(tally), tally.multiplications, settings_.size, settings_.size, workload.depth(),
            workload.slots(), 100 * share, workload.tuned().best.text()),
        {{"multiplications", tally.multiplications},
         {"size", settings_.size},
         {"depth", workload.depth()},
         {"slots", workload.slots()},
         {"compare_share", share},
         {"pattern", settings_.pattern},
         {"algorithm", workload.tuned().best.text()},
         {"first_rate", workload.operations() / workload.tuned().first_seconds},
         {"search_rate", workload.operations() / workload.tuned().best_seconds}});
  }

  const CudaSettings& settings_;
  const cuda::Device& device_;
  kit::Session& session_;
};

}  // namespace

void measure_cuda(const CudaSettings& settings, kit::Session& session) {
  require_sense(settings);
  const cuda::Device device = cuda::select(settings.device);
  session.device(cuda::to_record(device));
  const std::uint64_t seed =
      settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed) : product::fresh_seed() >> 1U;
  session.note(fmt::format("{}, results of {} x {}, seed {}", device.name, settings.size,
                           settings.size, seed),
               {{"seed", static_cast<std::int64_t>(seed)}, {"size", settings.size}});
  const std::vector<Dtype> dtypes = available(settings, device, session);
  Workloads workloads(settings, session);
  const CudaMemory memory = plan_memory(settings, dtypes, cuda::free_bytes());
  const cuda::DeviceMemory pool(static_cast<std::size_t>(memory.pool));
  const std::vector<Workload*> ready = workloads.prepare(dtypes, {pool.data(), memory.pool}, seed);
  if (ready.empty()) return;  // each of them had a wrong reference, and a check said so
  Burner burner(settings, device.uuid, seed, session);
  burner.burn(ready);
  Report(settings, device, session)
      .say(burner.tallies(), burner.mean_power(), burner.power_samples());
  session.phase("done", 1);
}

}  // namespace rackproof::burn
