#include "benches/steps/host.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/blas/kernels.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/steps/groups.hpp"
#include "benches/steps/infer.hpp"
#include "benches/steps/memory.hpp"
#include "benches/steps/overlap.hpp"
#include "benches/steps/shape.hpp"
#include "benches/steps/train.hpp"

namespace rackproof::steps {
namespace {

// What each rank may take, the same on all: they refuse alike, or none does.
std::int64_t room_of_rank(const Network& network) {
  const std::vector<double> mine{static_cast<double>(kit::available_memory_bytes()) /
                                 network.local_size()};
  const std::vector<double> all = network.world().gather(mine);
  return static_cast<std::int64_t>(*std::min_element(all.begin(), all.end()));
}

void say_plan(const Plan& plan, const Network& network, kit::Session& session) {
  const Messages messages = layer_messages(plan.card, plan.layout, plan.batch);
  session.note(
      fmt::format(
          "{}: {} layers of {} weights, {:.3f} TFLOP forward a layer and micro-batch; {}; in "
          "{} an all-reduce has {} B, and the gradients of a layer {} B; here all is fp32",
          plan.card.name, plan.card.layers, layer_parameters(plan.card),
          layer_forward_flop(plan.card, plan.batch) / 1e12, text_of(plan.layout),
          plan.card.precision, messages.tensor, messages.gradients),
      {{"card", plan.card.name},
       {"layer_parameters", layer_parameters(plan.card)},
       {"layer_forward_flop", layer_forward_flop(plan.card, plan.batch)},
       {"tensor_bytes", messages.tensor},
       {"pipeline_bytes", messages.pipeline},
       {"gradient_bytes", messages.gradients},
       {"ranks", std::int64_t{network.world().size()}},
       {"ranks_of_first_node", std::int64_t{network.local_size()}}});
}

void measure(const Config& config, kit::Session& session) {
  session.progress().begin("bringing up the group", 0);
  std::unique_ptr<Network> network;
  session.progress().exchange([&] {
    network = std::make_unique<Network>(config.progress == "thread" ? Progress::kThread
                                                                    : Progress::kNone);
  });
  const Plan plan = plan_of(config, network->world().rank(), network->world().size());
  (void)operand_bound(plan.card, plan.layout, plan.batch);
  (void)shape_of(plan.card, plan.layout, plan.batch, plan.place);
  demand_memory(plan.card, plan.layout, plan.batch, needs_of(plan, config), room_of_rank(*network));
  (void)blas::demand_fit(session);
  (void)blas::use_threads(config.threads);
  Groups groups;
  session.progress().exchange([&] { groups = make_groups(*network, plan.layout, plan.place); });
  if (network->world().rank() == 0) say_plan(plan, *network, session);
  if (measures(config, "overlap")) measure_overlap(plan, config, groups, *network, session);
  if (measures(config, "train")) measure_training(plan, config, groups, *network, session);
  if (measures(config, "prefill")) measure_prefill(plan, config, groups, *network, session);
  if (measures(config, "decode")) measure_decoding(plan, config, groups, *network, session);
  if (measures(config, "kv")) measure_transfer(plan, config, groups, *network, session);
  session.phase("done", 1);
}

}  // namespace

kit::Bench host_bench(Config& config) {
  kit::Bench bench;
  bench.name = "steps";
  bench.backend = "host";
  bench.summary =
      "Training steps of a model over MPI ranks: what is hidden and what is not, all proved.";
  bench.example = "mpirun -n 4 steps-host --card llama-8b --tp 2 --pp 2 --layers 4 --scale 16";
  bench.declare = [&config](kit::Options& options) { declare(options, config); };
  bench.libraries = [] {
    auto libraries = kit::mpi::library();
    libraries.merge(blas::libraries());
    return libraries;
  };
  bench.refusal = blas::refusal;
  bench.fault = [&config] { return config.plant; };
  bench.run = [&config](kit::Session& session) { measure(config, session); };
  return bench;
}

}  // namespace rackproof::steps
