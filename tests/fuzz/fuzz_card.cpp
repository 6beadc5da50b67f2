#include <string>
#include <string_view>

#include "benches/kit/errors.hpp"
#include "benches/steps/arithmetic.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

// What everything that reads a card relies on.
void hold(const steps::Card& card) {
  fuzz::expect(card.hidden > 0 && card.layers > 0 && card.heads > 0 && card.feed_forward > 0,
               "sizes are above 0");
  fuzz::expect(card.kv_heads > 0 && card.heads % card.kv_heads == 0, "heads share keys evenly");
  fuzz::expect(card.hidden % card.heads == 0, "a head has a whole number of elements");
  fuzz::expect(card.experts_per_token >= 1 && card.experts_per_token <= card.experts,
               "a token meets experts that there are");
  fuzz::expect(steps::bytes_of_precision(card.precision) > 0, "a precision that is known");
  fuzz::expect(steps::layer_parameters(card) > 0, "weights that can be counted");
  fuzz::expect(steps::layer_forward_flop(card, {1, 1, 1}) > 0, "operations that can be counted");
}

}  // namespace

// A card is one that the bench can compute with, scaled too, or the file is refused by name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  try {
    const steps::Card card = steps::parse_card(text, "x.json");
    hold(card);
    hold(steps::scaled(card, 1, 2));
  } catch (const kit::UsageError& refused) {
    const std::string_view said = refused.what();
    fuzz::expect(said.starts_with("x.json") || said.starts_with("--scale 2"),
                 "what is refused is named");
  }
  return 0;
}
