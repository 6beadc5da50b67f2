#include "reports/html/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "reports/html/packing.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/recording_text.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::html {
namespace {

using model::Cell;
using model::Outcome;

// So many cells that did not pass have their reason and causes in words, and what was recorded
// meanwhile; the page would grow with the sickness of the cluster otherwise.
constexpr std::size_t kNotes = 2000;
constexpr std::size_t kRecorded = 60;
// Twelve more may follow: six outcomes, required or not, without their reasons.
constexpr std::size_t kReasons = 240;
constexpr std::uint32_t kNone = UINT32_MAX;

// Numbers its keys in the order in which they come.
template <class Key>
class Index {
 public:
  std::uint32_t operator[](const Key& key) {
    // Mostly it is the one behind the last, or the last again.
    for (const std::size_t guess : {last_ + 1, last_}) {
      if (guess < order_.size() && order_[guess] == key) {
        last_ = guess;
        return static_cast<std::uint32_t>(guess);
      }
    }
    const auto [found, fresh] = of_.try_emplace(key, static_cast<std::uint32_t>(order_.size()));
    if (fresh) order_.push_back(key);
    last_ = found->second;
    return found->second;
  }
  const std::vector<Key>& order() const { return order_; }

 private:
  std::map<Key, std::uint32_t> of_;
  std::vector<Key> order_;
  std::size_t last_ = 0;
};

using Code = std::tuple<Outcome, std::string, bool>;

struct Indices {
  Index<model::Subject> subjects;
  Index<Code> codes;

  // A byte. Reports name some thirty reasons; where one names hundreds, the later ones are not
  // told, but no cell gets the outcome of another.
  std::uint8_t code_of(const Cell& cell) {
    const model::Verdict& verdict = cell.verdict;
    const bool full = codes.order().size() > kReasons;
    return static_cast<std::uint8_t>(
        codes[{verdict.outcome, full ? "" : verdict.reason_id, cell.required}]);
  }
};

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "null";
}

// One number where all are alike, else all of them; nothing where there is none.
void add_column(std::string& out, const char* name, const std::vector<float>& values,
                int digits = 9) {
  const auto known = std::find_if(values.begin(), values.end(), [](float v) { return v == v; });
  if (known == values.end()) return;
  const bool alike = std::all_of(values.begin(), values.end(),
                                 [&](float value) { return value == values.front(); });
  out += fmt::format(",\"{}\":{}", name,
                     alike ? number(static_cast<double>(values.front()), digits) : packed(values));
}

float float_of(const std::optional<double>& value) {
  return value ? static_cast<float>(*value) : std::nanf("");
}

// To six digits: what comes back from a ratio is not alike to the last bit.
float expected_of(const model::Verdict& verdict) {
  if (!verdict.observed || !verdict.ratio || *verdict.ratio <= 0) return std::nanf("");
  const auto value = static_cast<float>(*verdict.observed / *verdict.ratio);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 8U) & ~15U);
}

