#include "reports/model/worst_first.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {
namespace {

Cell failed(const std::string& host, const std::string& device, std::optional<double> ratio,
            bool required = true) {
  Cell cell;
  cell.subject.kind =
      device.empty() ? contract::SubjectKind::kGroup : contract::SubjectKind::kDevice;
  cell.subject.host = host;
  cell.subject.device = device;
  cell.subject.group = device.empty() ? host : "";
  cell.required = required;
  cell.verdict.outcome = Outcome::kFail;
  cell.verdict.ratio = ratio;
  return cell;
}

std::vector<double> order(const std::vector<Cell>& cells) {
  std::vector<const Cell*> pointers;
  for (const Cell& cell : cells) pointers.push_back(&cell);
  std::vector<double> ratios;
  for (const Cell* cell : worst_first(pointers)) ratios.push_back(cell->verdict.ratio.value_or(0));
  return ratios;
}

}  // namespace

TEST_CASE("the subject with the most failed cells comes first and stays together") {
  CHECK(order({failed("a", "1", 0.5), failed("b", "1", 0.8), failed("a", "2", 0.4),
               failed("b", "1", 0.7)}) == std::vector<double>{0.7, 0.8, 0.4, 0.5});
}

TEST_CASE("a group comes after what may have spoiled it") {
  CHECK(order({failed("world", "", 0.1), failed("world", "", 0.2), failed("a", "1", 0.9)}) ==
        std::vector<double>{0.9, 0.1, 0.2});
}

TEST_CASE("a wrong answer comes before any number and too much is as far as too little") {
  CHECK(order({failed("a", "1", 0.9), failed("a", "1", 2.0), failed("a", "1", std::nullopt)}) ==
        std::vector<double>{0, 2.0, 0.9});
}

TEST_CASE("a cell that nothing was expected of is as far off as from its peers") {
  Cell behind = failed("a", "1", std::nullopt);
  behind.verdict.deficit = 0.3;
  const Cell near = failed("a", "1", 0.8);
  const Cell far = failed("a", "1", 0.6);
  CHECK(order({near, behind, far}) == std::vector<double>{0.6, 0, 0.8});
  // What is as expected, and still behind its peers, is as far off as from them.
  Cell both = failed("a", "1", 0.99);
  both.verdict.deficit = 0.3;
  CHECK(order({near, both, far}) == std::vector<double>{0.6, 0.99, 0.8});
}

TEST_CASE("what is not required comes last and equal ones keep their order") {
  CHECK(
      order({failed("a", "1", 0.1, false), failed("b", "1", 0.9), failed("c", "1", 0.9)}).back() ==
      0.1);
  CHECK(worst_first({}).empty());
}

}  // namespace rackproof::model
