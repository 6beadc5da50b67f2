#include "harness/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/compare/comparison_words.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::compare {
namespace {

constexpr std::size_t kLinesShown = 20;

std::string line_text(const Line& line) {
  std::string text =
      fmt::format("  {:<13} {}", word_of(line.answer), model::printable(name_of(line.key)));
  text += fmt::format("\n                {}", percent(line.shift));
  if (line.low && line.high) {
    text += fmt::format(" [{}, {}]", percent(*line.low), percent(*line.high));
  }
  text +=
      fmt::format(", {} -> {}, {}, effect {:+.2f}", model::quantity(line.typical_a, line.key.unit),
                  model::quantity(line.typical_b, line.key.unit), counts_of(line), line.effect);
  if (line.answer == Answer::kInconclusive) {
    text += !line.low         ? "; too few values for an answer"
            : line.needed > 0 ? fmt::format("; would need about {}", line.needed)
                              : "";
  }
  return text + "\n";
}

std::string side_text(const char* name, const std::vector<Sample>& side) {
  std::string text = fmt::format("{}: ", name);
  if (side.size() > 3) {
    text += fmt::format("{} runs, {} to {}\n", side.size(), side.front().name, side.back().name);
    return text;
  }
  for (std::size_t i = 0; i < side.size(); ++i) {
    const Sample& sample = side[i];
    text += fmt::format("{}{} (run {}{}, suite {}, {})", i == 0 ? "" : "; ", sample.name,
                        sample.run, sample.began_utc.empty() ? "" : ", " + sample.began_utc,
                        sample.suite, contract::word(sample.acceptance));
  }
  return model::printable(text) + "\n";
}

std::string answer_section(const Comparison& result, Answer answer, const char* title) {
  std::string text;
  std::size_t count = 0;
  for (const Line& line : result.lines) {
    if (line.answer != answer) continue;
    if (++count <= kLinesShown) text += line_text(line);
  }
  if (count == 0) return "";
  if (count > kLinesShown) text += fmt::format("  and {} more\n", count - kLinesShown);
  return fmt::format("\n{} ({})\n{}", title, count, text);
}

std::string lost_text(const Comparison& result) {
  std::string text;
  std::size_t count = 0;
  for (const Line& line : result.lines) {
    if (line.lost == 0 || ++count > kLinesShown) continue;
    text += fmt::format("  {}: {} of A without a number in B\n",
                        model::printable(name_of(line.key)), line.lost);
  }
  if (count == 0) return "";
  if (count > kLinesShown) text += fmt::format("  and {} more\n", count - kLinesShown);
  return fmt::format("\nLOST ({})\n{}", count, text);
}

std::string associations_text(const Comparison& result) {
  if (result.associations.empty()) return "";
  std::string text = "\nWHAT GOES WITH IT (association: it need not be the cause)\n";
  for (const Association& one : result.associations) {
    text += model::printable(fmt::format("  {:3.0f} %  {}: A {}; B {}", one.explained * 100,
                                         one.fact, one.a, one.b)) +
            "\n";
  }
  const auto& all = result.associations;
  const auto equal = std::count_if(all.begin(), all.end(), [&](const auto& one) {
    return all.front().explained - one.explained < 0.005;
  });
  if (equal > 1) {
    text += fmt::format(
        "  the first {} explain as much as each other: these reports cannot tell "
        "them apart\n",
        equal);
  }
  return text;
}

std::string keys_text(const std::vector<Key>& keys, const char* side) {
  if (keys.empty()) return "";
  std::string text = fmt::format("only in {}: {}", side, model::counted(keys.size(), "quantity"));
  if (keys.size() != 1) text.replace(text.size() - 2, 2, "ies");
  for (std::size_t i = 0; i < std::min<std::size_t>(keys.size(), 5); ++i) {
    text += (i == 0 ? ": " : "; ") + name_of(keys[i]);
  }
  return model::printable(text + (keys.size() > 5 ? "; ..." : "")) + "\n";
}

nlohmann::json key_json(const Key& key) {
  return {{"step", key.step},
          {"metric", key.metric},
          {"parameters", key.parameters},
          {"unit", key.unit},
          {"subject_kind", contract::word(key.kind)}};
}

nlohmann::json line_json(const Line& line) {
  nlohmann::json out = key_json(line.key);
  out["answer"] = word_of(line.answer);
  out["values_are"] = word_of(line.unit);
  out["better"] = contract::word(line.better);
  out["count_a"] = line.count_a;
  out["count_b"] = line.count_b;
  out["median_a"] = line.typical_a;
  out["median_b"] = line.typical_b;
  out["shift"] = line.shift;
  out["effect"] = line.effect;
  if (line.low) out["shift_low"] = *line.low;
  if (line.high) out["shift_high"] = *line.high;
  if (line.lost > 0) out["lost"] = line.lost;
  if (line.needed > 0) out["needed"] = line.needed;
  return out;
}

nlohmann::json side_json(const std::vector<Sample>& side) {
  nlohmann::json out = nlohmann::json::array();
  for (const Sample& sample : side) {
    out.push_back({{"file", sample.name},
                   {"run", sample.run},
                   {"began_utc", sample.began_utc},
                   {"suite", sample.suite},
                   {"acceptance", contract::word(sample.acceptance)},
                   {"cells_without_number", sample.without_number},
                   {"cells_measured_before", sample.measured_before}});
  }
  return out;
}

}  // namespace

