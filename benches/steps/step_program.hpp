#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rackproof::steps {

/// The matrices of a layer, and what is computed with each: its result, and in the backward pass
/// the gradient of its input and that of its weights.
enum class Matrix { kQkv, kOutput, kGateUp, kDown };
enum class Gradient { kNone, kInput, kWeights };
inline constexpr std::size_t kMatrices = 4;
inline constexpr std::size_t kProducts = kMatrices * 3;
constexpr std::size_t product_index(Matrix matrix, Gradient gradient) {
  return static_cast<std::size_t>(matrix) * 3 + static_cast<std::size_t>(gradient);
}
/// "mlp.down forward", "attention.qkv weight gradient".
std::string product_text(std::size_t product);

/// Messages of a layer: the sum of its output over ranks that share its matrices, its gradients
/// over replicas, and where weights are cut over the replicas (FSDP) the gathering of them and the
/// sum of gradients of which each keeps its part.
enum class Traffic { kTensor, kGradients, kGather, kScatter };
inline constexpr std::size_t kTraffic = 4;
/// "tensor all-reduce", "weights all-gather".
std::string traffic_text(Traffic traffic);

/// How ranks share a model.
enum class Sharing { kTensor, kData, kSharded };

/// One thing that a device does. Products are computed one after the other, and messages sent one
/// after the other, each on a stream of its own; `after` are what else has to be over before.
struct Operation {
  bool sends = false;
  std::size_t kind = 0;  ///< a product, or a Traffic
  std::size_t layer = 0;
  std::size_t place = 0;  ///< of a message: its buffer; each has one of its own
  std::vector<std::size_t> after = {};
};
using Program = std::vector<Operation>;

/// A training step of one micro-batch. Tensor: an all-reduce after output and down, forward, and
/// after qkv's and gate-up's input gradients, backward, beside which the gradients of those weights
/// are computed. Data: gradients of a layer are on their way while those of the layer before are
/// computed. Sharded (FSDP): each layer's weights are gathered for each pass, one layer ahead, and
/// its gradients scattered behind it.
Program training_program(Sharing sharing, std::size_t layers);
/// Forward alone, with matrices that ranks share.
Program forward_program(std::size_t layers);

/// Messages of a program.
std::size_t messages_of(const Program& program);

/// Seconds that a program takes where each product and each message takes as long as alone.
double predicted_seconds(const Program& program, const std::array<double, kProducts>& products,
                         const std::array<double, kTraffic>& traffic);
/// Seconds of its products, or of its messages, one after the other.
double product_seconds(const Program& program, const std::array<double, kProducts>& products);
double traffic_seconds(const Program& program, const std::array<double, kTraffic>& traffic);

}  // namespace rackproof::steps
