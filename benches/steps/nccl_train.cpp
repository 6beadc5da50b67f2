#include "benches/steps/nccl_train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/reduction/verifiable.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/steps/device_message.hpp"
#include "benches/steps/device_product.hpp"
#include "benches/steps/nccl_say.hpp"

namespace rackproof::steps {
namespace {

using kit::cuda::Event;
using kit::cuda::seconds_between;
using kit::cuda::Stream;

// There are up to twelve of them, of which none is measured for its own sake.
constexpr cublas::Search kSearch{4, 0.1};
constexpr int kAlone = 5;
constexpr std::int64_t kTogether = 3;  // products between two events

Exchange exchange_of(std::size_t traffic) {
  switch (static_cast<Traffic>(traffic)) {
    case Traffic::kGather:
      return Exchange::kAllGather;
    case Traffic::kScatter:
      return Exchange::kReduceScatter;
    default:
      return Exchange::kAllReduce;
  }
}

// One rank of this process.
struct Local {
  Local(const StepPlan& plan, int ranks, int rank, std::uint64_t seed, const Stream& stream)
      : marks(plan.program.size()) {
    for (const Operation& one : plan.program) {
      if (one.sends) {
        messages.push_back(std::make_unique<DeviceMessage>(
            plan.width, plan.elements[one.kind], ranks, product::mix(seed, 1000 + one.place),
            stream, exchange_of(one.kind), rank));
        continue;
      }
      auto& slot = products[one.kind];
      if (slot != nullptr) continue;
      const Extents& extents = plan.products[one.kind];
      slot = std::make_unique<DeviceProduct>(
          cublas::Problem{plan.operands, extents.m, extents.n, extents.k},
          product::mix(seed, one.kind * 100 + static_cast<std::uint64_t>(rank)),
          product_text(one.kind) + ", ", stream);
      slot->settle(extents.m, stream, kSearch);
    }
  }

  Stream computing;
  Event begin;
  Event end;
  std::vector<Event> marks;  // when each operation is over
  std::array<std::unique_ptr<DeviceProduct>, kProducts> products;
  std::vector<std::unique_ptr<DeviceMessage>> messages;
};

// What travels of a rank's findings: all whole numbers that a double holds.
constexpr std::size_t kFields = 10;

std::vector<double> pack(const Local& local) {
  std::vector<double> row(kFields);
  row[9] = 1;
  for (std::size_t place = 0; place < local.messages.size(); ++place) {
    const MessageFindings& found = local.messages[place]->findings();
    row[0] += static_cast<double>(found.compared);
    if (found.wrong > 0 && row[1] == 0) {
      row[2] = static_cast<double>(place);
      row[3] = static_cast<double>(found.element);
      row[4] = static_cast<double>(found.got);
      row[5] = static_cast<double>(found.want);
    }
    row[1] += static_cast<double>(found.wrong);
  }
  for (std::size_t kind = 0; kind < kProducts; ++kind) {
    if (local.products[kind] == nullptr) continue;
    const product::Fault fault = local.products[kind]->fault();
    row[6] += static_cast<double>(local.products[kind]->compared());
    if (fault.wrong > 0 && row[7] == 0) row[8] = static_cast<double>(kind);
    row[7] += static_cast<double>(fault.wrong);
    if (!fault.all_counted) row[9] = 0;
  }
  return row;
}

class StepRun {
 public:
  StepRun(const NcclPlan& all, const StepPlan& plan, kit::nccl::LocalRanks& locals,
          std::uint64_t seed)
      : all_(all), plan_(plan), locals_(locals), title_(fmt::format("step {}", word(plan.part))) {
    locals_.each([&](int local) {
      here_.push_back(std::make_unique<Local>(plan, locals.size(), locals.rank(local), seed,
                                              locals.stream(local)));
    });
  }

  StepTimes measure(std::int64_t steps, const std::optional<kit::Injection>& injection) {
    StepTimes times;
    locals_.guard([&] {
      measure_products(times);
      measure_traffic(times);
      (void)step(std::nullopt);
      for (std::int64_t i = 0; i < steps; ++i) {
        times.steps.push_back(step(i == 0 ? injection : std::nullopt));
      }
      locals_.max_over_ranks(times.steps);
    });
    return times;
  }

  // Every process must call it.
  protocol::Check check(const std::string& name);

 private:
  Local& at(int local) { return *here_[static_cast<std::size_t>(local)]; }

