#pragma once

#include <cstdint>

#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"

namespace rackproof::steps {

/// How much one step takes: b sequences of s tokens in each of m micro-batches.
struct Batch {
  std::int64_t sequence = 0;       ///< s
  std::int64_t sequences = 1;      ///< b, of a micro-batch
  std::int64_t micro_batches = 1;  ///< m

  std::int64_t tokens() const { return sequence * sequences; }  ///< of a micro-batch
};

/// Weights of the four matrices of a layer, all experts and all ranks: h (2 h + 2 h kv/a) for
/// attention and 3 h d_ff for each expert (gate, up, down). Norms are left out.
std::int64_t layer_parameters(const Card& card);
/// Those of a layer that a token meets: experts_per_token of the experts.
std::int64_t active_layer_parameters(const Card& card);
/// Those of a layer that one rank holds.
std::int64_t layer_parameters_of_rank(const Card& card, const Layout& layout);

/// Operations of one forward pass of a micro-batch through one layer, all ranks of a tensor group
/// together: two for each weight that a token meets, and 2 b s^2 h for causal attention. The
/// backward pass has twice as many.
double layer_forward_flop(const Card& card, const Batch& batch);

/// Bytes of the messages of one layer, in the card's precision.
struct Messages {
  std::int64_t tensor = 0;     ///< each of 2 + 2 all-reduces: b s h w
  std::int64_t pipeline = 0;   ///< from stage to stage, a micro-batch and way: b s h w
  std::int64_t weights = 0;    ///< gathered by FSDP: P w
  std::int64_t gradients = 0;  ///< all-reduced by DDP, reduce-scattered by FSDP: P w
  std::int64_t dispatch = 0;   ///< tokens to their experts, in fp8: b s k h
  std::int64_t combine = 0;    ///< and back, in the card's precision: b s k h w
};
Messages layer_messages(const Card& card, const Layout& layout, const Batch& batch);

/// Bytes that FSDP moves for each rank and step: weights gathered twice and gradients
/// reduce-scattered once, 3 P w (d - 1)/d, over all layers of a rank.
double fsdp_bytes_of_rank(const Card& card, const Layout& layout);

/// Bytes that the keys and values of one token take in all layers: 2 L kv (h/a) w.
std::int64_t kv_bytes_of_token(const Card& card);

/// Idle time over ideal time. One forward one backward: (p - 1)/m; interleaved, with v pieces of
/// the model on each stage: (p - 1)/(v m) (Narayanan et al., arXiv:2104.04473, section 2.2).
double bubble(std::int64_t stages, std::int64_t micro_batches, std::int64_t pieces = 1);

/// Operations that a model needs for a token of a training step: 6 P + 12 L h s (Chowdhery et al.,
/// arXiv:2204.02311, appendix B), P being the weights that a token meets.
double model_flop_of_token(const Card& card, std::int64_t sequence);

/// The least time of a token in decoding, in seconds: the weights of a rank and the keys and values
/// of `sequences` sequences of `context` tokens are read once.
double decode_bound_seconds(const Card& card, const Layout& layout, std::int64_t sequences,
                            std::int64_t context, double bytes_per_second);

}  // namespace rackproof::steps
