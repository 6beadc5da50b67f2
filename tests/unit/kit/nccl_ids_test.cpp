#include "benches/kit/nccl/ids.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/protocol/token_line.hpp"

using namespace rackproof;
using namespace rackproof::kit::nccl;

namespace {

std::vector<Id> some_ids(int count) {
  std::vector<Id> ids(static_cast<std::size_t>(count));
  unsigned byte = 0;
  for (Id& id : ids) {
    for (char& c : id) c = static_cast<char>(byte++ * 37);
  }
  return ids;
}

}  // namespace

TEST_CASE("ids come out of a token as they went in") {
  for (const int count : {1, 2, 63})
    CHECK(from_token(to_token(some_ids(count)), count) == some_ids(count));
}

TEST_CASE("many ranks get several ids and a token can carry them for any number") {
  CHECK(ids_for(1) == 1);
  CHECK(ids_for(127) == 1);
  CHECK(ids_for(128) == 2);
  CHECK(ids_for(129) == 3);
  CHECK(ids_for(4096) == 63);
  for (const int ranks : {2, 128, 4096, 1 << 20}) {
    const protocol::Token token{kTokenName, to_token(some_ids(ids_for(ranks)))};
    CHECK(protocol::problem_of(token).empty());
    CHECK(ids_for(ranks) <= ranks);
  }
}

TEST_CASE("a token that is foreign or short or malformed is refused with the reason") {
  const std::string token = to_token(some_ids(1));
  CHECK_THROWS_WITH(from_token("mpi1:" + token.substr(6), 1), Catch::Contains("does not begin"));
  CHECK_THROWS_WITH(from_token("", 1), Catch::Contains("does not begin"));
  CHECK_THROWS_WITH(from_token(token.substr(0, token.size() - 1), 1), Catch::Contains("is short"));
  CHECK_THROWS_WITH(from_token(token, 2), Catch::Contains("is short"));
  CHECK_THROWS_WITH(from_token(token + "00", 1), Catch::Contains("too long"));
  std::string strange = token;
  strange.back() = 'g';
  CHECK_THROWS_WITH(from_token(strange, 1), Catch::Contains("hexadecimal"));
  strange.back() = 'A';
  CHECK_THROWS_AS(from_token(strange, 1), kit::UsageError);
}
