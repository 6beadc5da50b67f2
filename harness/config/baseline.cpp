#include "harness/config/baseline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "contract/unit.hpp"
#include "harness/document/nearest.hpp"
#include "reports/model/words.hpp"

namespace rackproof::config {
namespace {

constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr double kMaxToleranceAbove = 100;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 50;
// Two would be met by any latency and bandwidth.
constexpr std::size_t kLeastSizes = 3;
constexpr std::int64_t kMostSamples = std::int64_t{1} << 40;

bool is_number_between(std::string_view digits, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() && value >= low &&
         value <= high;
}

// YYYY-MM or YYYY-MM-DD.
bool is_date(std::string_view text) {
  if (text.size() != 7 && text.size() != 10) return false;
  if (text[4] != '-' || (text.size() == 10 && text[7] != '-')) return false;
  return is_number_between(text.substr(0, 4), 1970, 2999) &&
         is_number_between(text.substr(5, 2), 1, 12) &&
         (text.size() == 7 || is_number_between(text.substr(8), 1, 31));
}

double read_tolerance(const document::Field& field, double limit, const char* expected) {
  const double value = field.number();
  if (value < 0) field.fail("a tolerance must not be negative");
  if (value >= limit) {
    field.fail("a tolerance of " + document::number_text(value) +
               " would accept anything; expected " + expected);
  }
  return value;
}

void read_tolerances(const document::Object& object, model::Baseline& baseline) {
  const auto better = object.find("better");
  const bool less = better && better->choice<contract::Better>() == contract::Better::kLess;
  if (const auto below = object.find("tolerance_below")) {
    baseline.tolerance_below = read_tolerance(*below, 1, "a fraction of expected, below 1");
  }
  if (const auto above = object.find("tolerance_above")) {
    baseline.tolerance_above =
        read_tolerance(*above, kMaxToleranceAbove, "a fraction of expected, below 100");
  }
  if (less && !baseline.tolerance_above) {
    object.field().fail("the field 'tolerance_above' is missing; less is better here");
  }
  if (!less && !baseline.tolerance_below) {
    object.field().fail(
        "the field 'tolerance_below' is missing (or say \"better\": \"less\" and give "
        "'tolerance_above')");
  }
}

void refuse_of_kind(const document::Object& object, std::initializer_list<std::string_view> names,
                    const std::string& kind) {
  for (const std::string_view name : names) {
    if (const auto field = object.find(name)) {
      field->fail("has no meaning for a baseline that judges by " + kind);
    }
  }
}

void read_absolute(const document::Object& object, model::Baseline& baseline) {
  baseline.kind = model::BaselineKind::kAbsolute;
  refuse_of_kind(object, {"of"}, "an absolute value");
  const document::Field expected = object.require("expected");
  const document::Quantity quantity = document::read_quantity(expected);
  if (!(quantity.value > 0)) expected.fail("expected a value above zero");
  baseline.expected = quantity.value;
  baseline.unit = quantity.unit;
}

double read_share(const document::Object& object) {
  const document::Field expected = object.require("expected");
  const double share = expected.number();
  if (!(share > 0 && share <= 1)) {
    expected.fail("expected a fraction above 0 and at most 1, got " + document::number_text(share));
  }
  return share;
}

void read_fraction(const document::Object& object, model::Baseline& baseline) {
  baseline.kind = model::BaselineKind::kFraction;
  baseline.expected = read_share(object);
  baseline.unit = "ratio";
  baseline.of = object.require("of").name();
}

void read_bound(const document::Object& object, model::Baseline& baseline) {
  baseline.kind = model::BaselineKind::kBound;
  baseline.expected = read_share(object);
  baseline.unit = "ratio";
  const document::Field of = object.require("of");
  baseline.of = of.text();
  std::vector<std::string_view> words;
  for (const auto& entry : model::words_of(model::BoundOf{})) words.push_back(entry.text);
  if (std::find(words.begin(), words.end(), baseline.of) == words.end()) {
    of.fail("there is no bound '" + baseline.of + "'" + document::suggestion(baseline.of, words));
  }
}

model::CurvePoint read_point(const document::Field& field, double factor) {
  const document::Object object(field, {"bytes", "ranks", "nodes", "value"});
  model::CurvePoint point;
  point.bytes = object.require("bytes").integer(1, kMaxBytes);
  point.ranks = object.require("ranks").integer(2, kMaxNodes);
  point.nodes = object.require("nodes").integer(1, point.ranks);
  const document::Field value = object.require("value");
  point.value = value.number() * factor;
  if (!(point.value > 0) || !std::isfinite(point.value)) {
    value.fail("expected a finite value above zero");
  }
  return point;
}

void read_curve(const document::Object& object, model::Baseline& baseline) {
  baseline.kind = model::BaselineKind::kCurve;
  refuse_of_kind(object, {"expected", "of", "nodes"}, "a curve");
  const auto unit = contract::find_unit(object.require("unit").unit());
  baseline.unit = std::string(unit->base);
  const document::Field metric = object.require("metric");
  if (!baseline.metric.ends_with(".busbw") ||
      baseline.metric.find_first_of("*?") != std::string::npos) {
    metric.fail("a curve is for the busbw of one collective, such as all_reduce.busbw");
  }
  if (const auto smaller = object.find("smaller")) {
    baseline.smaller_by_correctness =
        smaller->choice<bool>({{"unjudged", false}, {"correctness", true}});
  }
  const document::Field points = object.require("points");
  std::set<std::int64_t> sizes;
  for (const document::Field& item : points.items()) {
    baseline.points.push_back(read_point(item, unit->factor));
    sizes.insert(baseline.points.back().bytes);
    const auto same = [&](const model::CurvePoint& other) {
      const model::CurvePoint& last = baseline.points.back();
      return other.bytes == last.bytes && other.ranks == last.ranks && other.nodes == last.nodes;
    };
    if (std::count_if(baseline.points.begin(), baseline.points.end(), same) > 1) {
      item.fail("a second figure for the same bytes, ranks and nodes");
    }
  }
  if (sizes.size() < kLeastSizes) {
    points.fail("expected figures for at least " + std::to_string(kLeastSizes) +
                " different sizes, got " + std::to_string(sizes.size()));
  }
}

void read_kind(const document::Object& object, model::Baseline& baseline) {
  enum class Judge { kAbsolute, kFraction, kCorrectness, kCurve, kBound };
  switch (object.require("judge").choice<Judge>({{"absolute", Judge::kAbsolute},
                                                 {"fraction", Judge::kFraction},
                                                 {"correctness", Judge::kCorrectness},
                                                 {"curve", Judge::kCurve},
                                                 {"bound", Judge::kBound}})) {
    case Judge::kAbsolute:
      refuse_of_kind(object, {"points", "unit", "smaller"}, "an absolute value");
      read_absolute(object, baseline);
      break;
    case Judge::kFraction:
      refuse_of_kind(object, {"points", "unit", "smaller"}, "a fraction");
      read_fraction(object, baseline);
      break;
    case Judge::kCurve:
      read_curve(object, baseline);
      break;
    case Judge::kBound:
      refuse_of_kind(object, {"points", "unit", "smaller"}, "a bound");
      read_bound(object, baseline);
      break;
    case Judge::kCorrectness:
      baseline.kind = model::BaselineKind::kCorrectness;
      refuse_of_kind(object,
                     {"expected", "of", "unit", "points", "smaller", "tolerance_below",
                      "tolerance_above", "better", "statistic"},
                     "correctness");
      if (const auto source = object.find("source")) baseline.source = read_source(*source);
      return;
  }
  read_tolerances(object, baseline);
  baseline.source = read_source(object.require("source"));
}

void read_nodes(const document::Field& field, model::Baseline& baseline) {
  const document::Object object(field, {"min", "max"});
  if (const auto low = object.find("min")) baseline.nodes_min = low->integer(1, kMaxNodes);
  if (const auto high = object.find("max")) {
    baseline.nodes_max = high->integer(baseline.nodes_min.value_or(1), kMaxNodes);
  }
  if (!baseline.nodes_min && !baseline.nodes_max) field.fail("expected 'min', 'max' or both");
}

// Hosts in the group that the baseline is about; a curve is about those of its points.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> nodes_of(
    const model::Baseline& baseline) {
  if (baseline.points.empty()) return {baseline.nodes_min, baseline.nodes_max};
  const auto [least, most] =
      std::minmax_element(baseline.points.begin(), baseline.points.end(),
                          [](const auto& a, const auto& b) { return a.nodes < b.nodes; });
  return {least->nodes, most->nodes};
}

std::string default_id(const model::Baseline& baseline) {
  std::string id = baseline.metric;
  if (!baseline.parameters.empty()) id += "[" + model::to_text(baseline.parameters) + "]";
  if (const auto [least, most] = nodes_of(baseline); least || most) {
    id += "@" + std::to_string(least.value_or(1)) + "-";
    if (most) id += std::to_string(*most);
  }
  if (!baseline.backend.empty()) id += "/" + baseline.backend;
  if (!baseline.when.empty()) id += " when " + model::to_text(baseline.when);
  return id;
}

}  // namespace