  static void wait_for(const Stream& stream, const Event& event) {
    RACKPROOF_CUDA(cudaStreamWaitEvent(stream.get(), event.get(), 0));
  }

  std::int64_t times_of(int local, std::size_t product) const {
    const bool slow = product == product_index(Matrix::kDown, Gradient::kNone) &&
                      locals_.rank(local) == all_.slow_rank;
    return slow ? all_.slow_times : 1;
  }

  void measure_products(StepTimes& times) {
    std::vector<std::vector<double>> rows(here_.size(), std::vector<double>(kProducts));
    for (std::size_t kind = 0; kind < kProducts; ++kind) {
      if (here_.front()->products[kind] == nullptr) continue;
      std::vector<std::vector<double>> took(here_.size());
      for (int i = 0; i <= kAlone; ++i) {
        locals_.each([&](int local) {
          const Stream& stream = locals_.stream(local);
          at(local).begin.record(stream);
          at(local).products[kind]->multiply(kTogether * times_of(local, kind), stream);
          at(local).end.record(stream);
        });
        locals_.wait(title_);
        if (i == 0) continue;
        locals_.each([&](int local) {
          took[static_cast<std::size_t>(local)].push_back(
              seconds_between(at(local).begin, at(local).end) / static_cast<double>(kTogether));
        });
      }
      for (std::size_t local = 0; local < rows.size(); ++local) {
        rows[local][kind] = kit::median(took[local]);
      }
    }
    const std::vector<double> all = locals_.gather(rows);
    times.products.resize(static_cast<std::size_t>(locals_.size()));
    for (std::size_t i = 0; i < all.size(); ++i)
      times.products[i / kProducts][i % kProducts] = all[i];
  }

  void measure_traffic(StepTimes& times) {
    std::array<bool, kTraffic> done{};
    for (const Operation& one : plan_.program) {
      if (!one.sends || std::exchange(done[one.kind], true)) continue;
      std::vector<double> took;
      for (int i = 0; i <= kAlone; ++i) {
        const double seconds = message_alone(one, i == 0);
        if (i > 0) took.push_back(seconds);
      }
      times.traffic[one.kind] = kit::median(std::move(took));
    }
    locals_.max_over_ranks(times.traffic);
  }

  double message_alone(const Operation& one, bool first) {
    ++number_;
    const std::string title = traffic_text(static_cast<Traffic>(one.kind));
    locals_.each([&](int local) {
      at(local).messages[one.place]->fill(locals_.rank(local), number_, locals_.stream(local));
    });
    locals_.progress().exchange();
    locals_.progress().operations(1);
    const auto queue = [&] {
      locals_.align();
      locals_.each([&](int local) { at(local).begin.record(locals_.stream(local)); });
      send(one);
      locals_.each([&](int local) { at(local).end.record(locals_.stream(local)); });
    };
    if (first) {
      locals_.first_of_kind(title, queue);
    } else {
      queue();
    }
    locals_.each([&](int local) { at(local).messages[one.place]->verify(locals_.stream(local)); });
    locals_.wait(title);
    double longest = 0;
    locals_.each([&](int local) {
      at(local).messages[one.place]->take_findings();
      longest = std::max(longest, seconds_between(at(local).begin, at(local).end));
    });
    return longest;
  }

  void send(const Operation& one) {
    locals_.together([&](int local) {
      at(local).messages[one.place]->queue(locals_.communicator(local), locals_.rank(local),
                                           locals_.stream(local));
    });
  }

  void prepare() {
    ++number_;
    locals_.each([&](int local) {
      const Stream& stream = locals_.stream(local);
      for (auto& message : at(local).messages) message->fill(locals_.rank(local), number_, stream);
      for (auto& product : at(local).products) {
        if (product != nullptr) product->poison(stream);
      }
    });
    locals_.progress().exchange();
    locals_.progress().operations(static_cast<int>(messages_of(plan_.program)));
  }

  void queue_operation(std::size_t place) {
    const Operation& one = plan_.program[place];
    locals_.each([&](int local) {
      const Stream& stream = one.sends ? locals_.stream(local) : at(local).computing;
      for (const std::size_t before : one.after) wait_for(stream, at(local).marks[before]);
      if (!one.sends) {
        at(local).products[one.kind]->multiply(times_of(local, one.kind), stream);
        at(local).marks[place].record(stream);
      }
    });
    if (!one.sends) return;
    send(one);
    locals_.each([&](int local) { at(local).marks[place].record(locals_.stream(local)); });
  }

