#include "benches/steps/nccl_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/reduction/verifiable.hpp"
#include "benches/kit/results.hpp"
#include "benches/steps/device_message.hpp"
#include "benches/steps/device_product.hpp"
#include "benches/steps/overlap_say.hpp"

namespace rackproof::steps {
namespace {

using kit::cuda::Event;
using kit::cuda::Stream;

enum class What { kProducts, kMessage, kBoth };

// One rank of this process.
struct Local {
  Local(const NcclPlan& plan, const NcclCell& cell, int ranks, std::uint64_t seed, int rank,
        const Stream& stream)
      : product({plan.operands, cell.rows, cell.columns, cell.depth},
                product::mix(seed, 100 + static_cast<std::uint64_t>(rank)),
                "mlp.down beside the message, ", stream),
        message(plan.elements, cell.count, ranks, product::mix(seed, 1), stream) {}

  Stream computing;
  Event begin;     // of both
  Event sent;      // the message is over
  Event started;   // the products begin
  Event computed;  // and are over
  DeviceProduct product;
  DeviceMessage message;
};

// What travels of a rank's findings: all whole numbers that a double holds.
constexpr std::size_t kFields = 8;

std::vector<double> pack(const Local& local) {
  const MessageFindings& sent = local.message.findings();
  const product::Fault computed = local.product.fault();
  return {static_cast<double>(sent.compared),  static_cast<double>(sent.wrong),
          static_cast<double>(sent.element),   static_cast<double>(sent.got),
          static_cast<double>(sent.want),      static_cast<double>(local.product.compared()),
          static_cast<double>(computed.wrong), computed.all_counted ? 1.0 : 0.0};
}

class CellRun {
 public:
  CellRun(const NcclPlan& plan, const NcclConfig& config, const NcclCell& cell,
          kit::nccl::LocalRanks& locals, std::uint64_t seed)
      : plan_(plan), config_(config), cell_(cell), locals_(locals) {
    locals_.each([&](int local) {
      here_.push_back(std::make_unique<Local>(plan, cell, locals.size(), seed, locals.rank(local),
                                              locals.stream(local)));
      products(local).settle(cell.rows, locals.stream(local));
    });
  }

  std::vector<Round> rounds(const std::optional<kit::Injection>& injection) {
    std::vector<Round> all;
    locals_.guard([&] {
      calibrate();
      injection_ = injection;
      for (std::int64_t i = 0; i < config_.rounds; ++i) all.push_back(round());
    });
    return all;
  }

  // Every process must call it.
  protocol::Check check(const std::string& name);
  double computed_products() const {
    return static_cast<double>(times_ * here_.front()->product.rows()) /
           static_cast<double>(cell_.rows);
  }

 private:
  Local& at(int local) { return *here_[static_cast<std::size_t>(local)]; }
  DeviceProduct& products(int local) { return at(local).product; }

  // Of two times that differ much the shorter one drowns in the noise of the longer: as much is
  // computed as takes as long as the message.
  void calibrate() {
    std::array<double, 2> longest{};
    for (int i = 0; i < 3; ++i) {  // the first ones bring the library up
      const Round sent = run(What::kMessage, i == 0);
      longest = {sent.message, run(What::kProducts, false).compute};
    }
    locals_.max_over_ranks(longest);
    const double wanted = longest[0] / longest[1];
    constexpr double kMostProducts = 1000;
    times_ = static_cast<std::int64_t>(std::clamp(std::ceil(wanted), 1.0, kMostProducts));
    const std::int64_t multiple = product::numbers(plan_.operands).multiple;
    constexpr double kLeastRows = 128;
    const auto whole = static_cast<double>(cell_.rows);
    const double rows = std::clamp(std::ceil(wanted / static_cast<double>(times_) * whole),
                                   std::min(kLeastRows, whole), whole);
    const std::int64_t fitting = std::min(
        cell_.rows, (static_cast<std::int64_t>(rows) + multiple - 1) / multiple * multiple);
    if (fitting == cell_.rows) return;
    locals_.each([&](int local) { products(local).settle(fitting, locals_.stream(local)); });
  }

  // Rounds are interleaved, so that what drifts meets all three alike.
  Round round() {
    const double compute = run(What::kProducts, false).compute;
    const double message = run(What::kMessage, false).message;
    Round both = run(What::kBoth, false);
    std::array<double, 5> longest{compute, message, both.together, both.compute_joint,
                                  both.message_joint};
    locals_.max_over_ranks(longest);
    return {longest[0], longest[1], longest[2], longest[3], longest[4]};
  }

  void prepare(int local, What what) {
    const Stream& stream = locals_.stream(local);
    if (what != What::kMessage) products(local).poison(stream);
    if (what != What::kProducts) at(local).message.fill(locals_.rank(local), number_, stream);
  }

  void send() {
    locals_.together([&](int local) {
      at(local).message.queue(locals_.communicator(local), locals_.rank(local),
                              locals_.stream(local));
    });
    locals_.each([&](int local) { at(local).sent.record(locals_.stream(local)); });
  }

  static void wait_for(const Stream& stream, const Event& event) {
    RACKPROOF_CUDA(cudaStreamWaitEvent(stream.get(), event.get(), 0));
  }

