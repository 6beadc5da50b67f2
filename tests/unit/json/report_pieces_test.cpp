#include "reports/json/report_pieces.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "reports/json/report_json.hpp"
#include "tests/unit/model/random_value.hpp"

namespace rackproof::model {
namespace {

const std::string& plain_sample() {
  static const std::string text = [] {
    std::ifstream file(RACKPROOF_SOURCE_DIR "/tests/golden/report/sample.report.json");
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }();
  return text;
}

ReadBytes bytes_of(const std::string& text) {
  return [&text](std::uint64_t offset, std::size_t size, char* to) {
    REQUIRE(offset + size <= text.size());
    text.copy(to, size, offset);
  };
}

std::optional<Report> plainly(const std::string& text) {
  try {
    return ReportPieces(bytes_of(text), text.size()).whole();
  } catch (const NotPlain&) {
    return std::nullopt;
  }
}

std::optional<Report> carefully(const std::string& text) {
  try {
    return careful_report_from_json(text);
  } catch (const BadReport&) {
    return std::nullopt;
  }
}

/// What the plain reader takes, the careful one reads as the same.
void agree(const std::string& text, int& taken) {
  const std::optional<Report> plain = plainly(text);
  if (!plain) return;
  ++taken;
  const std::optional<Report> careful = carefully(text);
  REQUIRE(careful.has_value());
  REQUIRE(*plain == *careful);
}

/// A report with many cells, so that there are several pieces.
Report large() {
  Report report = careful_report_from_json(plain_sample());
  const std::vector<Cell> cells = report.cells;
  for (int i = 0; i < 40; ++i) {
    for (Cell cell : cells) {
      cell.id += std::to_string(i);
      report.cells.push_back(std::move(cell));
    }
  }
  return report;
}

}  // namespace

TEST_CASE("what to_json writes is read plainly and as the careful reader does") {
  const std::optional<Report> plain = plainly(plain_sample());
  REQUIRE(plain.has_value());
  CHECK(*plain == careful_report_from_json(plain_sample()));
  CHECK(to_json(*plain) == plain_sample());
}

TEST_CASE("any report that is written is read plainly") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO(seed);
    const Report report = random_report(seed);
    const std::string text = to_json(report);
    const std::optional<Report> plain = plainly(text);
    REQUIRE(plain.has_value());
    CHECK(to_json(*plain) == text);
    CHECK(*plain == careful_report_from_json(text));
  }
}

TEST_CASE("a large report comes in pieces that hold every cell once and in order") {
  const Report report = large();
  const std::string text = to_json(report);
  const ReportPieces pieces(bytes_of(text), text.size());
  REQUIRE(pieces.cell_pieces().size() > 2);
  std::vector<Cell> cells;
  CellReader reader;
  for (const Piece& piece : pieces.cell_pieces()) {
    const std::vector<Cell>& some = reader.read(pieces, piece);
    cells.insert(cells.end(), some.begin(), some.end());
  }
  CHECK(cells == report.cells);
  CHECK(pieces.whole() == report);
  Report rest = report;
  rest.cells.clear();
  CHECK(pieces.without_cells() == rest);
}

TEST_CASE("memory that is used again holds nothing of the cell before") {
  Report report = large();
  std::mt19937 engine(5);
  for (Cell& cell : report.cells) RandomValue(static_cast<std::uint32_t>(engine())).fill(cell);
  const std::string text = to_json(report);
  CHECK(to_json(ReportPieces(bytes_of(text), text.size()).whole()) == text);
}

TEST_CASE("a report that is laid out in another way is left to the careful reader") {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = plain_sample();
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK_FALSE(plainly(" " + plain_sample()));
  CHECK_FALSE(plainly(plain_sample() + "\n"));
  CHECK_FALSE(plainly(""));
  CHECK_FALSE(plainly("{\n}\n"));
  CHECK_FALSE(plainly(changed("\n \"counts\"", "\n  \"counts\"")));
  CHECK_FALSE(plainly(changed("\"attempts\"", "\"attemptz\"")));
  CHECK_FALSE(plainly(changed("\"schema_version\": \"", "\"schema_version\": \"9")));
  CHECK(report_from_json(" " + plain_sample()) == careful_report_from_json(plain_sample()));
  CHECK(report_from_json(changed("\n \"counts\"", "\n  \"counts\"")) ==
        careful_report_from_json(plain_sample()));
}

TEST_CASE("the plain reader takes nothing that the careful one would not read as the same") {
  std::mt19937 engine(11);
  const auto below = [&engine](std::size_t n) { return static_cast<std::size_t>(engine() % n); };
  const std::vector<std::string> bits = {
      "\"", "\\", "0", "-", ".", "e9",   "1",    ",",       "\n",   "{",    "}",
      "[",  "]",  ":", " ", "x", "\x01", "\xff", "\\udc00", "null", "true", "18446744073709551615"};
  int taken = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = plain_sample();
    const std::string& bit = bits[below(bits.size())];
    const std::size_t place = below(text.size());
    switch (below(3)) {
      case 0:
        text.insert(place, bit);
        break;
      case 1:
        text.replace(place, bit.size(), bit);
        break;
      default:
        text.erase(place, 1 + below(3));
        break;
    }
    INFO(i);
    agree(text, taken);
  }
  // Inside texts and numbers much is as good as anything else.
  CHECK(taken > 100);
}

TEST_CASE("lines that are missing, doubled or exchanged are taken by both readers or by none") {
  std::mt19937 engine(12);
  std::vector<std::string> lines;
  std::istringstream stream(plain_sample());
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  int taken = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> some = lines;
    const std::size_t one = engine() % some.size();
    const std::size_t other = engine() % some.size();
    switch (engine() % 3) {
      case 0:
        some[one].clear();
        break;
      case 1:
        some[one] += some[one];
        break;
      default:
        std::swap(some[one], some[other]);
        break;
    }
    std::string text;
    for (const std::string& line : some) text += line;
    INFO(i);
    agree(text, taken);
  }
  CHECK(taken > 50);
}

}  // namespace rackproof::model
