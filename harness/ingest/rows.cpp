#include "harness/ingest/rows.hpp"

#include <fmt/format.h>

#include <simdjson.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "reports/json/strict_json.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::ingest {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(kRowPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view kBlanks = " \t\r";

/// The end of `name` as a key in JSON, or nothing when it would have to be escaped.
std::string raw_key(std::string_view name) {
  return name.find_first_of("\\\"") == std::string_view::npos ? std::string(name) + '"' : "";
}

/// True when the key that begins at `raw` is the one of this raw_key().
bool is_key(std::string_view key, const char* raw, std::size_t left) {
  return !key.empty() && left >= key.size() && std::memcmp(raw, key.data(), key.size()) == 0;
}

std::string shown(std::string_view text) { return '"' + model::printable(text, 60) + '"'; }

std::string kind_of(const nlohmann::json& value) {
  if (value.is_string()) return "the text " + shown(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return "a number";
  if (value.is_null()) return "null";
  return value.is_object() ? "an object" : "an array";
}

}  // namespace

class RowReader::Impl {
 public:
  RowBlock read(std::string_view text, std::size_t line);
  const std::vector<std::string>& metrics() const { return metrics_; }

 private:
  void read_line(std::string_view line, std::size_t number, RowBlock& block);
  /// False, with nothing added, for anything but a plain row.
  bool read_fast(std::string_view line, RowBlock& block, Row& row);
  void read_carefully(std::string_view line, RowBlock& block, Row& row);
  std::size_t column_of(std::string_view metric);
  bool put(RowBlock& block, const Row& row, std::size_t column, double value);

  ondemand::parser parser_;
  std::vector<std::string> metrics_;
  std::vector<std::string> raw_keys_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::string key_;
};

RowBlock RowReader::Impl::read(std::string_view text, std::size_t line) {
  RowBlock block;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    if (one.find_first_not_of(kBlanks) != std::string_view::npos) read_line(one, line, block);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
  }
  return block;
}

void RowReader::Impl::read_line(std::string_view line, std::size_t number, RowBlock& block) {
  if (line.size() > kMaxRowBytes) {
    throw BadRow(number,
                 fmt::format("is of {} bytes, at most {} are read", line.size(), kMaxRowBytes));
  }
  Row row;
  row.line = number;
  row.begin = block.values.size();
  if (!read_fast(line, block, row)) {
    block.values.resize(row.begin);
    read_carefully(line, block, row);
  }
  row.width = block.values.size() - row.begin;
  block.rows.push_back(std::move(row));
}

std::size_t RowReader::Impl::column_of(std::string_view metric) {
  key_.assign(metric);
  const auto [place, fresh] = columns_.try_emplace(key_, metrics_.size());
  if (fresh) {
    metrics_.push_back(key_);
    raw_keys_.push_back(raw_key(key_));
  }
  return place->second;
}

bool RowReader::Impl::put(RowBlock& block, const Row& row, std::size_t column, double value) {
  const std::size_t place = row.begin + column;
  if (place >= block.values.size()) block.values.resize(place + 1, kMissing);
  double& slot = block.values[place];
  if (!std::isnan(slot)) return false;
  slot = value;
  return std::abs(value) <= kLargestValue;
}

/// Whatever is out of the ordinary ends in `false`: the careful reader knows what to say of it, or
/// that nothing is wrong.
bool RowReader::Impl::read_fast(std::string_view line, RowBlock& block, Row& row) {
  block.values.resize(row.begin + metrics_.size(), kMissing);
  ondemand::document document;
  ondemand::object object;
  if (parser_.iterate(line.data(), line.size(), line.size() + kRowPadding).get(document) ||
      document.get_object().get(object)) {
    return false;
  }
  // Rows tend to have their metrics in one order: the next one is a good guess.
  std::size_t guess = 0;
  for (auto each : object) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    const char* raw = field.key().raw();
    const auto left = static_cast<std::size_t>(line.data() + line.size() - raw);
    if (is_key("node\"", raw, left)) {
      std::string_view node;
      if (!row.node.empty() || field.value().get_string().get(node)) return false;
      row.node.assign(node);
      continue;
    }
    std::size_t column = guess;
    if (guess >= metrics_.size() || !is_key(raw_keys_[guess], raw, left)) {
      std::string_view key;
      if (field.unescaped_key().get(key)) return false;
      // An escape can say half a surrogate pair.
      if (key == "node" || !model::is_well_formed(key)) return false;
      column = column_of(key);
    }
    guess = column + 1;
    double value = 0;
    if (field.value().get_double().get(value) || !put(block, row, column, value)) return false;
  }
  // Nothing may come after the object.
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS && !row.node.empty() &&
         model::is_well_formed(row.node);
}

void RowReader::Impl::read_carefully(std::string_view line, RowBlock& block, Row& row) {
  nlohmann::json document;
  try {
    document = model::parse_strict(line);
  } catch (const model::BadJson& error) {
    throw BadRow(row.line, error.reason);
  }
  if (!document.is_object()) {
    throw BadRow(row.line, "expected an object, found " + kind_of(document));
  }
  const auto node = document.find("node");
  if (node == document.end()) throw BadRow(row.line, "the key \"node\" is missing");
  if (!node->is_string() || node->get_ref<const std::string&>().empty()) {
    throw BadRow(row.line, "/node: expected the name of a node, found " + kind_of(*node));
  }
  row.node = node->get<std::string>();
  block.values.resize(row.begin + metrics_.size(), kMissing);
  for (const auto& [key, value] : document.items()) {
    if (key == "node") continue;
    if (!value.is_number() && !value.is_null()) {
      throw BadRow(row.line, fmt::format("{} of node {}: expected a number, found {}", shown(key),
                                         shown(row.node), kind_of(value)));
    }
    const std::size_t column = column_of(key);
    if (value.is_null() || put(block, row, column, value.get<double>())) continue;
    throw BadRow(row.line,
                 fmt::format("{} of node {}: expected a number of at most {:g}, found {:g}",
                             shown(key), shown(row.node), kLargestValue, value.get<double>()));
  }
}

RowReader::RowReader() : impl_(std::make_unique<Impl>()) {}
RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

RowBlock RowReader::read(std::string_view text, std::size_t first_line) {
  return impl_->read(text, first_line);
}

const std::vector<std::string>& RowReader::metrics() const { return impl_->metrics(); }

}  // namespace rackproof::ingest
