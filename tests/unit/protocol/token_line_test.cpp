#include "benches/protocol/token_line.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace rackproof::protocol {
namespace {

const Token kToken{"nccl-id", "00ff17"};
constexpr const char* kGroup = "run/1/fabric/0/1";

std::string complaint(std::string_view bytes, int ranks = 4) {
  const auto read = read_token_line(bytes, kGroup, ranks);
  const auto* text = std::get_if<std::string>(&read);
  return text == nullptr ? "" : *text;
}

TEST_CASE("A token line says group and size and reads back whole") {
  const std::string line = token_line(kGroup, 4, kToken);
  CHECK(line == "rackproof-token run/1/fabric/0/1 4 nccl-id 00ff17\n");
  const auto read = read_token_line(line, kGroup, 4);
  REQUIRE(std::holds_alternative<Token>(read));
  CHECK(std::get<Token>(read).name == "nccl-id");
  CHECK(std::get<Token>(read).value == "00ff17");
}

TEST_CASE("A value of the greatest length passes and one byte more does not") {
  const Token longest{"id", std::string(kMaxTokenBytes, 'f')};
  const auto read = read_token_line(token_line(kGroup, 2, longest), kGroup, 2);
  REQUIRE(std::holds_alternative<Token>(read));
  CHECK(std::get<Token>(read).value == longest.value);
  CHECK(problem_of({"id", longest.value + "f"}).find("more than") != std::string::npos);
}

TEST_CASE("Every prefix of a token line is refused") {
  const std::string line = token_line(kGroup, 4, kToken);
  for (std::size_t size = 0; size < line.size(); ++size) {
    CHECK_FALSE(complaint(line.substr(0, size)).empty());
  }
  CHECK(complaint("").find("no token") != std::string::npos);
  CHECK(complaint(line.substr(0, line.size() - 1)).find("cut short") != std::string::npos);
}

TEST_CASE("A token of another group or size is told apart") {
  const std::string foreign = token_line("other/1/fabric/0/1", 4, kToken);
  CHECK(complaint(foreign).find("another group") != std::string::npos);
  CHECK(complaint(token_line(kGroup, 8, kToken)).find("'8' members, not of 4") !=
        std::string::npos);
}

TEST_CASE("Lines of another form are refused") {
  for (const char* line : {"\n", "hello\n", "rackproof-token run/1/fabric/0/1 4 nccl-id\n",
                           "rackproof-token  run/1/fabric/0/1 4 nccl-id 00\n",
                           "rackproof-token run/1/fabric/0/1 4 nccl-id 00 11\n",
                           "rackproof-token run/1/fabric/0/1 4x nccl-id 00\n",
                           "rackproof-token run/1/fabric/0/1 4 nccl/id 00\n",
                           "rackproof-token run/1/fabric/0/1 4 nccl-id \n",
                           "rackproof-token run/1/fabric/0/1 4 nccl-id 00\r\n",
                           "rackproof-token run/1/fabric/0/1 4 nccl-id 00\nmore\n"}) {
    INFO(line);
    CHECK_FALSE(complaint(line).empty());
  }
}

TEST_CASE("A token with a problem is never written") {
  CHECK_THROWS_AS(token_line(kGroup, 4, {"", "x"}), std::invalid_argument);
  CHECK_THROWS_AS(token_line(kGroup, 4, {"two words", "x"}), std::invalid_argument);
  CHECK_THROWS_AS(token_line(kGroup, 4, {"id", "a b"}), std::invalid_argument);
  CHECK_THROWS_AS(token_line(kGroup, 4, {"id", "a\nb"}), std::invalid_argument);
  CHECK_THROWS_AS(token_line("", 4, kToken), std::invalid_argument);
  CHECK_THROWS_AS(token_line("a b", 4, kToken), std::invalid_argument);
  CHECK_THROWS_AS(token_line(kGroup, 1, kToken), std::invalid_argument);
}

}  // namespace
}  // namespace rackproof::protocol