model::Source read_source(const document::Field& field) {
  const document::Object object(
      field, {"title", "kind", "date", "software", "note", "n", "size", "scale"});
  model::Source source;
  source.title = object.require("title").text();
  const document::Field kind = object.require("kind");
  source.kind = kind.text();
  const std::vector<std::string_view> kinds = {
      "datasheet",           "vendor-measured", "third-party-measured",
      "published-threshold", "measured-here",   "derived"};
  if (std::find(kinds.begin(), kinds.end(), source.kind) == kinds.end()) {
    kind.fail("unknown word '" + source.kind + "'" + document::suggestion(source.kind, kinds));
  }
  const document::Field date = object.require("date");
  source.date = date.text();
  if (!is_date(source.date)) {
    date.fail("expected a date YYYY-MM-DD or YYYY-MM, got '" + source.date + "'");
  }
  if (const auto software = object.find("software")) source.software = software->text();
  if (const auto note = object.find("note")) source.note = note->text();
  if (const auto n = object.find("n")) source.n = n->integer(1, kMostSamples);
  if (const auto size = object.find("size")) source.size = size->text();
  if (const auto scale = object.find("scale")) source.scale = scale->text();
  if (source.kind == "derived" && source.note.empty()) {
    field.fail("the field 'note' is missing; a derived figure says from what and why");
  }
  return source;
}

