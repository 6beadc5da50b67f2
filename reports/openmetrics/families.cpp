#include "reports/openmetrics/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "contract/unit.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::openmetrics {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : model::printable(text)) {
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    out += c;
  }
  return out;
}

// Labels in order, a name that came before with a number behind it.
std::string text_of(const Labels& labels) {
  std::set<std::string> names;
  std::string text;
  for (const auto& [name, value] : labels) {
    std::string own = name_of(name);
    for (int i = 2; !names.insert(own).second; ++i) own = fmt::format("{}_{}", name_of(name), i);
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", own, escaped(value, true));
  }
  return text;
}

}  // namespace

std::string name_of(std::string_view text) {
  std::string out;
  for (const char c : text) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || is_digit(out[0])) out.insert(0, "_");
  // Names that begin with two underscores belong to Prometheus itself.
  while (out.starts_with("__")) out.erase(0, 1);
  return out;
}

std::string unit_name(std::string_view unit) {
  if (const auto known = contract::find_base_unit(unit)) return std::string(known->words);
  return unit.empty() ? "" : name_of(unit);
}

void Families::add(const std::string& name, std::string_view unit, const std::string& help,
                   Labels labels, double value,
                   const std::pair<std::string, std::string>& otherwise) {
  const std::string suffix = unit_name(unit);
  std::string full = name_of(name);
  if (!suffix.empty() && !full.ends_with("_" + suffix)) full += "_" + suffix;
  Family& family = families_[full];
  if (family.help.empty()) {
    family.unit = suffix;
    family.help = help;
  }
  labels.insert(labels.begin(), common_.begin(), common_.end());
  std::string text = text_of(labels);
  if (family.known.contains(text)) {
    labels.push_back(otherwise);
    text = text_of(labels);
    if (otherwise.first.empty() || family.known.contains(text)) return;
  }
  family.known.insert(family.samples.emplace_back(std::move(text), value).first);
}

std::string Families::text() const {
  std::string out;
  for (const auto& [name, family] : families_) {
    out += fmt::format("# TYPE {} gauge\n", name);
    if (!family.unit.empty()) out += fmt::format("# UNIT {} {}\n", name, family.unit);
    out += fmt::format("# HELP {} {}\n", name, escaped(family.help, false));
    for (const auto& [labels, value] : family.samples) {
      out += labels.empty() ? fmt::format("{} {}\n", name, value)
                            : fmt::format("{}{{{}}} {}\n", name, labels, value);
    }
  }
  return out + "# EOF\n";
}

}  // namespace rackproof::openmetrics
