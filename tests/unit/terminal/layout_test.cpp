#include "reports/terminal/layout.hpp"

#include <catch2/catch.hpp>

namespace rackproof::terminal {

TEST_CASE("paragraphs are wrapped with a hanging indent") {
  Page page({.width = 40});
  page.paragraph(2, "one two three four five six seven eight nine ten");
  CHECK(page.take() ==
        "  one two three four five six seven\n"
        "    eight nine ten\n");
}

TEST_CASE("a word that is longer than a line stays whole") {
  Page page({.width = 40});
  page.paragraph(0, "see " + std::string(60, 'x') + " there");
  CHECK(page.take() == "see\n  " + std::string(60, 'x') + "\n  there\n");
}

TEST_CASE("characters are counted, not bytes, and paint takes no room") {
  Page page({.color = true, .width = 40});
  std::string text;
  for (int i = 0; i < 32; ++i) text += "\xC3\xA9";
  page.paragraph(0, Paint::kBad, "REJECT", text);
  CHECK(page.take() == "\x1B[1;31mREJECT\x1B[0m " + text + "\n");
}

TEST_CASE("columns are aligned and end without spaces") {
  Page page({.width = 40});
  page.table(1, {{"name", "n", "note"}, {"\xC3\xA9", "10", ""}, {"abcdef", "5", "x"}}, 1);
  CHECK(page.take() ==
        " name     n  note\n"
        " \xC3\xA9       10\n"
        " abcdef   5     x\n");
}

TEST_CASE("a table that is too wide stands on two lines a row, its numbers still aligned") {
  Page page({.width = 40});
  page.table(0,
             {{"step", "metric", "cells", "worst"},
              {"stream", "stream.triad threads=16", "1", "41.87 GB/s"},
              {"gemm", "gemm.rate", "", ""},
              {"gemm", "gemm.rate", "12", "1 FLOP/s"}},
             2);
  CHECK(page.take() ==
        "step  metric\n"
        "    cells       worst\n"
        "stream  stream.triad threads=16\n"
        "        1  41.87 GB/s\n"
        "gemm  gemm.rate\n"
        "gemm  gemm.rate\n"
        "       12    1 FLOP/s\n");
}

TEST_CASE("limits are told by their side") {
  model::Cell cell;
  CHECK(limit_of(cell).empty());
  cell.measurements.emplace_back().unit = "B/s";
  cell.verdict.limit_low = 1e9;
  CHECK(limit_of(cell) == ">= 1 GB/s");
  cell.verdict.limit_high = 2e9;
  CHECK(limit_of(cell) == "1 GB/s to 2 GB/s");
  cell.verdict.limit_low.reset();
  CHECK(limit_of(cell) == "<= 2 GB/s");
}

TEST_CASE("counts have their plural") {
  CHECK(counted(0, "cell") == "0 cells");
  CHECK(counted(1, "cell") == "1 cell");
  CHECK(counted(2, "cell") == "2 cells");
}

}  // namespace rackproof::terminal
