#include "reports/model/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rackproof::model {
namespace {

struct Decoded {
  char32_t code = 0;
  std::size_t length = 0;  // 0: the first byte starts no well-formed character
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

Decoded decode(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80U) return {first, 1};
  struct Form {
    unsigned char lead, mask;
    char32_t smallest;
  };
  constexpr std::array<Form, 3> kForms = {
      {{0xC0, 0x1F, 0x80}, {0xE0, 0x0F, 0x800}, {0xF0, 0x07, 0x10000}}};
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    const Form& form = kForms[i];
    if ((first & static_cast<unsigned char>(~form.mask)) != form.lead) continue;
    const std::size_t length = i + 2;
    if (text.size() < length) return {};
    char32_t code = first & form.mask;
    for (std::size_t k = 1; k < length; ++k) {
      if (!continues(text[k])) return {};
      code = (code << 6U) | (static_cast<unsigned char>(text[k]) & 0x3FU);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < form.smallest || surrogate || code > 0x10FFFF) return {};
    return {code, length};
  }
  return {};
}

bool is_control(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  if (code == 0x2028 || code == 0x2029 || code == 0x061C || code == 0xFEFF) return true;
  // Direction marks, overrides and isolates can make a line read as something else.
  return (code >= 0x200E && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_characters) {
  std::string out;
  out.reserve(std::min(text.size(), max_characters));
  std::size_t characters = 0;
  while (!text.empty()) {
    if (characters++ >= max_characters) return out + "...";
    const Decoded next = decode(text);
    const std::size_t length = std::max<std::size_t>(next.length, 1);
    if (next.code == '\n' || next.code == '\r' || next.code == '\t') {
      out += ' ';
    } else if (next.length == 0 || is_control(next.code)) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string in_markup(std::string_view text, std::size_t max_characters) {
  const std::string clean = printable(text, max_characters);
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const std::string_view rest = std::string_view(clean).substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      out += '?';
      i += 2;
      continue;
    }
    switch (clean[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += clean[i];
    }
  }
  return out;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

bool is_well_formed(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.length == 0) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::string well_formed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.length == 0) {
      out += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      out += text.substr(0, next.length);
      text.remove_prefix(next.length);
    }
  }
  return out;
}

}  // namespace rackproof::model
