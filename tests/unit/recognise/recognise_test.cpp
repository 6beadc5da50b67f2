#include <catch2/catch.hpp>

#include "harness/recognise/recognise.hpp"

namespace model = rackproof::model;
namespace recognise = rackproof::recognise;

namespace {

model::NodeInventory epyc() {
  model::NodeInventory node;
  node.host = "n1";
  node.facts["cpu.model"].value = std::string("AMD EPYC 9654");
  node.facts["cpu.cores"].value = std::int64_t{96};
  node.facts["clock.hertz"].value = 2.4e9;
  node.facts["smt"].value = true;
  node.facts["broken"].unreadable = "no permission";
  return node;
}

model::FactRule rule(const std::string& fact) {
  model::FactRule result;
  result.fact = fact;
  return result;
}

model::FactRule matches(const std::string& fact, const std::string& glob) {
  model::FactRule result = rule(fact);
  result.matches = glob;
  return result;
}

model::PlatformTable table(const std::string& id, std::vector<model::FactRule> rules,
                           std::size_t chain = 1, bool generic = false) {
  model::PlatformTable result;
  result.id = id;
  result.recognise = std::move(rules);
  result.chain.assign(chain, id);
  result.generic = generic;
  return result;
}

std::string recognised(const std::vector<model::PlatformTable>& tables) {
  const recognise::Recognition found = recognise::recognise(epyc(), tables);
  if (!found.ambiguous.empty()) return "ambiguous: " + found.ambiguous;
  return found.table == nullptr ? "none" : found.table->id;
}

std::string recognised(const model::FactRule& one) { return recognised({table("t", {one})}); }

}  // namespace

TEST_CASE("every kind of rule") {
  CHECK(recognised(matches("cpu.model", "amd epyc*")) == "t");
  CHECK(recognised(matches("cpu.model", "epyc*")) == "none");
  CHECK(recognised(matches("cpu.cores", "9?")) == "t");
  model::FactRule one = rule("cpu.cores");
  CHECK(recognised(one) == "none");
  one.equals = 96.0;
  CHECK(recognised(one) == "t");
  one.equals = std::string("96");
  CHECK(recognised(one) == "none");
  one = rule("smt");
  one.equals = true;
  CHECK(recognised(one) == "t");
  one.equals = false;
  CHECK(recognised(one) == "none");
  for (const auto& [least, expected] :
       {std::pair{95.0, "t"}, std::pair{96.0, "t"}, std::pair{96.5, "none"}}) {
    one = rule("cpu.cores");
    one.min = least;
    CHECK(recognised(one) == expected);
  }
  for (const auto& [most, expected] :
       {std::pair{95.5, "none"}, std::pair{96.0, "t"}, std::pair{97.0, "t"}}) {
    one = rule("cpu.cores");
    one.max = most;
    CHECK(recognised(one) == expected);
  }
  one = rule("cpu.model");
  one.min = 0;
  CHECK(recognised(one) == "none");
  CHECK(recognised(matches("broken", "*")) == "none");
  CHECK(recognised(matches("absent", "*")) == "none");
}

TEST_CASE("the most specific table wins, in any order") {
  const auto any = matches("cpu.model", "*");
  const auto amd = matches("cpu.model", "AMD*");
  const auto generic = table("generic", {any, amd, any}, 5, true);
  const auto family = table("family", {amd}, 1);
  const auto member = table("member", {amd}, 2);
  const auto precise = table("precise", {amd, any}, 2);
  CHECK(recognised({generic}) == "generic");
  CHECK(recognised({generic, family}) == "family");
  CHECK(recognised({member, family, generic}) == "member");
  CHECK(recognised({family, precise, member}) == "precise");
}

TEST_CASE("all rules must hold") {
  CHECK(recognised({table("t", {matches("cpu.model", "AMD*"), matches("cpu.model", "Intel*")})}) ==
        "none");
}

TEST_CASE("two equally specific tables are ambiguous, unless a third is more so") {
  const auto amd = matches("cpu.model", "AMD*");
  CHECK(recognised({table("a", {amd}), table("b", {amd})}) == "ambiguous: a, b");
  CHECK(recognised({table("a", {amd}), table("b", {amd}), table("c", {amd})}) ==
        "ambiguous: a, b, c");
  CHECK(recognised({table("a", {amd}), table("b", {amd}), table("c", {amd}, 2)}) == "c");
  CHECK(recognised({table("c", {amd}, 2), table("a", {amd}), table("b", {amd})}) == "c");
}

TEST_CASE("an abstract table is never recognised") {
  model::PlatformTable family = table("family", {matches("cpu.model", "*")}, 3);
  family.is_abstract = true;
  CHECK(recognised({family, table("one", {matches("cpu.model", "*")})}) == "one");
  CHECK(recognised({family}) == "none");
}

TEST_CASE("a table for selection is chosen by name alone and its other rules count") {
  model::FactRule by_name = rule("platform.selected");
  by_name.equals = std::string("shape");
  const auto fits = table("shape", {matches("cpu.model", "*EPYC*"), by_name}, 3);
  const auto other = table("shape", {matches("cpu.model", "*Xeon*"), by_name}, 3);
  CHECK(recognise::is_for_selection(fits));
  CHECK_FALSE(recognise::is_for_selection(table("one", {matches("cpu.model", "*")})));
  CHECK(recognised({fits, table("one", {matches("cpu.model", "*")})}) == "one");
  CHECK(recognise::refusal(fits, {epyc()}).empty());
  CHECK_FALSE(recognise::refusal(other, {epyc()}).empty());
}

TEST_CASE("a table without rules is recognised only when it is generic") {
  CHECK(recognised({table("t", std::vector<model::FactRule>())}) == "none");
  CHECK(recognised({table("t", {}, 1, true)}) == "t");
  CHECK(recognised(std::vector<model::PlatformTable>{}) == "none");
}