contract::Parameters read_match_parameters(const document::Field& field) {
  contract::Parameters parameters;
  for (const auto& [name, value] : field.members()) {
    if (!document::is_name(name)) {
      value.fail("expected a parameter name of 1 to 64 letters, digits, '.', '_' or '-'");
    }
    parameters[name] = value.is_text() ? contract::Scalar(value.pattern()) : value.scalar();
  }
  return parameters;
}

model::Baseline read_baseline(const document::Field& field) {
  const document::Object object(
      field, {"id", "metric", "parameters", "judge", "expected", "of", "better", "tolerance_below",
              "tolerance_above", "statistic", "required", "nodes", "demand", "when", "backend",
              "unit", "points", "smaller", "source"});
  model::Baseline baseline;
  baseline.metric = object.require("metric").pattern();
  if (const auto parameters = object.find("parameters")) {
    baseline.parameters = read_match_parameters(*parameters);
  }
  read_kind(object, baseline);
  if (const auto statistic = object.find("statistic")) {
    baseline.statistic = statistic->choice<contract::Statistic>();
  }
  if (const auto nodes = object.find("nodes")) read_nodes(*nodes, baseline);
  if (const auto demand = object.find("demand")) baseline.demand = read_match_parameters(*demand);
  if (const auto when = object.find("when")) {
    baseline.when = read_match_parameters(*when);
    if (baseline.when.empty()) when->fail("expected at least one condition");
  }
  if (const auto backend = object.find("backend")) baseline.backend = backend->pattern();
  const auto id = object.find("id");
  baseline.id = id ? id->name() : default_id(baseline);
  return baseline;
}

bool same_cells(const model::Baseline& a, const model::Baseline& b) {
  return a.metric == b.metric && a.parameters == b.parameters && a.backend == b.backend &&
         a.when == b.when && nodes_of(a) == nodes_of(b);
}

}  // namespace rackproof::config
