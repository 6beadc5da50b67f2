#include "benches/copy/copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include "benches/copy/chase.hpp"
#include "benches/copy/legs.hpp"
#include "benches/copy/machine.hpp"
#include "benches/copy/memories.hpp"
#include "benches/copy/proof.hpp"
#include "benches/kit/cuda/watch.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::copy {
namespace {

protocol::Subject subject_of(const Machine& machine, int from, int to) {
  const auto uuid = [&](int place) {
    return machine.devices[static_cast<std::size_t>(place)].uuid;
  };
  if (from == kHost || to == kHost || from == to) {
    return {contract::SubjectKind::kDevice, uuid(from == kHost ? to : from), ""};
  }
  return {contract::SubjectKind::kLink, uuid(from), uuid(to)};
}

std::string place_text(const Machine& machine, int place) {
  if (place == kHost) return "the host";
  return fmt::format("device {} ({})", place,
                     machine.devices[static_cast<std::size_t>(place)].uuid);
}

std::string label(const Task& task) {
  const bool both = task.flows.size() == 2;
  return fmt::format("{} by {}{}", word(task.flows.front().path), word(task.engine),
                     both ? ", both directions" : "");
}

class Work {
 public:
  Work(const Settings& settings, const Machine& machine, kit::Session& session)
      : settings_(settings),
        machine_(machine),
        session_(session),
        window_(window_of(settings)),
        seed_(settings.seed != 0 ? static_cast<std::uint64_t>(settings.seed)
                                 : std::random_device{}()),
        tasks_(tasks(settings, machine.site)),
        chases_(chases(settings, machine.site)) {
    if (tasks_.empty() && chases_.empty()) {
      throw kit::Unavailable("nothing to measure here: " + nothing());
    }
    session_.note("every destination is checked in full after each sample",
                  {{"copies", window_.copies},
                   {"seed", static_cast<std::int64_t>(seed_)},
                   {"shift", window_.shift}});
    for (const auto& device : machine_.devices) watches_.emplace_back(device.uuid);
  }

  void run() {
    if (!tasks_.empty()) {
      Memories memories(machine_, window_, seed_);
      for (const Task& task : tasks_) {
        session_.phase(label(task), done());
        if (task.domain >= 0) {
          memories.enter(task.domain);
        } else {
          memories.leave();
        }
        measure(task, memories);
        ++finished_;
      }
    }
    ring_ = make_ring(seed_);
    for (const Chase& chase : chases_) {
      session_.phase("latency", done());
      measure(chase);
      ++finished_;
    }
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      session_.note(fmt::format("state of device {} beside the samples", i), watches_[i].facts());
    }
    session_.phase("done", 1);
  }

 private:
  std::string nothing() const {
    return machine_.devices.size() == 1 ? "one device has no peers"
                                        : "no device has access to the memory of another, or the "
                                          "driver does not tell which NUMA domain is near";
  }

  double done() const {
    return static_cast<double>(finished_) / static_cast<double>(tasks_.size() + chases_.size());
  }

  // Beside samples, not in them: a copy takes as long as the question.
  void look(int device) { watches_[static_cast<std::size_t>(device)].look(true); }

  std::vector<Leg> legs_of(const Task& task, const Memories& memories) const {
    std::vector<Leg> legs;
    for (const Flow& flow : task.flows) {
      const auto& driver = machine_.devices[static_cast<std::size_t>(flow.driver())];
      legs.push_back({driver.index, driver.multiprocessors, memories.source(flow.from),
                      memories.destination(flow.to)});
    }
    return legs;
  }

  void measure(const Task& task, Memories& memories) {
    Race race(legs_of(task, memories), task.engine, window_);
    race.run(false);
    const std::size_t flows = task.flows.size();
    std::vector<Proof> proofs(flows);
    std::vector<std::vector<double>> seconds(flows);
    std::vector<double> all;
    for (std::int64_t sample = 0; sample < settings_.samples; ++sample) {
      for (const Flow& flow : task.flows) memories.poison(flow);
      look(task.flows.front().driver());
      const Race::Times times = race.run(true);
      look(task.flows.front().driver());
      all.push_back(times.all);
      for (std::size_t i = 0; i < flows; ++i) {
        seconds[i].push_back(times.seconds[i]);
        const auto fault = session_.injection();
        if (fault && sample == 0) memories.spoil(task.flows[i], *fault);
        proofs[i].add(sample, memories.compare(task.flows[i]));
      }
    }
    for (std::size_t i = 0; i < flows; ++i) say(task, task.flows[i], proofs[i], seconds[i]);
    if (flows == 2) say_together(task, seconds, all);
  }

  void say(const Task& task, const Flow& flow, const Proof& proof,
           const std::vector<double>& seconds) {
    const std::string name = check_name(task, flow, machine_.site);
    session_.check(proof.check(name, place_text(machine_, flow.to)));
    protocol::Metric metric = kit::metric_of(fmt::format("copy.{}", word(flow.path)), "B/s",
                                             contract::Better::kMore, name);
    kit::put_samples(metric, contract::Statistic::kMedian, kit::rates(window_.moved(), seconds));
    metric.parameters = parameters(task, flow, settings_, machine_.site);
    metric.subject = subject_of(machine_, flow.from, flow.to);
    session_.metric(std::move(metric));
  }

