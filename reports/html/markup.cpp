#include "reports/html/markup.hpp"

#include <fmt/format.h>

#include <cctype>

#include "reports/html/style.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::html {

std::string plain(std::string_view text, std::size_t most) { return model::in_markup(text, most); }

std::string_view sign_of(model::Outcome outcome) {
  switch (outcome) {
    case model::Outcome::kPass:
      return "✓";
    case model::Outcome::kVerified:
      return "○";
    case model::Outcome::kFail:
      return "✗";
    case model::Outcome::kUnjudged:
      return "?";
    case model::Outcome::kUntested:
      return "–";
    case model::Outcome::kWaived:
      return "w";
  }
  return "";
}

namespace {

std::string badge_of(model::Outcome look, std::string_view word) {
  return fmt::format("<span class=\"sign {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
                     contract::word(look), sign_of(look), word);
}

}  // namespace

std::string badge(model::Outcome outcome) { return badge_of(outcome, contract::word(outcome)); }

model::Outcome outcome_like(model::Acceptance acceptance) {
  switch (acceptance) {
    case model::Acceptance::kAccepted:
      return model::Outcome::kPass;
    case model::Acceptance::kRejected:
      return model::Outcome::kFail;
    case model::Acceptance::kIncomplete:
      return model::Outcome::kUntested;
    case model::Acceptance::kVerified:
      return model::Outcome::kVerified;
  }
  return model::Outcome::kUntested;
}

std::string badge(model::Acceptance acceptance) {
  return badge_of(outcome_like(acceptance), contract::word(acceptance));
}

Table::Table(const std::string& caption, std::vector<std::string> columns)
    : out_("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
           "\"><table><caption>" + caption + "</caption><thead><tr>") {
  for (std::string& column : columns) {
    const bool number = column.ends_with('#');
    if (number) column.pop_back();
    numbers_.push_back(number);
    out_ += fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\"" : "", column);
  }
  out_ += "</tr></thead>\n<tbody>\n";
}

void Table::group(const std::string& name) {
  if (!out_.ends_with("<tbody>\n")) out_ += "</tbody>\n<tbody>\n";
  out_ += fmt::format("<tr><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n", numbers_.size(),
                      name);
}

void Table::row(const std::vector<std::string>& entries) {
  out_ += "<tr>";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const char* kind = i < numbers_.size() && numbers_[i] ? " class=\"n\"" : "";
    out_ += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", entries[i])
                   : fmt::format("<td{}>{}</td>", kind, entries[i]);
  }
  out_ += "</tr>\n";
}

std::string Table::take(std::size_t left_out) {
  out_ += "</tbody></table></div>\n";
  if (left_out > 0) out_ += fmt::format("<p class=\"more\">and {} more</p>\n", left_out);
  return std::move(out_);
}

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 "
      "id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      id, title, body);
}

namespace {

// As a string of CSS in which no character means anything: each that is no letter or digit by its
// code.
std::string foot_of(std::string_view text) {
  if (text.empty()) return "";
  std::string quoted;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x80) {
      quoted += '?';
    } else if (std::isalnum(byte) != 0) {
      quoted += each;
    } else {
      quoted += fmt::format("\\{:x} ", byte);
    }
  }
  return "@page { @bottom-left { content: \"" + quoted +
         "\"; font: 9px system-ui, sans-serif; } }\n";
}

}  // namespace

std::string document_of(std::string_view title, std::string_view body, std::string_view scripts,
                        std::string_view foot) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             // Nothing is loaded, and nothing of a report runs, whatever it may hold.
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'{}{}\">\n<title>{}</title>\n<style>\n",
             scripts.empty() ? "" : "; script-src ", scripts, title) +
         kStyle + foot_of(foot) + "</style>\n</head>\n<body>\n" + std::string(body) +
         "</body>\n</html>\n";
}

}  // namespace rackproof::html
