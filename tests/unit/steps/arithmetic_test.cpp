#include "benches/steps/arithmetic.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using test::shipped_card;

constexpr Batch k8k{8192, 1, 8};

}  // namespace

TEST_CASE("a layer of 70B has 855,638,016 weights, 1.711 GB in bf16") {
  const Card card = shipped_card("llama-70b");
  CHECK(layer_parameters(card) == 855'638'016);
  CHECK(layer_messages(card, {}, k8k).weights == 1'711'276'032);
  CHECK(layer_messages(card, {}, k8k).gradients == 1'711'276'032);
}

TEST_CASE(
    "an all-reduce of 70B at 8,192 tokens has 134.2 MB, and so has what goes to the next stage") {
  const Messages messages = layer_messages(shipped_card("llama-70b"), {8, 1, 1, 1, false}, k8k);
  CHECK(messages.tensor == 134'217'728);
  CHECK(messages.pipeline == 134'217'728);
}

TEST_CASE("forward through a layer of 70B takes 15.1 TFLOP at 8,192 tokens") {
  const double flop = layer_forward_flop(shipped_card("llama-70b"), k8k);
  // 2 x 8192 x 855,638,016 + 2 x 8192^3
  CHECK(flop == 14'018'773'254'144.0 + 1'099'511'627'776.0);
}

TEST_CASE("keys and values of 70B take 327,680 B a token, 2.68 GB for 8,192") {
  const std::int64_t bytes = kv_bytes_of_token(shipped_card("llama-70b"));
  CHECK(bytes == 327'680);
  CHECK(bytes * 8192 == 2'684'354'560);
}

TEST_CASE("experts: 4,096 tokens x 8 of 7,168 elements are 235 MB out and 470 MB back") {
  Card card = shipped_card("mixtral-8x7b");
  card.hidden = 7168;
  card.experts = 256;
  card.experts_per_token = 8;
  const Messages messages = layer_messages(card, {1, 1, 1, 8, false}, {4096, 1, 1});
  CHECK(messages.dispatch == 234'881'024);
  CHECK(messages.combine == 469'762'048);
}

TEST_CASE("a token meets two of eight experts, a rank holds its share of all") {
  const Card card = shipped_card("mixtral-8x7b");
  const std::int64_t attention = 4096LL * (4096 + 2 * 1024) + 4096LL * 4096;
  const std::int64_t expert = 3LL * 4096 * 14336;
  CHECK(layer_parameters(card) == attention + 8 * expert);
  CHECK(active_layer_parameters(card) == attention + 2 * expert);
  CHECK(layer_parameters_of_rank(card, {2, 1, 1, 4, false}) == (attention + 2 * expert) / 2);
}

TEST_CASE("FSDP moves three times the weights, but for the share that is at home") {
  const Card card = shipped_card("llama-70b");
  CHECK(fsdp_bytes_of_rank(card, {1, 1, 8, 1, false}) == Approx(3.0 * 80 * 1'711'276'032 * 7 / 8));
  CHECK(fsdp_bytes_of_rank(card, {1, 1, 1, 1, false}) == 0);
}

TEST_CASE("the bubble is (p - 1)/m, and v times smaller interleaved") {
  CHECK(bubble(4, 8) == 0.375);
  CHECK(bubble(4, 8, 2) == 0.1875);
  CHECK(bubble(1, 8) == 0);
}

TEST_CASE("a token of a training step takes 6 P + 12 L h s") {
  const Card card = shipped_card("llama-70b");
  CHECK(model_flop_of_token(card, 8192) == 6.0 * 80 * 855'638'016 + 12.0 * 80 * 8192 * 8192);
}

TEST_CASE("decoding reads the weights of a rank and the keys and values of all sequences") {
  const Card card = shipped_card("llama-70b");
  const double bytes = 80.0 * 1'711'276'032 / 8 + 64.0 * 8192 * 327'680 / 8;
  CHECK(decode_bound_seconds(card, {8, 1, 1, 1, false}, 64, 8192, 4.8e12) ==
        Approx(bytes / 4.8e12));
}

}  // namespace rackproof::steps
