#include "harness/command_line/option_values.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace command_line = rackproof::command_line;
using namespace rackproof::command_line;

namespace {

/// What an option of this kind makes of a text; throws what the command line would say.
double share(const CLI::Validator& kind, const std::string& text) {
  CLI::App app;
  double value = 0;
  app.add_option("--share", value)->transform(kind);
  std::vector<std::string> words = {text, "--share"};  // last first
  app.parse(words);
  return value;
}

std::string refusal_of_time(const CLI::Validator& kind, const std::string& text) {
  CLI::App app;
  std::string value;
  app.add_option("--age", value)->check(kind);
  std::vector<std::string> words = {text, "--age"};
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  CHECK(value == text);
  return "";
}

}  // namespace

TEST_CASE(
    "a share with its sign means the same in each option, and without what the option counts in") {
  CHECK(share(command_line::as_percent(), "2 %") == 2);
  CHECK(share(command_line::as_percent(), "2%") == 2);
  CHECK(share(command_line::as_percent(), "2") == 2);
  CHECK(share(command_line::as_fraction(), "2 %") == Approx(0.02));
  CHECK(share(command_line::as_fraction(), "0.02") == 0.02);
  CHECK_THROWS_WITH(share(command_line::as_percent(), "two %"),
                    Catch::Contains("--share") && Catch::Contains("expected for example 2 %"));
  CHECK_THROWS_AS(share(command_line::as_percent(), "%"), CLI::ParseError);
}

TEST_CASE("a time that is none is refused with the name of its option") {
  CHECK(refusal_of_time(command_line::is_time(), "90").empty());
  CHECK(refusal_of_time(command_line::is_time(), "30 d").empty());
  CHECK(refusal_of_time(command_line::is_time_with_unit(), "8w").empty());
  CHECK_THAT(refusal_of_time(command_line::is_time_with_unit(), "90"),
             Catch::Contains("--age") && Catch::Contains("'90' is not a time"));
  CHECK_THAT(refusal_of_time(command_line::is_time(), "soon"),
             Catch::Contains("--age") && Catch::Contains("'soon' is not a time"));
}