std::string comparison_text(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options) {
  const auto counts = counted_answers(result);
  std::string text = result.platforms.empty() ? "" : model::printable(result.platforms) + "\n";
  text += fmt::format(
      "B against A: {} worse, {} better, {} inconclusive, {} equivalent within {:g} %\n", counts[0],
      counts[1], counts[2], counts[3], options.margin * 100);
  text += side_text("A", a) + side_text("B", b);
  for (const std::string& note : result.notes) text += model::printable(note) + "\n";
  text += keys_text(result.only_a, "A") + keys_text(result.only_b, "B");
  if (result.subjects_only_a + result.subjects_only_b > 0) {
    text += fmt::format("devices, nodes and groups only in A: {}, only in B: {}\n",
                        result.subjects_only_a, result.subjects_only_b);
  }
  if (result.lines.empty()) return text + "nothing can be compared: no quantity is in both\n";
  text += answer_section(result, Answer::kWorse, "WORSE") +
          answer_section(result, Answer::kBetter, "BETTER");
  text += associations_text(result) + lost_text(result);
  text += answer_section(result, Answer::kInconclusive, "INCONCLUSIVE");
  text += answer_section(result, Answer::kEquivalent, "EQUIVALENT");
  return text + fmt::format(
                    "\nIntervals hold together with {:g} % confidence: it is shared out among the "
                    "{} compared.\n",
                    options.confidence * 100, result.lines.size());
}

std::string comparison_json(const Comparison& result, const std::vector<Sample>& a,
                            const std::vector<Sample>& b, const Options& options) {
  nlohmann::json out = {{"schema", "rackproof/compare/1"},
                        {"a", side_json(a)},
                        {"b", side_json(b)},
                        {"margin", options.margin},
                        {"confidence", options.confidence},
                        {"notes", result.notes},
                        {"platforms", result.platforms},
                        {"subjects_only_a", result.subjects_only_a},
                        {"subjects_only_b", result.subjects_only_b}};
  for (const char* list : {"lines", "only_a", "only_b", "associations"}) {
    out[list] = nlohmann::json::array();
  }
  for (const Line& line : result.lines) out["lines"].push_back(line_json(line));
  for (const Key& key : result.only_a) out["only_a"].push_back(key_json(key));
  for (const Key& key : result.only_b) out["only_b"].push_back(key_json(key));
  for (const Association& one : result.associations) {
    out["associations"].push_back(
        {{"fact", one.fact}, {"a", one.a}, {"b", one.b}, {"explained", one.explained}});
  }
  return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::compare
