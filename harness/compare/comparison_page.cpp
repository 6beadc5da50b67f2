#include "harness/compare/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/compare/comparison_words.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::compare {
namespace {

using html::plain;

// Of each answer so many are drawn.
constexpr std::size_t kDrawn = 150;

// What an answer looks like: the classes of outcomes have the colours.
std::string badge_of(Answer answer) {
  const char* look = "pass";
  const char* sign = "=";
  if (answer == Answer::kWorse) {
    look = "fail";
    sign = "✗";
  } else if (answer == Answer::kBetter) {
    sign = "✓";
  } else if (answer == Answer::kInconclusive) {
    look = "unjudged";
    sign = "?";
  }
  return fmt::format("<span class=\"sign {}\"><span aria-hidden=\"true\">{}</span> {}</span>", look,
                     sign, word_of(answer));
}

// The interval on a line of 200, zero in the middle, the margin as a band. Its numbers stand beside
// it.
std::string interval_of(const Line& line, double margin, double scale) {
  const auto at = [&](double shift) { return 100 + 95 * std::clamp(shift / scale, -1.0, 1.0); };
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 200 16\" width=\"200\" height=\"16\" aria-hidden=\"true\">"
      "<rect class=\"band\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"16\"/>"
      "<path d=\"M100,0V16\"/>",
      at(-margin), at(margin) - at(-margin));
  if (line.low && line.high) {
    out += fmt::format("<path class=\"wide\" d=\"M{:.1f},8H{:.1f}\"/>", at(*line.low),
                       std::max(at(*line.high), at(*line.low) + 0.5));
  }
  return out + fmt::format("<circle cx=\"{:.1f}\" cy=\"8\" r=\"3.5\"/></svg>", at(line.shift));
}

std::string note_of(const Line& line) {
  std::string note;
  if (line.answer == Answer::kInconclusive) {
    if (!line.low) note = "too few values for an answer";
    if (line.low && line.needed > 0) note = fmt::format("would need about {}", line.needed);
  }
  if (line.lost > 0) {
    note += fmt::format("{}{} of A without a number in B", note.empty() ? "" : "; ", line.lost);
  }
  return note;
}

std::string lines_of(const Comparison& result, Answer answer, const Options& options,
                     double scale) {
  html::Table table(
      fmt::format("Quantities that are {}", word_of(answer)),
      {"quantity", "answer", "shift", "interval#", "", "A#", "B#", "of", "effect#", ""});
  std::size_t count = 0;
  for (const Line& line : result.lines) {
    if (line.answer != answer || ++count > kDrawn) continue;
    table.row({plain(name_of(line.key)), badge_of(line.answer), percent(line.shift),
               line.low && line.high
                   ? fmt::format("{} to {}", percent(*line.low), percent(*line.high))
                   : "",
               interval_of(line, options.margin, scale),
               plain(model::quantity(line.typical_a, line.key.unit)),
               plain(model::quantity(line.typical_b, line.key.unit)), counts_of(line),
               fmt::format("{:+.2f}", line.effect), note_of(line)});
  }
  if (count == 0) return "";
  return html::section(word_of(answer), fmt::format("{} ({})", word_of(answer), count),
                       table.take(count - std::min(count, kDrawn)));
}

/// "rack7/report.json", and of many "rack7/report.json and 4 more".
std::string side_of(const std::vector<Sample>& side) {
  if (side.empty()) return "nothing";
  return plain(side.front().name, 120) +
         (side.size() > 1 ? fmt::format(" and {} more", side.size() - 1) : "");
}

std::string sides_of(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  html::Table table("The reports", {"side", "file", "run", "began", "suite", "verdict"});
  constexpr std::size_t kShown = 40;
  std::size_t left_out = 0;
  for (const auto& [name, side] : {std::pair("A", &a), std::pair("B", &b)}) {
    for (std::size_t i = 0; i < side->size(); ++i) {
      const Sample& sample = (*side)[i];
      if (i >= kShown) {
        ++left_out;
        continue;
      }
      table.row({name, plain(sample.name), plain(sample.run), plain(sample.began_utc),
                 plain(sample.suite), std::string(contract::word(sample.acceptance))});
    }
  }
  return html::section("reports", "Reports", table.take(left_out));
}

std::string one_sided(const Comparison& result) {
  html::Table table("Quantities that only one side has", {"quantity", "side"});
  std::size_t count = 0;
  for (const auto& [name, keys] :
       {std::pair("A", &result.only_a), std::pair("B", &result.only_b)}) {
    for (const Key& key : *keys) {
      if (++count <= kDrawn) table.row({plain(name_of(key)), name});
    }
  }
  return count == 0
             ? ""
             : html::section("only", "Only in one", table.take(count - std::min(count, kDrawn)));
}

std::string associations_of(const Comparison& result) {
  if (result.associations.empty()) return "";
  html::Table table("Facts that go with the differences; they need not be their cause",
                    {"fact", "explains#", "A", "B"});
  for (const Association& one : result.associations) {
    table.row({plain(one.fact), fmt::format("{:.0f} %", one.explained * 100), plain(one.a),
               plain(one.b)});
  }
  return html::section("facts", "What goes with it", table.take());
}

}  // namespace

std::string comparison_page(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options) {
  const auto counts = counted_answers(result);
  double scale = 2 * options.margin;
  for (const Line& line : result.lines) {
    // One that is far out must not press all others together.
    const double far = std::max(std::fabs(line.low.value_or(line.shift)),
                                std::fabs(line.high.value_or(line.shift)));
    scale = std::max(scale, std::min(far, 10 * options.margin));
  }
  // What nobody can tell is not well.
  const bool unknown = result.lines.empty() || counts[2] > 0;
  const char* look = counts[0] > 0 ? "fail" : unknown ? "untested" : "pass";
  std::string body = fmt::format(
      "<main>\n<header class=\"verdict {}\"><p class=\"kind\">rackproof comparison</p>\n<h1>{} "
      "worse, "
      "{} better, {} inconclusive</h1>\n<p>B ({}) against A ({}); {} equivalent within {:g} %. "
      "Intervals hold "
      "together with {:g} % confidence: it is shared out among the {} compared.</p></header>\n",
      look, counts[0], counts[1], counts[2], side_of(b), side_of(a), counts[3],
      options.margin * 100, options.confidence * 100, result.lines.size());
  if (!result.platforms.empty()) body += "<p><b>" + plain(result.platforms) + "</b></p>\n";
  for (const std::string& note : result.notes) body += "<p>" + plain(note) + "</p>\n";
  body += lines_of(result, Answer::kWorse, options, scale) +
          lines_of(result, Answer::kBetter, options, scale) + associations_of(result) +
          one_sided(result) + lines_of(result, Answer::kInconclusive, options, scale) +
          lines_of(result, Answer::kEquivalent, options, scale) + sides_of(a, b);
  return html::document_of("rackproof: comparison", body + "</main>\n");
}

}  // namespace rackproof::compare