  void compute(int local, What what) {
    Local& one = at(local);
    wait_for(one.computing, one.begin);
    if (what == What::kBoth && plan_.serialised) wait_for(one.computing, one.sent);
    one.started.record(one.computing);
    one.product.multiply(times_, one.computing);
    one.computed.record(one.computing);
    wait_for(locals_.stream(local), one.computed);
  }

  void prove(int local, What what) {
    const Stream& stream = locals_.stream(local);
    if (what != What::kMessage) products(local).compare(stream);
    if (what == What::kProducts) return;
    const bool last = locals_.rank(local) == locals_.size() - 1;
    if (what == What::kBoth && injection_ && last) at(local).message.inject(*injection_, stream);
    at(local).message.verify(stream);
  }

  // The message is queued first, as a framework does whose gradients are ready while it computes
  // those of the layer before.
  Round run(What what, bool first) {
    ++number_;
    const bool sends = what != What::kProducts;
    const std::string title = cell_.message + " all-reduce beside products";
    locals_.each([&](int local) { prepare(local, what); });
    locals_.progress().exchange();
    if (sends) locals_.progress().operations(1);
    const auto queue = [&] {
      locals_.align();
      locals_.each([&](int local) { at(local).begin.record(locals_.stream(local)); });
      if (sends) send();
    };
    if (first) {
      locals_.first_of_kind(title, queue);
    } else {
      queue();
    }
    locals_.each([&](int local) {
      if (what != What::kMessage) compute(local, what);
      prove(local, what);
    });
    locals_.wait(title);
    if (what == What::kBoth) injection_.reset();
    Round times;
    locals_.each([&](int local) { take(local, what, times); });
    return times;
  }

  void take(int local, What what, Round& times) {
    Local& one = at(local);
    const auto longest = [](double& all, double mine) { all = std::max(all, mine); };
    if (what != What::kProducts) one.message.take_findings();
    if (what == What::kMessage) longest(times.message, seconds_between(one.begin, one.sent));
    if (what == What::kProducts) longest(times.compute, seconds_between(one.started, one.computed));
    if (what != What::kBoth) return;
    longest(times.message_joint, seconds_between(one.begin, one.sent));
    longest(times.compute_joint, seconds_between(one.started, one.computed));
    longest(times.together, std::max(seconds_between(one.begin, one.sent),
                                     seconds_between(one.begin, one.computed)));
  }

  const NcclPlan& plan_;
  const NcclConfig& config_;
  const NcclCell& cell_;
  kit::nccl::LocalRanks& locals_;
  std::vector<std::unique_ptr<Local>> here_;
  std::optional<kit::Injection> injection_;
  std::int64_t times_ = 1;
  std::uint64_t number_ = 0;
};

protocol::Check CellRun::check(const std::string& name) {
  std::vector<std::vector<double>> rows;
  locals_.each([&](int local) { rows.push_back(pack(at(local))); });
  const std::vector<double> all = locals_.gather(rows);
  protocol::Check check;
  check.name = name;
  check.detail =
      "every element of the message and of the product beside it, after each of them, against the "
      "exact sum";
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  const auto bits = [&](double number) {
    return reduction::text_of(static_cast<std::uint64_t>(number), plan_.elements);
  };
  bool counted = true;
  for (int rank = 0; rank < locals_.size(); ++rank) {
    const double* const from = all.data() + static_cast<std::size_t>(rank) * kFields;
    check.compared += whole(from[0]) + whole(from[5]);
    check.wrong += whole(from[1]) + whole(from[6]);
    counted = counted && from[7] > 0;
    if (check.first_wrong) continue;
    if (from[1] > 0) {
      check.first_wrong = protocol::FirstWrong{
          fmt::format("rank {}, {} all-reduce, element {}", rank, cell_.message, whole(from[2])),
          bits(from[3]), bits(from[4]), rank};
    } else if (from[6] > 0) {
      check.first_wrong = protocol::FirstWrong{
          fmt::format("rank {}, mlp.down beside the message", rank),
          fmt::format("{} wrong elements", whole(from[6])), "the exact product", rank};
    }
  }
  kit::decide(check);
  if (!counted) check.detail += "; more may be wrong than were counted";
  return check;
}

}  // namespace

void measure_overlap(const NcclPlan& plan, const NcclConfig& config, kit::nccl::LocalRanks& locals,
                     kit::Session& session) {
  const auto width = static_cast<std::int64_t>(reduction::size_of(plan.elements));
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const NcclCell& cell = plan.cells[i];
    const std::int64_t bytes = cell.count * width;
    session.phase(fmt::format("overlap, {} {} B", cell.message, bytes),
                  static_cast<double>(i) / static_cast<double>(plan.cells.size()));
    locals.progress().begin("overlap of " + cell.message, bytes);
    CellRun run(plan, config, cell, locals,
                product::mix(static_cast<std::uint64_t>(config.seed), 1000 + i));
    const std::vector<Round> rounds = run.rounds(session.injection());
    const std::string name = fmt::format("steps.overlap.{}.{}", cell.message, bytes);
    const protocol::Check check = run.check(name);
    if (locals.first_rank() != 0) continue;
    session.check(check);
    say_overlap({cell.message, bytes, locals.size(), run.computed_products(), false},
                base_parameters(plan, config, cell), name, rounds,
                "serialised, although each has a stream of its own", session);
  }
}

}  // namespace rackproof::steps
