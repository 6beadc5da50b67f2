#include "benches/steps/card.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include "benches/kit/errors.hpp"
#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;

std::string card_text(const std::string& from = "", const std::string& to = "") {
  std::string text =
      "{\n\"name\": \"m\",\n\"hidden_size\": 64,\n\"layers\": 2,\n\"heads\": 4,\n\"kv_heads\": 2,\n"
      "\"feed_forward\": 128,\n\"experts\": 1,\n\"experts_per_token\": 1,\n\"precision\": "
      "\"bf16\"\n}\n";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

std::string refusal_of(const std::string& text) {
  try {
    (void)parse_card(text, "m.json");
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("shipped cards are read, each under its own name") {
  for (const char* name : {"llama-8b", "llama-70b", "mixtral-8x7b"}) {
    CHECK(test::shipped_card(name).name == name);
  }
  CHECK(test::shipped_card("llama-8b").qkv_columns() == 4096 + 2 * 1024);
}

TEST_CASE("a card is refused with file, line, field and what was expected") {
  CHECK(refusal_of(card_text()).empty());
  CHECK_THAT(refusal_of(card_text("\"layers\": 2,\n", "")),
             Contains("m.json: \"layers\" is missing: expected an integer from 1 to 65536"));
  CHECK_THAT(refusal_of(card_text("\"layers\": 2", "\"layers\": 0")),
             Contains("m.json:4: \"layers\": expected an integer from 1 to 65536, found 0"));
  CHECK_THAT(refusal_of(card_text("\"layers\": 2", "\"layers\": \"two\"")),
             Contains("m.json:4: \"layers\": expected an integer"));
  CHECK_THAT(refusal_of(card_text("\"heads\": 4", "\"heads\": 3")),
             Contains("m.json:5: \"heads\": expected a divisor of \"hidden_size\" 64, found 3"));
  CHECK_THAT(refusal_of(card_text("\"kv_heads\": 2", "\"kv_heads\": 3")),
             Contains("m.json:6: \"kv_heads\": expected a divisor of \"heads\" 4"));
  CHECK_THAT(refusal_of(card_text("token\": 1", "token\": 2")),
             Contains("m.json:9: \"experts_per_token\": expected at most \"experts\" 1"));
  CHECK_THAT(refusal_of(card_text("bf16", "int3")),
             Contains("m.json:10: \"precision\": expected one of"));
  CHECK_THAT(refusal_of(card_text("\"layers\"", "\"leyers\"")),
             Contains("m.json:4: \"leyers\": expected one of the fields"));
}

TEST_CASE("what is no flat object of integers and texts is refused at its line") {
  CHECK_THAT(refusal_of(""), Contains("m.json:1: expected an object of fields"));
  CHECK_THAT(refusal_of("{\n\"name\": \"m\",\n\"layers\": 1.5\n}"),
             Contains("m.json:3: expected an integer"));
  CHECK_THAT(refusal_of("{\n\"name\": [1]}"), Contains("m.json:2: expected an integer or a text"));
  CHECK_THAT(refusal_of("{\"name\": \"m\", \"name\": \"n\"}"), Contains("expected once"));
  CHECK_THAT(refusal_of("{\"name\": \"m\"\n \"layers\": 1}"),
             Contains("m.json:2: expected a comma or }"));
  CHECK_THAT(refusal_of("{\"name\": \"m\n\"}"), Contains("ends in its line"));
  CHECK_THAT(refusal_of(card_text() + "x"), Contains("expected nothing after the object"));
  CHECK_THAT(refusal_of("{\"layers\": 99999999999999999999}"), Contains("expected an integer"));
}

TEST_CASE("an unknown card is answered with the known ones") {
  CHECK_THROWS_WITH(test::shipped_card("llama-9b"),
                    Contains("--card llama-9b") && Contains("llama-70b, llama-8b, mixtral-8x7b"));
  CHECK_THROWS_WITH(load_card("/nowhere/m.json", {}), Contains("cannot be read"));
}

TEST_CASE("a scaled card keeps its heads, and has to stay whole") {
  const Card card = scaled(test::shipped_card("llama-8b"), 4, 16);
  CHECK(card.hidden == 256);
  CHECK(card.feed_forward == 896);
  CHECK(card.layers == 4);
  CHECK(card.heads == 32);
  CHECK_THROWS_AS(scaled(test::shipped_card("llama-8b"), 0, 3), kit::UsageError);
  CHECK_THROWS_WITH(scaled(test::shipped_card("llama-8b"), 0, 256),
                    Contains("each of the 32 heads"));
}

}  // namespace rackproof::steps
