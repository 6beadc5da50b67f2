#include "benches/collectives/nccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/collectives/enqueue.hpp"
#include "benches/collectives/local_cell.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/communicator.hpp"
#include "benches/kit/nccl/group.hpp"
#include "benches/kit/nccl/local_ranks.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/nccl/log_file.hpp"
#include "benches/kit/results.hpp"

namespace rackproof::collectives {
namespace {

using kit::cuda::Device;
using kit::cuda::DeviceBuffer;

class NcclGroup final : public Group {
 public:
  NcclGroup(kit::nccl::LocalRanks& locals, kit::nccl::LogFile& log, std::string path,
            kit::nccl::Log told)
      : locals_(locals), log_(log), path_(std::move(path)), told_(std::move(told)) {}

  int rank() const override { return locals_.first_rank(); }
  int size() const override { return locals_.size(); }
  TransportFacts facts() const override {
    return {"NCCL", kit::nccl::libraries().at("nccl"), path_, "a group needs more than one GPU"};
  }
  CellResult measure_cell(const CellSpec& spec, const MeasuringRule& rule,
                          const std::optional<kit::Injection>& injection,
                          const Progress& progress) override {
    CellResult result =
        measure_on_local_ranks(locals_, {log_, told_}, spec, rule, injection, progress);
    result.chosen.merge(kit::nccl::to_conditions(told_));
    return result;
  }

 private:
  kit::nccl::LocalRanks& locals_;
  kit::nccl::LogFile& log_;
  std::string path_;
  kit::nccl::Log told_;  ///< of the group, with the connections of all cells so far
};

void require_float8(const std::vector<CellSpec>& cells, const std::vector<Device>& devices,
                    int ranks) {
  constexpr int kFirstWithFloat8 = 9;
  const auto reduces = [](const CellSpec& cell) {
    return cell.redop && (cell.dtype == Dtype::kFloat8E4M3 || cell.dtype == Dtype::kFloat8E5M2);
  };
  const bool wanted = std::any_of(cells.begin(), cells.end(), reduces);
  for (const Device& device : devices) {
    if (!wanted || device.major >= kFirstWithFloat8) continue;
    throw kit::Unavailable(
        fmt::format("NCCL reduces float8 from compute capability 9.0 on, and {} has {}.{}",
                    device.name, device.major, device.minor));
  }
  // NCCL's src/device/onerank.cu leaves these types out; 2.28.3 says "invalid argument".
  const bool alone = ranks == 1 && std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
                       return reduces(cell) && cell.redop == RedOp::kAvg;
                     });
  if (!alone) return;
  throw kit::Unavailable(
      "NCCL has no average of float8 in a group of one rank: leave avg or float8 out");
}

struct FirstResult {
  Findings found;
  int wrong_rank = 0;  // that has the first wrong element, where there is one
};

// An all_reduce of a few elements on every rank of this process, checked.
FirstResult first_result(kit::nccl::LocalRanks& locals) {
  constexpr std::int64_t kCount = 1024;
  const Pattern pattern(Dtype::kInt32, RedOp::kSum, locals.size(), {1, 2});
  std::vector<std::vector<std::int32_t>> here(static_cast<std::size_t>(locals.count()),
                                              std::vector<std::int32_t>(kCount));
  std::vector<DeviceBuffer<std::int32_t>> buffers(here.size());
  const auto at = [](int local) { return static_cast<std::size_t>(local); };
  locals.progress().begin("the first all_reduce of the group",
                          kCount * static_cast<std::int64_t>(sizeof(std::int32_t)));
  locals.progress().operations(1);
  locals.guard([&] {
    locals.each([&](int local) {
      buffers[at(local)] = DeviceBuffer<std::int32_t>(kCount);
      pattern.input(locals.rank(local), 0, kCount, here[at(local)].data());
      kit::cuda::copy_async(buffers[at(local)].data(), here[at(local)].data(),
                            buffers[at(local)].bytes(), locals.stream(local));
    });
    locals.first_of_kind("the first result of the group", [&] {
      locals.together([&](int local) {
        std::int32_t* const data = buffers[at(local)].data();
        enqueue(locals, local, Operation::kAllReduce, data, data, kCount, Dtype::kInt32,
                RedOp::kSum);
      });
    });
    locals.wait("the first result of the group");
  });
  FirstResult all;
  const std::vector<Segment> whole{{kAllRanks, 0, 0, kCount}};
  for (int local = 0; local < locals.count(); ++local) {
    kit::cuda::copy(here[at(local)].data(), buffers[at(local)].data(), buffers[at(local)].bytes());
    const Findings found = inspect(whole, pattern, Dtype::kInt32, here[at(local)].data());
    all.found.compared += found.compared;
    all.found.wrong += found.wrong;
    if (all.found.first || !found.first) continue;
    all.found.first = found.first;
    all.wrong_rank = locals.rank(local);
  }
  return all;
}

