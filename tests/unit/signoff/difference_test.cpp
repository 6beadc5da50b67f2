#include "harness/signoff/difference.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

using rackproof::signoff::first_difference;

namespace {

const std::string kText = R"({
 "cells": [
  {
   "id": "a",
   "samples": [
    1.5,
    2.5
   ]
  },
  {
   "id": "b: c",
   "samples": []
  }
 ],
 "counts": {
  "fail": 1
 }
}
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kText;
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("the same report has no difference") { CHECK(first_difference(kText, kText).empty()); }

TEST_CASE("the first difference is told by line, field and both values") {
  CHECK(first_difference(replaced("2.5", "2.6"), kText) ==
        "line 7, /cells/0/samples/1: has 2.6, expected 2.5");
  CHECK(first_difference(replaced("b: c", "b: d"), kText) ==
        "line 11, /cells/1/id: has \"id\": \"b: d\",, expected \"id\": \"b: c\",");
  CHECK(first_difference(replaced("\"fail\": 1", "\"fail\": 0"), kText)
            .find("line 16, /counts/fail: ") == 0);
}

TEST_CASE("missing and added lines and bytes are differences") {
  CHECK(first_difference(replaced("    1.5,\n", ""), kText).find("line 6, /cells/0/samples/0: ") ==
        0);
  CHECK(first_difference(kText.substr(0, kText.size() - 1), kText).find("line 18") == 0);
  CHECK(first_difference(kText + "\n", kText).find("line 19") == 0);
  CHECK(first_difference(kText + "x", kText).find("line 19") == 0);
  CHECK(first_difference("", kText).find("line 1, the document") == 0);
  CHECK(first_difference(kText, "").find("line 1") == 0);
}

TEST_CASE("any changed byte of a report is found on its line") {
  std::ifstream file(RACKPROOF_SOURCE_DIR "/tests/golden/report/sample.report.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(text.size() > 10000);
  int line = 1;
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    // Every byte of the beginning, then one in some: each look reads all lines before it.
    if (at < 4000 || at % 61 == 0) {
      std::string changed = text;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 1U);
      const std::string found = first_difference(changed, text);
      wrong += found.starts_with("line " + std::to_string(line) + ",") ? 0U : 1U;
    }
    if (text[at] == '\n') ++line;
  }
  CHECK(wrong == 0);
}