  // One step on all ranks at once, and its proof. Seconds of the slowest rank here.
  double step(const std::optional<kit::Injection>& injection) {
    prepare();
    locals_.align();
    locals_.each([&](int local) {
      at(local).begin.record(locals_.stream(local));
      wait_for(at(local).computing, at(local).begin);
    });
    std::size_t last = 0;  // product
    for (std::size_t place = 0; place < plan_.program.size(); ++place) {
      queue_operation(place);
      if (!plan_.program[place].sends) last = place;
    }
    locals_.each([&](int local) {
      const Stream& stream = locals_.stream(local);
      wait_for(stream, at(local).marks[last]);
      at(local).end.record(stream);
      const bool flips = injection && locals_.rank(local) == locals_.size() - 1;
      if (flips) at(local).messages.front()->inject(*injection, stream);
      for (auto& message : at(local).messages) message->verify(stream);
      for (auto& product : at(local).products) {
        if (product != nullptr) product->compare(stream);
      }
    });
    locals_.wait(title_);
    double longest = 0;
    locals_.each([&](int local) {
      for (auto& message : at(local).messages) message->take_findings();
      longest = std::max(longest, seconds_between(at(local).begin, at(local).end));
    });
    return longest;
  }

  std::string message_text(std::size_t place) const {
    for (const Operation& one : plan_.program) {
      if (one.sends && one.place == place) {
        return fmt::format("layer {}, {}", one.layer, traffic_text(static_cast<Traffic>(one.kind)));
      }
    }
    return "";
  }

  const NcclPlan& all_;
  const StepPlan& plan_;
  kit::nccl::LocalRanks& locals_;
  std::string title_;
  std::vector<std::unique_ptr<Local>> here_;
  std::uint64_t number_ = 0;
};

protocol::Check StepRun::check(const std::string& name) {
  std::vector<std::vector<double>> rows;
  locals_.each([&](int local) { rows.push_back(pack(at(local))); });
  const std::vector<double> all = locals_.gather(rows);
  protocol::Check check;
  check.name = name;
  check.detail =
      "every element of every message, and of each product the last result of a step, after each "
      "of them, against the exact sum";
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  const auto bits = [&](double number) {
    return reduction::text_of(static_cast<std::uint64_t>(number), plan_.width);
  };
  for (int rank = 0; rank < locals_.size(); ++rank) {
    const double* const from = all.data() + static_cast<std::size_t>(rank) * kFields;
    check.compared += whole(from[0]) + whole(from[6]);
    check.wrong += whole(from[1]) + whole(from[7]);
    if (from[9] == 0) check.detail += "; more may be wrong than were counted";
    if (check.first_wrong) continue;
    if (from[1] > 0) {
      check.first_wrong = protocol::FirstWrong{
          fmt::format("rank {}, {}, element {}", rank,
                      message_text(static_cast<std::size_t>(from[2])), whole(from[3])),
          bits(from[4]), bits(from[5]), rank};
    } else if (from[7] > 0) {
      check.first_wrong = protocol::FirstWrong{
          fmt::format("rank {}, {}", rank, product_text(static_cast<std::size_t>(from[8]))),
          fmt::format("{} wrong elements", whole(from[7])), "the exact product", rank};
    }
  }
  kit::decide(check);
  return check;
}

}  // namespace

void measure_steps(const NcclPlan& plan, const NcclConfig& config, double memory_peak,
                   kit::nccl::LocalRanks& locals, kit::Session& session) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const StepPlan& step = plan.steps[i];
    std::string name = fmt::format("steps.{}", word(step.part));
    if (step.part == StepPart::kDecode) name += fmt::format(".{}", step.batch.sequences);
    session.phase(name, static_cast<double>(i) / static_cast<double>(plan.steps.size()));
    locals.progress().begin(name, 0);
    StepRun run(plan, step, locals,
                product::mix(static_cast<std::uint64_t>(config.seed), 2000 + i));
    const StepTimes times = run.measure(config.steps, session.injection());
    const protocol::Check check = run.check(name);
    if (locals.first_rank() != 0) continue;
    session.check(check);
    say_step(plan, config, step, times, memory_peak, name, session);
  }
}

}  // namespace rackproof::steps
