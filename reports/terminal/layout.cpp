#include "reports/terminal/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::terminal {
namespace {

constexpr int kSmallestWidth = 40;

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::kNone:
      return "";
    case Paint::kBold:
      return "\x1B[1m";
    case Paint::kGood:
      return "\x1B[1;32m";
    case Paint::kBad:
      return "\x1B[1;31m";
    case Paint::kWarn:
      return "\x1B[1;33m";
  }
  return "";
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = model::character_count(text);
  const std::string fill = spaces(width > have ? width - have : 0);
  return right ? fill + text : text + fill;
}

/// Columns `from` to `end` of a row, padded to `widths` when there are any; empty when all are
/// blank.
std::string joined(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                   std::size_t from, std::size_t end, std::size_t numbers_from) {
  std::string text;
  for (std::size_t i = from; i < std::min(end, row.size()); ++i) {
    if (i > from) text += "  ";
    text += padded(row[i], i < widths.size() ? widths[i] : 0, i >= numbers_from);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

Page::Page(const Style& style)
    : width_(static_cast<std::size_t>(std::max(style.width, kSmallestWidth))),
      color_(style.color) {}

std::string Page::painted(Paint paint, std::string_view text) const {
  if (!color_ || paint == Paint::kNone) return std::string(text);
  return fmt::format("{}{}\x1B[0m", code_of(paint), text);
}

void Page::paragraph(int indent, std::string_view text) {
  paragraph(indent, Paint::kNone, "", text);
}

void Page::paragraph(int indent, Paint paint, std::string_view head, std::string_view text) {
  const std::string clean_head = model::printable(head);
  const std::string clean = model::printable(text);
  const auto margin = static_cast<std::size_t>(indent);
  out_ += spaces(margin) + painted(paint, clean_head);
  std::size_t column = margin + model::character_count(clean_head);
  bool at_start = clean_head.empty();
  std::string_view rest = clean;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) break;
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    const std::size_t length = model::character_count(word);
    if (!at_start && column + 1 + length > width_) {
      out_ += '\n' + spaces(margin + 2);
      column = margin + 2;
    } else if (!at_start) {
      out_ += ' ';
      ++column;
    }
    out_ += word;
    column += length;
    at_start = false;
  }
  out_ += '\n';
}

void Page::heading(Paint paint, std::string_view text) {
  blank();
  out_ += painted(paint, model::printable(text)) + '\n';
}

void Page::table(int indent, const Rows& rows, std::size_t numbers_from) {
  Rows clean = rows;
  std::vector<std::size_t> widths;
  for (auto& row : clean) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = model::printable(row[i]);
      widths[i] = std::max(widths[i], model::character_count(row[i]));
    }
  }
  std::size_t widest = static_cast<std::size_t>(indent);
  for (const std::size_t width : widths) widest += width + 2;
  const bool stacked = widest > width_ + 2;
  for (std::size_t r = 0; r < clean.size(); ++r) {
    const Paint paint = r == 0 ? Paint::kBold : Paint::kNone;
    if (!stacked) {
      line(indent, paint, joined(clean[r], widths, 0, clean[r].size(), numbers_from));
      continue;
    }
    line(indent, paint, joined(clean[r], {}, 0, numbers_from, numbers_from));
    line(indent + 4, paint, joined(clean[r], widths, numbers_from, clean[r].size(), numbers_from));
  }
}

void Page::line(int indent, Paint paint, const std::string& text) {
  if (text.empty()) return;
  if (static_cast<std::size_t>(indent) + model::character_count(text) > width_) {
    return paragraph(indent, paint, "", text);
  }
  out_ += spaces(static_cast<std::size_t>(indent)) + painted(paint, text) + '\n';
}

void Page::blank() { out_ += '\n'; }

}  // namespace rackproof::terminal
