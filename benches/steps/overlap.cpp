#include "benches/steps/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/buffer.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/operands.hpp"
#include "benches/steps/cores.hpp"
#include "benches/steps/overlap_say.hpp"
#include "benches/steps/proof.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {
namespace {

using blas::Form;

// One message of the overlap: an all-reduce of so many bytes in one of the groups.
struct Cell {
  std::string message;  ///< "tensor", "gradients" or "sweep"
  const Group* group = nullptr;
  std::int64_t count = 0;

  std::int64_t bytes() const { return count * static_cast<std::int64_t>(sizeof(float)); }
};

std::vector<Cell> cells_of(const Plan& plan, const Groups& groups) {
  std::vector<Cell> cells;
  if (groups.tensor.size() > 1) {
    cells.push_back({"tensor", &groups.tensor, plan.batch.tokens() * plan.card.hidden});
  }
  if (groups.replicas.size() > 1) {
    cells.push_back(
        {"gradients", &groups.replicas, layer_parameters_of_rank(plan.card, plan.layout)});
  }
  for (const std::int64_t bytes : plan.sizes) {
    cells.push_back({"sweep", &groups.world, bytes / static_cast<std::int64_t>(sizeof(float))});
  }
  return cells;
}

// The down product of one expert: what computes while a message is under way.
class Product {
 public:
  Product(const Shape& shape, std::int64_t bound, std::uint64_t seed)
      : shape_(shape),
        bound_(bound),
        seed_(seed),
        a_(static_cast<std::size_t>(shape.tokens * shape.activation)),
        b_(static_cast<std::size_t>(shape.activation * shape.hidden)),
        c_(static_cast<std::size_t>(shape.tokens * shape.hidden)) {
    product::fill_integers(a_.span(), bound, product::mix(seed, 1));
    product::fill_integers(b_.span(), bound, product::mix(seed, 2));
  }

  // The first `rows` rows, `times` times.
  void run(std::int64_t rows, std::int64_t times, int sign) const {
    for (std::int64_t i = 0; i < times; ++i) {
      blas::multiply(rows, shape_.hidden, shape_.activation, static_cast<float>(sign), Form::kPlain,
                     a_.data(), Form::kPlain, b_.data(), 0, c_.data());
    }
  }

  std::int64_t rows() const { return shape_.tokens; }
  Tensor result(std::int64_t rows) const {
    const Drawn a{product::mix(seed_, 1), shape_.activation, bound_};
    const Drawn b{product::mix(seed_, 2), shape_.hidden, bound_};
    return {shape_.first_layer,
            "mlp.down beside the message",
            -1,
            c_.data(),
            {shape_.hidden, {{rows, {{a, b, shape_.activation}}}}}};
  }

 private:
  Shape shape_;
  std::int64_t bound_;
  std::uint64_t seed_;
  kit::Buffer<float> a_;
  kit::Buffer<float> b_;
  kit::Buffer<float> c_;
};

// Measures one cell on this rank.
class CellRunner {
 public:
  CellRunner(const Cell& cell, const Plan& plan, const Config& config, const Groups& groups,
             Network& network, const Product& product, std::int64_t bound, std::uint64_t seed)
      : cell_(cell),
        config_(config),
        groups_(groups),
        network_(network),
        product_(product),
        bound_(bound),
        seed_(seed),
        serialised_(plan.plant && plan.plant->kind == Plant::Kind::kSerialised),
        drawn_(static_cast<std::size_t>(cell.count)),
        data_(static_cast<std::size_t>(cell.count)),
        proof_(seed),
        product_proof_(seed) {
    product::fill_integers(drawn_.span(), bound, seed_of_member(groups.world.rank()));
    proof_.add(summed(plan));
  }

  // Rounds are interleaved, so that what drifts meets all three alike.
  std::vector<Round> rounds(const std::optional<kit::Injection>& injection,
                            kit::ProgressWriter& word) {
    calibrate(word);
    std::vector<Round> all;
    for (std::int64_t i = 0; i < config_.rounds; ++i) all.push_back(round(injection, word));
    return all;
  }
  const Proof& proof() const { return proof_; }
  const Proof& product_proof() const { return product_proof_; }
  double proof_seconds() const { return proof_seconds_; }
  // Products that are computed beside the message, in parts of one.
  double products() const {
    return static_cast<double>(times_ * rows_) / static_cast<double>(product_.rows());
  }

 private:
  std::uint64_t seed_of_member(int world_rank) const {
    return product::mix(seed_, 100 + static_cast<std::uint64_t>(world_rank));
  }

  Tensor summed(const Plan& plan) const {
    Rows rows{1, {}};
    const std::vector<double> mine{static_cast<double>(groups_.world.rank())};
    for (const double member : cell_.group->gather(mine)) {
      rows.terms.push_back({{seed_of_member(static_cast<int>(member)), cell_.count, bound_}});
    }
    return {plan.place.stage * (plan.card.layers / plan.layout.pipeline),
            cell_.message + " all-reduce",
            -1,
            data_.data(),
            {cell_.count, {rows}}};
  }

