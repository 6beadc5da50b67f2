#include "harness/ingest/rows.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace rackproof;
using Catch::Contains;
using Catch::Matchers::Equals;

namespace {

std::string padded(std::string text) {
  text.append(ingest::kRowPadding, ' ');
  return text;
}

ingest::RowBlock read(ingest::RowReader& reader, const std::string& text,
                      std::size_t first_line = 1) {
  const std::string bytes = padded(text);
  return reader.read({bytes.data(), text.size()}, first_line);
}

ingest::RowTable table_of(const std::string& text) {
  ingest::RowReader reader;
  ingest::ReadRows part;
  part.blocks.push_back(read(reader, text));
  part.metrics = reader.metrics();
  std::vector<ingest::ReadRows> parts;
  parts.push_back(std::move(part));
  return ingest::RowTable(std::move(parts));
}

std::string problem_of(const std::string& text) {
  try {
    table_of(text);
  } catch (const ingest::BadRow& bad) {
    return bad.what();
  }
  return "none";
}

std::vector<double> column(const ingest::RowTable& table, std::size_t metric) {
  return table.columns(metric, metric + 1).front();
}

}  // namespace

TEST_CASE("rows become columns, sorted by metric and in the order of lines") {
  const auto table = table_of(
      "{\"node\": \"b\", \"y\": 2, \"x\": 1.5}\n\n"
      "{\"x\":-3e2,\"y\":4,\"node\":\"a\"}\r\n"
      "  {\"y\": 18446744073709551615.0, \"node\": \"c\", \"x\": 0}");
  REQUIRE(table.size() == 3);
  CHECK(table.metrics() == std::vector<std::string>{"x", "y"});
  CHECK(table.node(0) == "b");
  CHECK(table.node(1) == "a");
  CHECK(column(table, 0) == std::vector<double>{1.5, -300, 0});
  CHECK(column(table, 1) == std::vector<double>{2, 4, 18446744073709551615.0});
}

TEST_CASE("what a row does not have is missing, and so is null") {
  const auto table = table_of(
      "{\"node\":\"a\",\"x\":1}\n{\"node\":\"b\",\"y\":2}\n{\"node\":\"c\",\"x\":null,\"y\":3}\n");
  CHECK(std::isnan(column(table, 0)[1]));
  CHECK(std::isnan(column(table, 0)[2]));
  CHECK(std::isnan(column(table, 1)[0]));
  CHECK(column(table, 1)[2] == 3);
}

TEST_CASE("keys mean the same however they are escaped") {
  const auto table = table_of(
      "{\"node\":\"a\",\"q\\\"t\":1,\"\\u0078\":5,\"b\\\\f\":7}\n"
      "{\"n\\u006fde\":\"b\",\"q\\u0022t\":2,\"x\":6,\"b\\u005cf\":8}\n");
  REQUIRE(table.metrics() == std::vector<std::string>{"b\\f", "q\"t", "x"});
  CHECK(column(table, 0) == std::vector<double>{7, 8});
  CHECK(column(table, 1) == std::vector<double>{1, 2});
  CHECK(column(table, 2) == std::vector<double>{5, 6});
}

TEST_CASE("what is wrong is told with line, key and what was expected") {
  const std::string good = "{\"node\":\"a\",\"x\":1}\n";
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":\"fast\"}"),
             Equals("line 2: \"x\" of node \"b\": expected a number, found the text \"fast\""));
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":true}"), Contains("found true"));
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":[1]}"), Contains("found an array"));
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":NaN}"), Contains("line 2: column"));
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":-1e301}"),
             Contains("\"x\" of node \"b\": expected a number of at most 1e+300"));
  CHECK_THAT(problem_of(good + "{\"node\":\"b\",\"x\":1e999}"), Contains("line 2: "));
  CHECK_THAT(problem_of("\n" + good + "{\"x\":1}"), Equals("line 3: the key \"node\" is missing"));
  CHECK_THAT(problem_of("{\"node\":\"\",\"x\":1}"), Contains("expected the name of a node"));
  CHECK_THAT(problem_of("{\"node\":7,\"x\":1}"), Contains("found a number"));
  CHECK_THAT(problem_of("[1]"), Equals("line 1: expected an object, found an array"));
  CHECK_THAT(problem_of("{\"node\":\"b\",\"x\":1,\"x\":2}"), Contains("\"x\" appears twice"));
  CHECK_THAT(problem_of("{\"node\":\"b\",\"x\":null,\"x\":2}"), Contains("\"x\" appears twice"));
  CHECK_THAT(problem_of("{\"node\":\"b\",\"node\":\"c\",\"x\":2}"), Contains("appears twice"));
  CHECK_THAT(problem_of(good + good),
             Equals("line 2: node \"a\" was on line 1 already: expected one row for each node"));
}

TEST_CASE("nothing may come before or after a row on its line") {
  const std::string row = "{\"node\":\"a\",\"x\":1}";
  CHECK_THAT(problem_of(row + row), Contains("line 1"));
  CHECK_THAT(problem_of(row + ","), Contains("line 1"));
  CHECK_THAT(problem_of("," + row), Contains("line 1"));
  CHECK_THAT(problem_of(row + " {}"), Contains("line 1"));
  CHECK_THAT(problem_of("{\"node\":\"a\"\n,\"x\":1}"), Contains("line 1"));
  CHECK_THAT(problem_of("{\"node\":\"a\",\"x\":1"), Contains("cut off"));
  CHECK_THAT(problem_of("{\"node\":\"\xff\",\"x\":1}"), Contains("line 1"));
  CHECK_THAT(problem_of("{\"node\":\"\\udc00\",\"x\":1}"), Contains("line 1"));
  CHECK_THAT(problem_of("{\"node\":\"a\",\"\\udc00\":1}"), Contains("line 1"));
}

TEST_CASE("several readers give one table, whoever reads what") {
  ingest::RowReader one;
  ingest::RowReader other;
  ingest::ReadRows first;
  ingest::ReadRows second;
  first.blocks.push_back(read(one, "{\"node\":\"a\",\"x\":1,\"y\":10}\n", 1));
  second.blocks.push_back(read(other, "{\"node\":\"b\",\"y\":20,\"z\":200}\n", 2));
  first.blocks.push_back(read(one, "{\"node\":\"c\",\"x\":3,\"z\":300}\n", 3));
  first.metrics = one.metrics();
  second.metrics = other.metrics();
  std::vector<ingest::ReadRows> parts;
  parts.push_back(std::move(second));
  parts.push_back(std::move(first));
  const ingest::RowTable table(std::move(parts));
  CHECK(table.metrics() == std::vector<std::string>{"x", "y", "z"});
  CHECK(table.node(1) == "b");
  const auto columns = table.columns(0, 3);
  CHECK(columns[0][0] == 1);
  CHECK(std::isnan(columns[0][1]));
  CHECK(columns[0][2] == 3);
  CHECK(columns[1][0] == 10);
  CHECK(columns[1][1] == 20);
  CHECK(std::isnan(columns[1][2]));
  CHECK(std::isnan(columns[2][0]));
  CHECK(columns[2][2] == 300);
}

TEST_CASE("a line that is too long is refused") {
  const std::string text = "{\"node\":\"" + std::string(ingest::kMaxRowBytes, 'a') + "\"}";
  CHECK_THAT(problem_of(text), Contains("at most 16777216 are read"));
}