void say_bring_up(const kit::nccl::LocalRanks& locals, const FirstResult& result, double seconds,
                  const kit::nccl::BringUp& times, kit::Session& session) {
  const Findings& found = result.found;
  protocol::Check check =
      kit::check_of("collectives.bringup",
                    fmt::format("every element of the first all_reduce on ranks {} to {}",
                                locals.first_rank(), locals.first_rank() + locals.count() - 1),
                    found.compared, found.wrong);
  if (found.first) {
    check.first_wrong = protocol::FirstWrong{
        fmt::format("element {}", found.first->index), text_of(found.first->got, Dtype::kInt32),
        text_of(found.first->want, Dtype::kInt32), result.wrong_rank};
  }
  session.check(check);
  if (locals.first_rank() != 0) return;
  protocol::Metric metric =
      kit::metric_of("collectives.bringup", "s", contract::Better::kLess, check.name);
  kit::put_samples(metric, contract::Statistic::kValue, {seconds});
  metric.parameters = {{"ranks", std::int64_t{locals.size()}}};
  metric.subject = kit::group_subject();
  session.metric(std::move(metric));
  const double joined = times.joined - times.begun;
  const double split = times.ready - times.joined;
  session.note(
      fmt::format(
          "{} rank{} came together in {:.3f} s, the first result took {:.3f} s more (and the "
          "second communicator of this bench {:.3f} s, which are not counted)",
          locals.size(), locals.size() == 1 ? "" : "s", joined, seconds - joined, split),
      {{"joined_seconds", joined},
       {"first_result_seconds", seconds - joined},
       {"split_seconds", split}});
}

// Says what NCCL said of the group, and gives a word for it.
std::string say_log(const kit::nccl::LogFile& file, const kit::nccl::Log& log,
                    kit::Session& session) {
  const contract::Parameters facts = kit::nccl::note_log(file, log, session);
  if (!file.works()) return "unknown path";
  const auto text = [&](const char* name) {
    const auto found = facts.find(name);
    return found == facts.end() ? std::string("unknown") : std::get<std::string>(found->second);
  };
  std::string path = facts.contains("transports") ? text("transports") : "no connection yet";
  if (facts.contains("network")) path += fmt::format(", network {}", text("network"));
  return path;
}

void run(const NcclSettings& settings, kit::Session& session) {
  const kit::nccl::Membership& membership = settings.group.membership;
  kit::nccl::validate(membership);
  // A command line that cannot be obeyed anywhere is one without a device too.
  constexpr int kAnyGroup = 2;
  (void)cells_of(settings.config,
                 membership.supervised() ? static_cast<int>(membership.ranks) : kAnyGroup);
  const std::vector<Device> devices = kit::nccl::choose_devices(settings.group);
  // What cannot be done is said before others wait for this one.
  const int ranks = settings.group.ranks(devices);
  require_float8(cells_of(settings.config, ranks), devices, ranks);
  for (const Device& device : devices) session.device(kit::cuda::to_record(device));

  kit::nccl::LogFile log;
  kit::nccl::BringUp times;
  std::vector<kit::nccl::Communicator> members =
      kit::nccl::bring_up(settings.group, devices, session, &times);
  kit::nccl::LocalRanks locals(std::move(members), settings.group.patience_seconds,
                               "collectives-nccl", session.progress());
  const FirstResult found = first_result(locals);
  // The second communicator is this bench's need, not a part of bringing up NCCL.
  const double seconds = times.joined - times.begun + kit::now_seconds() - times.ready;
  say_bring_up(locals, found, seconds, times, session);
  std::string path = "unknown path";
  kit::nccl::Log told;
  if (locals.first_rank() == 0) {
    told = kit::nccl::parse_log(log.text());
    path = say_log(log, told, session);
  }
  NcclGroup group(locals, log, path, std::move(told));
  measure(group, settings.config, session);
}

}  // namespace

kit::Bench nccl_bench(NcclSettings& settings) {
  kit::Bench bench;
  bench.name = "collectives";
  bench.backend = "nccl";
  bench.summary = "Time and bandwidth of NCCL collectives over GPUs, every result verified";
  bench.example = "collectives-nccl --ops all_reduce --begin 1M --end 8G --factor 4";
  bench.declare = [&settings](kit::Options& options) {
    declare(options, settings.config);
    options.choice("launch", settings.config.launch, launch_words(),
                   "a call for each operation, or a CUDA graph of them");
    options.choice("register", settings.config.registration, registration_words(),
                   "what NCCL is told of the buffers before");
    kit::nccl::declare(options, settings.group);
  };
  bench.libraries = kit::nccl::group_libraries;
  bench.run = [&settings](kit::Session& session) { run(settings, session); };
  return bench;
}

}  // namespace rackproof::collectives