  // Times the message, and chooses how much computing takes as long: of two times that differ much,
  // the shorter one drowns in the noise of the longer.
  void calibrate(kit::ProgressWriter& word) {
    double message = 0;
    double compute = 0;
    rows_ = product_.rows();
    for (int i = 0; i < 3; ++i) {  // the first ones touch pages and bring the library up
      refill();
      word.exchange([&] { groups_.world.barrier(); });
      message = timed([&] { word.exchange([&] { network_.wait(start()); }); });
      prove(i == 0);
      word.exchange([&] { groups_.world.barrier(); });
      compute = timed([&] { compute_once(); });
    }
    const auto longest = largest_of_ranks(groups_.world, {message, compute});
    const double products = longest[0] * config_.host_share / longest[1];
    constexpr double kMostProducts = 1000;
    constexpr double kLeastRows = 16;
    times_ = static_cast<std::int64_t>(std::clamp(std::ceil(products), 1.0, kMostProducts));
    const auto whole = static_cast<double>(product_.rows());
    rows_ = static_cast<std::int64_t>(
        std::clamp(std::ceil(products / static_cast<double>(times_) * whole),
                   std::min(kLeastRows, whole), whole));
    product_proof_.add(product_.result(rows_));
    cores_ = Cores(config_.host_share, 1);
    for (int i = 0; i < 5; ++i) compute_once();
    agree_on_pace(groups_.world, cores_);
    prove_product(true);
  }

  Round round(const std::optional<kit::Injection>& injection, kit::ProgressWriter& word) {
    std::vector<double> took(5);
    word.exchange([&] { groups_.world.barrier(); });
    turn();
    took[0] = timed([&] { compute_once(); });
    prove_product(false);
    refill();
    word.exchange([&] { groups_.world.barrier(); });
    took[1] = timed([&] { network_.wait(start()); });
    prove(false);
    turn();
    refill();
    word.exchange([&] { groups_.world.barrier(); });
    const double begin = kit::now_seconds();
    const Message message = start();
    if (serialised_) network_.wait(message);
    const double computing = kit::now_seconds();
    compute_once();
    const double computed = kit::now_seconds();
    const double over = network_.wait(message);
    took[2] = kit::now_seconds() - begin;
    took[3] = computed - computing;
    took[4] = over - begin;
    if (injection && groups_.world.rank() == groups_.world.size() - 1) proof_.inject(*injection);
    prove(false);
    prove_product(false);
    const auto longest = largest_of_ranks(groups_.world, took);
    return {longest[0], longest[1], longest[2], longest[3], longest[4]};
  }

  void turn() { sign_ = -sign_; }
  void refill() {
    const auto sign = static_cast<float>(sign_);
    std::transform(drawn_.data(), drawn_.data() + cell_.count, data_.data(),
                   [sign](float value) { return sign * value; });
  }
  Message start() const { return cell_.group->all_reduce(data_.data(), cell_.count); }
  void compute_once() {
    cores_.run(Work::kDown, Pass::kForward, [&] { product_.run(rows_, times_, sign_); });
  }

  template <class Call>
  static double timed(Call&& call) {
    const double begin = kit::now_seconds();
    call();
    return kit::now_seconds() - begin;
  }
  void prove(bool whole) {
    proof_seconds_ += timed([&] { whole ? proof_.check_exactly(sign_) : proof_.check(sign_); });
  }
  void prove_product(bool whole) {
    proof_seconds_ +=
        timed([&] { whole ? product_proof_.check_exactly(sign_) : product_proof_.check(sign_); });
  }

  const Cell& cell_;
  const Config& config_;
  const Groups& groups_;
  Network& network_;
  const Product& product_;
  std::int64_t bound_;
  std::uint64_t seed_;
  bool serialised_;
  Cores cores_{config_.host_share, 1};
  kit::Buffer<float> drawn_;
  kit::Buffer<float> data_;
  Proof proof_;
  Proof product_proof_;
  int sign_ = 1;
  std::int64_t times_ = 1;
  std::int64_t rows_ = 1;
  double proof_seconds_ = 0;
};

// What it means where nothing of a message is hidden.
std::string_view why_serial(const Plan& plan, const Config& config, const Network& network) {
  if (plan.progress == Progress::kNone) return "nobody drives messages while a rank computes";
  if (config.host_share == 1 && network.crowded()) {
    return "no core is free for the threads that drive messages";
  }
  return "serialised, although a thread drives messages and has a core";
}

}  // namespace

void measure_overlap(const Plan& plan, const Config& config, const Groups& groups, Network& network,
                     kit::Session& session) {
  const bool speaks = groups.world.rank() == 0;
  const std::int64_t bound = operand_bound(plan.card, plan.layout, plan.batch);
  const Shape shape = shape_of(plan.card, plan.layout, plan.batch, plan.place);
  const auto seed = static_cast<std::uint64_t>(config.seed);
  const Product product(shape, bound,
                        product::mix(seed, static_cast<std::uint64_t>(groups.world.rank())));
  const std::vector<Cell> cells = cells_of(plan, groups);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    session.phase(fmt::format("overlap, {} {} B", cell.message, cell.bytes()),
                  static_cast<double>(i) / static_cast<double>(cells.size()));
    session.progress().begin("overlap of " + cell.message, cell.bytes());
    CellRunner runner(cell, plan, config, groups, network, product, bound,
                      product::mix(seed, 1000 + i));
    const std::vector<Round> rounds = runner.rounds(session.injection(), session.progress());
    const std::string name = fmt::format("steps.overlap.{}.{}", cell.message, cell.bytes());
    Findings all = runner.proof().findings();
    const Findings& other = runner.product_proof().findings();
    all.compared += other.compared;
    all.wrong += other.wrong;
    all.all_counted = all.all_counted && other.all_counted;
    if (!all.first) all.first = other.first;
    const protocol::Check check = check_of_ranks(
        groups.world, name,
        "every element of the message and of the product beside it, after each of them, against "
        "the exact sum",
        all);
    if (!speaks) continue;
    session.check(check);
    say_overlap({cell.message, cell.bytes(), cell.group->size(), runner.products()},
                base_parameters(plan, config), name, rounds, why_serial(plan, config, network),
                session);
  }
}

}  // namespace rackproof::steps