  // How much of the time both directions ran: without it a rate "both" means little.
  void say_together(const Task& task, const std::vector<std::vector<double>>& seconds,
                    const std::vector<double>& all) {
    std::vector<double> overlap;
    for (std::size_t i = 0; i < all.size(); ++i) {
      overlap.push_back(std::min(seconds[0][i], seconds[1][i]) / std::max(all[i], 1e-9));
    }
    session_.note(
        label(task) + fmt::format(" ({})", check_name(task, task.flows.front(), machine_.site)),
        {{"bytes_per_second_together", 2 * window_.moved() / std::max(kit::median(all), 1e-9)},
         {"least_overlap", kit::smallest(overlap)}});
  }

  void measure(const Chase& chase) {
    const auto bytes = static_cast<std::size_t>(kRingBytes);
    const int reader = machine_.devices[static_cast<std::size_t>(chase.reader)].index;
    std::optional<Bound> bound;
    kit::cuda::PinnedBuffer<std::uint64_t> on_host;
    kit::cuda::DeviceBuffer<std::uint64_t> on_device;
    if (chase.owner == kHost) {
      bound.emplace(machine_.cpus_of(chase.domain));
      on_host = kit::cuda::PinnedBuffer<std::uint64_t>(ring_.size());
      std::copy(ring_.begin(), ring_.end(), on_host.data());
    } else {
      use(machine_.devices[static_cast<std::size_t>(chase.owner)].index);
      on_device = kit::cuda::DeviceBuffer<std::uint64_t>(ring_.size());
      kit::cuda::Stream stream;
      kit::cuda::copy_async(on_device.data(), ring_.data(), bytes, stream);
      stream.synchronize();
    }
    ChaseRun run(reader, chase.owner == kHost ? on_host.data() : on_device.data());
    walk_often(chase, run);
  }

  void walk_often(const Chase& chase, ChaseRun& run) {
    std::mt19937_64 random(seed_);
    const auto start = [&] {
      return random() % static_cast<std::uint64_t>(kRingWords / kLineWords) *
             static_cast<std::uint64_t>(kLineWords);
    };
    Walk got;
    run.run(start(), false, got);
    Proof proof;
    std::vector<double> seconds;
    for (std::int64_t sample = 0; sample < settings_.samples; ++sample) {
      const std::uint64_t from = start();
      look(chase.reader);
      seconds.push_back(run.run(from, true, got) / static_cast<double>(kSteps));
      const auto fault = session_.injection();
      if (fault && sample == 0) kit::flip(*fault, &got, 2, sizeof(std::uint64_t));
      const Walk want = walk(ring_.data(), from, kSteps);
      proof.add(sample, compare_walks(got, want));
    }
    say(chase, proof, std::move(seconds));
  }

  static kit::pattern::Difference compare_walks(const Walk& got, const Walk& want) {
    kit::pattern::Difference found;
    found.compared = 2;
    const auto one = [&](std::int64_t index, std::uint64_t is, std::uint64_t should) {
      if (is == should || found.wrong++ > 0) return;
      found.first = index;
      found.got = is;
      found.want = should;
    };
    one(0, got.place, want.place);
    one(1, got.sum, want.sum);
    return found;
  }

  void say(const Chase& chase, const Proof& proof, std::vector<double> seconds) {
    const std::string name = check_name(chase, machine_.site);
    protocol::Check check = proof.check(name, place_text(machine_, chase.owner));
    check.detail = fmt::format(
        "last place (word 0) and sum of all places (word 1) of each walk of {} steps", kSteps);
    session_.check(std::move(check));
    protocol::Metric metric = kit::metric_of("copy.latency", "s", contract::Better::kLess, name);
    kit::put_samples(metric, contract::Statistic::kMedian, std::move(seconds));
    metric.parameters = parameters(chase, machine_.site);
    metric.subject = subject_of(machine_, chase.owner, chase.reader);
    session_.metric(std::move(metric));
  }

  const Settings& settings_;
  const Machine& machine_;
  kit::Session& session_;
  Window window_;
  std::uint64_t seed_;
  std::vector<Task> tasks_;
  std::vector<Chase> chases_;
  std::vector<std::uint64_t> ring_;
  std::vector<kit::cuda::Watch> watches_;
  std::size_t finished_ = 0;
};

}  // namespace

void measure(const Settings& settings, kit::Session& session) {
  const Machine machine = look_around(settings, session);
  std::int64_t l2 = 0;
  for (const auto& device : machine.devices) l2 = std::max(l2, device.l2_bytes);
  require_sizes(settings, l2);
  Work(settings, machine, session).run();
}

}  // namespace rackproof::copy