std::string parameters_of(const Cell& cell) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : cell.parameters) {
    parts.push_back(quoted(name) + ":" + quoted(model::to_text(value)));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

// Of the message, when the quantity is one of a series over sizes.
std::optional<std::int64_t> bytes_of(const Cell& cell) {
  const auto found = cell.parameters.find("bytes");
  const auto* bytes =
      found == cell.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return bytes == nullptr ? std::nullopt : std::optional(*bytes);
}

std::string quantity_json(const Quantity& quantity, Indices& indices) {
  const Cell& first = quantity.first();
  std::vector<std::uint32_t> subjects;
  std::vector<std::uint8_t> codes;
  std::vector<float> values, lows, highs, expected;
  std::string unit;
  bool more = true;
  for (const Cell* cell : quantity.cells) {
    const model::Verdict& verdict = cell->verdict;
    subjects.push_back(indices.subjects[cell->subject]);
    codes.push_back(indices.code_of(*cell));
    values.push_back(float_of(verdict.observed));
    lows.push_back(float_of(verdict.limit_low));
    highs.push_back(float_of(verdict.limit_high));
    expected.push_back(expected_of(verdict));
    if (unit.empty()) unit = model::unit_of(*cell);
    if (!cell->measurements.empty()) {
      more = cell->measurements.back().better == contract::Better::kMore;
    }
  }
  const bool in_row = std::adjacent_find(subjects.begin(), subjects.end(), [](auto a, auto b) {
                        return b != a + 1;
                      }) == subjects.end();
  std::string out = fmt::format(
      "{{\"step\":{},\"metric\":{},\"parameters\":{},\"kind\":\"{}\",\"unit\":{},\"more\":{},"
      "\"baseline\":{},\"subjects\":{},\"codes\":{}",
      quoted(first.step), quoted(first.metric), parameters_of(first),
      contract::word(first.subject.kind), quoted(unit), more, quoted(first.verdict.baseline),
      in_row ? std::to_string(subjects.front()) : packed(subjects), packed(codes));
  if (const auto bytes = bytes_of(first)) out += fmt::format(",\"size\":{}", *bytes);
  add_column(out, "values", values);
  add_column(out, "low", lows);
  add_column(out, "high", highs);
  add_column(out, "expected", expected, 6);
  return out + "}";
}

// Names of hosts and devices, and where each is in the map of the rack.
std::string subjects_json(const model::Report& report, const Indices& indices) {
  std::map<std::string, std::uint32_t> slots;
  for (const model::NodeInventory& node : report.nodes) {
    for (std::size_t i = 0; i < node.devices.size(); ++i) {
      slots[node.host + "/" + node.devices[i].uuid] = static_cast<std::uint32_t>(i);
    }
  }
  Index<std::string> hosts;
  Index<std::string> ends;
  std::vector<std::string> labels;
  std::vector<std::uint32_t> host, slot, from, to;
  for (const model::Subject& subject : indices.subjects.order()) {
    labels.push_back(quoted(model::label(subject), 200));
    const bool grouped = subject.kind == contract::SubjectKind::kGroup;
    host.push_back(grouped ? kNone : hosts[subject.host]);
    const auto name = [](const std::string& where, const std::string& device) {
      return device.empty() ? where : where + "/" + device;
    };
    const auto place = slots.find(name(subject.host, subject.device));
    slot.push_back(place == slots.end() ? kNone : place->second);
    const bool link = subject.kind == contract::SubjectKind::kLink;
    from.push_back(link ? ends[name(subject.host, subject.device)] : kNone);
    to.push_back(link ? ends[name(subject.peer_host, subject.peer_device)] : kNone);
  }
  const auto names = [](const Index<std::string>& index) {
    std::vector<std::string> parts;
    for (const std::string& name : index.order()) parts.push_back(quoted(name, 100));
    return array_of(parts);
  };
  std::string out = fmt::format("\"subjects\":{},\"hosts\":{},\"host\":{},\"slot\":{}",
                                array_of(labels), names(hosts), packed(host), packed(slot));
  if (!ends.order().empty()) {
    out += fmt::format(",\"ends\":{},\"from\":{},\"to\":{}", names(ends), packed(from), packed(to));
  }
  return out;
}

std::vector<const Cell*> noted_in(const model::Report& report) {
  std::vector<const Cell*> failed;
  std::vector<const Cell*> others;
  for (const Cell& cell : report.cells) {
    const Outcome outcome = cell.verdict.outcome;
    if (outcome == Outcome::kFail) failed.push_back(&cell);
    if (outcome == Outcome::kUntested || outcome == Outcome::kUnjudged) others.push_back(&cell);
  }
  std::vector<const Cell*> all = model::worst_first(failed);
  all.insert(all.end(), others.begin(), others.end());
  if (all.size() > kNotes) all.erase(all.begin() + kNotes, all.end());
  return all;
}

// What was recorded while the last measurement of the cell was made.
std::string recorded_json(const Cell& cell,
                          const std::map<std::string, const model::Attempt*>& attempts) {
  if (cell.measurements.empty()) return "[]";
  const auto found = attempts.find(cell.measurements.back().attempt);
  if (found == attempts.end()) return "[]";
  std::vector<std::string> rows;
  for (const model::SeriesSummary& series : found->second->recorded) {
    if (rows.size() == kRecorded) break;
    const std::string text = model::numbers_of(series);
    if (text.empty()) continue;
    rows.push_back(array_of({quoted(series.name), quoted(series.subject), quoted(text)}));
  }
  return array_of(rows);
}

std::string notes_json(const model::Report& report, const Quantities& quantities) {
  std::map<std::string, const model::Attempt*> attempts;
  for (const model::Attempt& attempt : report.attempts) attempts.emplace(attempt.nonce, &attempt);
  std::vector<std::string> notes;
  for (const Cell* cell : noted_in(report)) {
    const Place place = quantities.place_of(*cell);
    const bool failed = cell->verdict.outcome == Outcome::kFail && notes.size() < 200;
    notes.push_back(fmt::format(
        "[{},{},{},{},{},{}]", place.quantity, place.number, quoted(model::reason_of(*cell), 600),
        quoted(model::causes_of(*cell), 1000), quoted(model::numbers_of(*cell)),
        failed ? recorded_json(*cell, attempts) : "[]"));
  }
  return array_of(notes);
}

std::string curves_json(const std::vector<CellCurves>& all, const Quantities& quantities) {
  std::vector<std::string> cells;
  for (const CellCurves& one : all) {
    std::vector<std::string> curves;
    for (const Curve& curve : one.curves) {
      curves.push_back(array_of({quoted(curve.name), quoted(curve.subject), quoted(curve.unit),
                                 packed(curve.seconds), packed(curve.values)}));
    }
    std::vector<std::string> places;
    for (const Cell* cell : one.cells) {
      const Place place = quantities.place_of(*cell);
      places.push_back(fmt::format("[{},{}]", place.quantity, place.number));
    }
    cells.push_back(
        fmt::format("[{},{},{}]", array_of(places), number(one.seconds, 6), array_of(curves)));
  }
  return array_of(cells);
}

}  // namespace

std::string data_of(const model::Report& report, const Quantities& quantities,
                    const std::vector<CellCurves>& curves) {
  Indices indices;
  std::vector<std::string> all;
  for (const Quantity& quantity : quantities.all()) {
    all.push_back(quantity_json(quantity, indices));
  }
  std::vector<std::string> codes;
  for (const auto& [outcome, reason, required] : indices.codes.order()) {
    codes.push_back(
        fmt::format("[\"{}\",{},{}]", contract::word(outcome), quoted(reason), required));
  }
  return fmt::format(
      "{{\"version\":1,\"run\":{},{},\"codes\":{},\"quantities\":{},\"notes\":{},\"curves\":{}}}",
      quoted(report.run.id), subjects_json(report, indices), array_of(codes), array_of(all),
      notes_json(report, quantities), curves_json(curves, quantities));
}

}  // namespace rackproof::html
