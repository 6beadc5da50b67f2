#include "harness/config/waivers.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "harness/config/baseline.hpp"
#include "harness/config/day.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::config {
namespace {

std::string text_or(const document::Object& object, const char* name, const char* usual) {
  const auto field = object.find(name);
  return field ? field->text() : usual;
}

/// Not of "*", and of no other way to write it: "*.*", "?*".
bool names_something(const std::string& pattern) {
  return std::any_of(pattern.begin(), pattern.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0; });
}

bool is_about_all(const model::CellWaiver& one) {
  return !names_something(one.step) && !names_something(one.metric) &&
         !names_something(one.subject) && one.parameters.empty();
}

model::CellWaiver read_waiver(const document::Field& field) {
  const document::Object object(field, {"step", "metric", "parameters", "subject", "reason",
                                        "until", "approved_by", "ticket", "limit"});
  model::CellWaiver one;
  one.step = text_or(object, "step", "*");
  one.metric = text_or(object, "metric", "*");
  one.subject = text_or(object, "subject", "*");
  if (const auto parameters = object.find("parameters")) {
    one.parameters = read_match_parameters(*parameters);
  }
  if (is_about_all(one)) {
    field.fail("expected one of 'step', 'metric', 'parameters' and 'subject'; nothing waives all");
  }
  one.reason = object.require("reason").text();
  one.until = read_day(object.require("until"));
  one.approved_by = object.require("approved_by").text();
  one.ticket = text_or(object, "ticket", "");
  if (const auto limit = object.find("limit")) {
    const document::Quantity least = document::read_quantity(*limit);
    one.limit = least.value;
    one.unit = least.unit;
  }
  return one;
}

// What stands between the word and the end of the text, which is cut off there.
std::string cut_after(std::string& text, const std::string& word) {
  const std::size_t at = text.rfind(word);
  if (at == std::string::npos) return "";
  std::string after = text.substr(at + word.size());
  text.resize(at);
  return after;
}

}  // namespace

std::vector<model::CellWaiver> load_waivers(const std::string& path) {
  const document::Document document = document::load_document(path, document::kMaxTableBytes);
  const document::Object object(document::Field(document.file, document.root, ""),
                                {"schema", "waivers"});
  document::check_schema(object.require("schema"), "rackproof/waivers/1");
  std::vector<model::CellWaiver> waivers;
  for (const document::Field& item : object.require("waivers").items())
    waivers.push_back(read_waiver(item));
  return waivers;
}

model::CellWaiver parse_waiver(const std::string& text) {
  const auto refuse = [&text](const std::string& why) {
    throw std::invalid_argument("'" + text + "': " + why +
                                "; expected METRIC [on SUBJECT] until YYYY-MM-DD by NAME: REASON");
  };
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos) refuse("there is no reason");
  model::CellWaiver one;
  one.reason = text.substr(colon + 2);
  std::string head = text.substr(0, colon);
  one.approved_by = cut_after(head, " by ");
  one.until = cut_after(head, " until ");
  const std::string subject = cut_after(head, " on ");
  if (!subject.empty()) one.subject = subject;
  one.metric = head;
  if (one.reason.empty()) refuse("there is no reason");
  if (one.approved_by.empty()) refuse("nobody approves it");
  if (!is_day(one.until)) refuse("'" + one.until + "' is no day");
  if (one.metric.empty() || one.metric.find(' ') != std::string::npos) {
    refuse("'" + one.metric + "' is no pattern of metrics");
  }
  if (is_about_all(one)) refuse("nothing waives all");
  return one;
}

}  // namespace rackproof::config
