#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "reports/alertmanager/alertmanager.hpp"
#include "reports/alertmanager/alerts.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/rack.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::alertmanager {
namespace {

using nlohmann::json;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// A name or an IPv4 address, and a port.
bool is_host(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const std::string_view port = text.substr(name.size());
  return !name.empty() && port != ":" && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-';
  }) && (port.empty() || std::all_of(port.begin() + 1, port.end(), is_digit));
}

// Alertmanager refuses all alerts when it takes one address for none: only what RFC 3986 lets stand
// in any path or query.
bool is_path(std::string_view text) {
  constexpr std::string_view kMarks = "-._~/?!$&'()*+,;=:@";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escape =
        c == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2]);
    if (!escape && !is_letter(c) && !is_digit(c) && kMarks.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

bool is_web_address(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const std::string_view host = rest.substr(0, rest.find('/'));
    return is_host(host) && is_path(rest.substr(host.size()));
  }
  return false;
}

std::string address_of(const model::Report& report) {
  const auto label = report.run.labels.find("url");
  return label != report.run.labels.end() && is_web_address(label->second) ? label->second : "";
}

// Since when it is known.
std::string time_of(const model::Report& report) {
  for (const std::string& utc : {report.run.ended_utc, report.run.began_utc}) {
    if (model::unix_seconds(utc)) return utc;
  }
  return "";
}

// A label without a value is none.
json without_empty(const Labels& labels) {
  json object = json::object();
  for (const auto& [name, value] : labels) {
    if (std::string text = model::printable(value); !text.empty()) object[name] = std::move(text);
  }
  return object;
}

}  // namespace

std::string render(const model::Report& report) {
  const std::string began = time_of(report);
  const std::string address = address_of(report);
  json document = json::array();
  for (Alert& alert : alerts_of(report)) {
    alert.labels["rack"] = model::rack_of(report);
    alert.labels["run"] = report.run.id;
    alert.labels["suite"] = report.suite.id;
    alert.labels["severity"] = word(alert.urgency);
    json object = {
        {"labels", without_empty(alert.labels)},
        {"annotations",
         without_empty({{"summary", alert.summary},
                        {"description", fmt::format("{}", fmt::join(alert.description, "; "))},
                        {"action", alert.action}})}};
    if (!began.empty()) object["startsAt"] = began;
    if (!address.empty()) object["generatorURL"] = address;
    document.push_back(std::move(object));
  }
  return document.dump(1) + "\n";
}

}  // namespace rackproof::alertmanager
