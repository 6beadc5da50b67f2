#include "benches/steps/step_program.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace rackproof::steps {
namespace {

class Builder {
 public:
  /// Queues a product behind what was asked for, and gives its place in the program.
  void compute(std::size_t layer, Matrix matrix, Gradient gradient) {
    Operation one;
    one.kind = product_index(matrix, gradient);
    one.layer = layer;
    if (awaited_) one.after.push_back(*awaited_);
    awaited_.reset();
    computed_ = program_.size();
    program_.push_back(std::move(one));
  }

  /// Queues a message behind the products so far, or behind `after` alone.
  void send(std::size_t layer, Traffic traffic, std::optional<std::size_t> after) {
    Operation one;
    one.sends = true;
    one.kind = static_cast<std::size_t>(traffic);
    one.layer = layer;
    one.place = messages_++;
    if (after) one.after.push_back(*after);
    sent_ = program_.size();
    program_.push_back(std::move(one));
  }
  void send(std::size_t layer, Traffic traffic) { send(layer, traffic, computed_); }

  /// The next product waits for the last message.
  void await_message() { awaited_ = sent_; }
  void await(std::size_t message) { awaited_ = message; }

  std::optional<std::size_t> computed() const { return computed_; }
  std::size_t sent() const { return sent_; }
  Program take() { return std::move(program_); }

 private:
  Program program_;
  std::optional<std::size_t> awaited_;
  std::optional<std::size_t> computed_;
  std::size_t sent_ = 0;
  std::size_t messages_ = 0;
};

void forward_layer(Builder& builder, std::size_t layer, bool shared) {
  const auto reduce = [&] {
    if (!shared) return;
    builder.send(layer, Traffic::kTensor);
    builder.await_message();
  };
  builder.compute(layer, Matrix::kQkv, Gradient::kNone);
  builder.compute(layer, Matrix::kOutput, Gradient::kNone);
  reduce();
  builder.compute(layer, Matrix::kGateUp, Gradient::kNone);
  builder.compute(layer, Matrix::kDown, Gradient::kNone);
  reduce();
}

void backward_layer(Builder& builder, std::size_t layer, bool shared) {
  for (const auto& [second, first] :
       {std::pair{Matrix::kDown, Matrix::kGateUp}, std::pair{Matrix::kOutput, Matrix::kQkv}}) {
    builder.compute(layer, second, Gradient::kInput);
    builder.compute(layer, second, Gradient::kWeights);
    builder.compute(layer, first, Gradient::kInput);
    if (shared) builder.send(layer, Traffic::kTensor);
    builder.compute(layer, first, Gradient::kWeights);
    if (shared) builder.await_message();
  }
}

Program sharded_program(std::size_t layers) {
  Builder builder;
  const std::size_t blocks = 2 * layers;
  const auto layer_of = [&](std::size_t block) {
    return block < layers ? block : blocks - 1 - block;
  };
  std::optional<std::size_t> before;  // the last product of the block before this one
  builder.send(layer_of(0), Traffic::kGather, std::nullopt);
  std::size_t next = builder.sent();
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t own = next;
    if (block + 1 < blocks) {
      // There is room for the weights of two layers: this one's, and the next one's.
      builder.send(layer_of(block + 1), Traffic::kGather, before);
      next = builder.sent();
    }
    builder.await(own);
    if (block < layers) {
      forward_layer(builder, layer_of(block), false);
    } else {
      backward_layer(builder, layer_of(block), false);
      builder.send(layer_of(block), Traffic::kScatter);
    }
    before = builder.computed();
  }
  return builder.take();
}

template <class Seconds>
double sum(const Program& program, bool sends, const Seconds& seconds) {
  double all = 0;
  for (const Operation& one : program) {
    if (one.sends == sends) all += seconds[one.kind];
  }
  return all;
}

}  // namespace

std::string product_text(std::size_t product) {
  constexpr std::array kNames{"attention.qkv", "attention.output", "mlp.gate_up", "mlp.down"};
  constexpr std::array kPasses{" forward", " input gradient", " weight gradient"};
  return std::string(kNames[product / 3]) + kPasses[product % 3];
}

std::string traffic_text(Traffic traffic) {
  switch (traffic) {
    case Traffic::kTensor:
      return "tensor all-reduce";
    case Traffic::kGradients:
      return "gradients all-reduce";
    case Traffic::kGather:
      return "weights all-gather";
    case Traffic::kScatter:
      return "gradients reduce-scatter";
  }
  return "";
}

Program training_program(Sharing sharing, std::size_t layers) {
  if (sharing == Sharing::kSharded) return sharded_program(layers);
  const bool shared = sharing == Sharing::kTensor;
  Builder builder;
  for (std::size_t layer = 0; layer < layers; ++layer) forward_layer(builder, layer, shared);
  for (std::size_t layer = layers; layer-- > 0;) {
    backward_layer(builder, layer, shared);
    if (!shared) builder.send(layer, Traffic::kGradients);
  }
  return builder.take();
}

Program forward_program(std::size_t layers) {
  Builder builder;
  for (std::size_t layer = 0; layer < layers; ++layer) forward_layer(builder, layer, true);
  return builder.take();
}

std::size_t messages_of(const Program& program) {
  return static_cast<std::size_t>(std::count_if(program.begin(), program.end(),
                                                [](const Operation& one) { return one.sends; }));
}

double predicted_seconds(const Program& program, const std::array<double, kProducts>& products,
                         const std::array<double, kTraffic>& traffic) {
  std::vector<double> ends(program.size());
  std::array<double, 2> free{};  // of the products' stream, and the messages'
  for (std::size_t at = 0; at < program.size(); ++at) {
    const Operation& one = program[at];
    double& stream = free[one.sends ? 1 : 0];
    for (const std::size_t before : one.after) stream = std::max(stream, ends[before]);
    stream += one.sends ? traffic[one.kind] : products[one.kind];
    ends[at] = stream;
  }
  return std::max(free[0], free[1]);
}

double product_seconds(const Program& program, const std::array<double, kProducts>& products) {
  return sum(program, false, products);
}

double traffic_seconds(const Program& program, const std::array<double, kTraffic>& traffic) {
  return sum(program, true, traffic);
}

}  // namespace rackproof::steps
