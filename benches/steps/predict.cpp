#include "benches/steps/predict.hpp"

#include <algorithm>

#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/steps/schedule.hpp"

namespace rackproof::steps {
namespace {

constexpr int kRepeats = 7;
constexpr std::int64_t kRateSize = 768;

template <class Call>
double median_seconds(const Groups& groups, kit::ProgressWriter& word, Call&& call) {
  std::vector<double> seconds;
  for (int i = 0; i <= kRepeats; ++i) {
    word.exchange([&] { groups.world.barrier(); });
    const double start = kit::now_seconds();
    call();
    if (i > 0) seconds.push_back(kit::now_seconds() - start);
  }
  return kit::median(seconds);
}

// As fast as a large square product goes here, with all ranks at it.
double rate_of_products(const Config& config, const Groups& groups, kit::ProgressWriter& word) {
  const Floats a(static_cast<std::size_t>(kRateSize * kRateSize));
  const Floats b(a.size());
  const Floats c(a.size());
  std::fill_n(a.data(), a.size(), 1.0F);
  std::fill_n(b.data(), b.size(), 1.0F);
  const double seconds = median_seconds(groups, word, [&] {
    blas::multiply(kRateSize, kRateSize, kRateSize, 1.0F, a.data(), b.data(), c.data());
  });
  constexpr auto kSize = static_cast<double>(kRateSize);
  return 2 * kSize * kSize * kSize * config.host_share / seconds;
}

}  // namespace

Alone measure_alone(Stage& stage, const Config& config, const Groups& groups,
                    kit::ProgressWriter& word) {
  Alone alone;
  alone.rate = rate_of_products(config, groups, word);
  stage.settle();
  std::vector<double> forward;
  std::vector<double> backward;
  for (int i = 0; i <= kRepeats; ++i) {
    word.exchange([&] { groups.world.barrier(); });
    stage.cores().forget();
    stage.forward(0, 0);
    const double ahead = stage.cores().times().total();
    stage.backward(0, 0);
    if (i == 0) continue;
    forward.push_back(ahead);
    backward.push_back(stage.cores().times().total() - ahead);
  }
  alone.forward = kit::median(forward);
  alone.backward = kit::median(backward);
  alone.tensor = median_seconds(groups, word, [&] { stage.send_alone(Wait::kTensor); });
  alone.expert = median_seconds(groups, word, [&] { stage.send_alone(Wait::kExpert); });
  alone.stages = median_seconds(groups, word, [&] { stage.send_alone(Wait::kPipeline); });
  alone.gradients = median_seconds(groups, word, [&] { stage.send_alone(Wait::kGradients); });
  alone.weights = median_seconds(groups, word, [&] { stage.send_alone(Wait::kWeights); });
  return alone;
}

double predicted_step(const std::vector<Alone>& stages, const Shape& shape, const Plan& plan,
                      bool hides) {
  const auto layers = static_cast<double>(shape.layers);
  const double experts = static_cast<double>(shape.rows()) / static_cast<double>(shape.tokens);
  std::vector<StageTimes> times;
  double transfer = 0;
  double gradients = 0;
  for (const Alone& stage : stages) {
    // Attention's all-reduce has the tokens, that of the experts the rows that were routed.
    const double messages = stage.tensor * (1 + experts) + 2 * stage.expert;
    // Weights of the first layer of a pass are waited for, the others where nothing hides them.
    const auto with_weights = [&](double layer) {
      const double shown = hides ? std::max(0.0, stage.weights - layer) : stage.weights;
      return layers * layer + stage.weights + (layers - 1) * shown;
    };
    times.push_back(
        {with_weights(stage.forward + messages), with_weights(stage.backward + messages)});
    transfer = std::max(transfer, stage.stages);
    double exposed = layers * stage.gradients;
    if (hides) {
      const double hidden = times.back().backward * (layers - 1) / layers;
      exposed = std::max(stage.gradients, exposed - hidden);
    }
    gradients = std::max(gradients, exposed);
  }
  return predicted_seconds(times, plan.batch.micro_batches, transfer) + gradients;
}

}  // namespace rackproof::steps
