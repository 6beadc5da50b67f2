#include "benches/steps/nccl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/cublas/api.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/local_ranks.hpp"
#include "benches/steps/nccl_overlap.hpp"
#include "benches/steps/nccl_train.hpp"

namespace rackproof::steps {
namespace {

using kit::cuda::Device;

void demand_devices(const NcclPlan& plan, const std::vector<Device>& devices) {
  for (const Device& device : devices) {
    if (const auto reason = product::lacking(plan.operands, device.major, device.minor)) {
      throw kit::Unavailable(*reason);
    }
    demand_device_memory(plan, device.memory_bytes);
  }
}

void say_plan(const NcclPlan& plan, const NcclConfig& config, std::int64_t ranks,
              kit::Session& session) {
  session.note(
      fmt::format("{}: {} weights a layer; {} rank{}, {} tokens of each in a micro-batch; "
                  "products and messages in {}",
                  plan.card.name, layer_parameters(plan.card), ranks, ranks == 1 ? "" : "s",
                  config.sequence * config.sequences, plan.card.precision),
      {{"card", plan.card.name},
       {"layer_parameters", layer_parameters(plan.card)},
       {"ranks", ranks}});
}

void run(const NcclConfig& config, kit::Session& session) {
  const kit::nccl::Membership& membership = config.group.membership;
  kit::nccl::validate(membership);
  // A command line that cannot be obeyed anywhere is one without a device too.
  if (membership.supervised()) (void)plan_of(config, membership.ranks);
  const std::vector<Device> devices = kit::nccl::choose_devices(config.group);
  const int ranks = config.group.ranks(devices);
  // What cannot be done is said before others wait for this one.
  const NcclPlan plan = plan_of(config, ranks);
  if (ranks < 2) throw kit::Unavailable("one GPU alone sends no message");
  demand_devices(plan, devices);
  (void)cublas::api();
  for (const Device& device : devices) session.device(kit::cuda::to_record(device));

  const kit::nccl::LogFile log;
  kit::nccl::LocalRanks locals(kit::nccl::bring_up(config.group, devices, session),
                               config.group.patience_seconds, "steps-nccl", session.progress());
  if (locals.first_rank() == 0) {
    say_plan(plan, config, ranks, session);
    (void)kit::nccl::note_log(log, kit::nccl::parse_log(log.text()), session);
  }
  measure_overlap(plan, config, locals, session);
  measure_steps(plan, config, devices.front().memory_peak(), locals, session);
  session.phase("done", 1);
}

}  // namespace

kit::Bench nccl_bench(NcclConfig& config) {
  kit::Bench bench;
  bench.name = "steps";
  bench.backend = "nccl";
  bench.summary =
      "Steps of training and inference on GPUs, and what of their messages products hide, all "
      "proved.";
  bench.example = "steps-nccl --card llama-8b --messages gradients --sequence 8192";
  bench.declare = [&config](kit::Options& options) { declare(options, config); };
  bench.libraries = [] {
    auto libraries = kit::nccl::group_libraries();
    libraries.merge(cublas::libraries());
    return libraries;
  };
  bench.libraries_of_device = true;
  bench.fault = [&config] { return config.plant; };
  bench.run = [&config](kit::Session& session) { run(config, session); };
  return bench;
}

}  // namespace rackproof::steps
