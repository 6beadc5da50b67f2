#include "harness/redaction/identifiers.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace rackproof::redaction {
namespace {

constexpr std::size_t kLongestWord = 256;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_digit(c) || is_letter(c); }

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool all_of(std::string_view text, bool (*is)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

bool has_groups(std::string_view text, char between, const std::vector<std::size_t>& sizes) {
  const auto parts = split(text, between);
  if (parts.size() != sizes.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].size() != sizes[i] || !all_of(parts[i], is_hex)) return false;
  }
  return true;
}

bool is_uuid(std::string_view text) { return has_groups(text, '-', {8, 4, 4, 4, 12}); }

bool is_mac(std::string_view text) {
  return has_groups(text, ':', {2, 2, 2, 2, 2, 2}) || has_groups(text, '-', {2, 2, 2, 2, 2, 2}) ||
         has_groups(text, ':', std::vector<std::size_t>(8, 2)) ||
         has_groups(text, ':', std::vector<std::size_t>(20, 2));
}

bool is_ipv4(std::string_view text) {
  const auto parts = split(text, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           return part.size() <= 3 && all_of(part, is_digit) &&
                  (part.size() < 3 || part <= std::string_view("255"));
         });
}

// Also the four groups of four of an InfiniBand GUID.
bool is_ipv6(std::string_view text) {
  const auto parts = split(text, ':');
  std::size_t filled = 0;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) {
      ++empty;
    } else if (parts[i].size() <= 4 && all_of(parts[i], is_hex)) {
      ++filled;
    } else if (i + 1 != parts.size() || !is_ipv4(parts[i])) {
      return false;
    }
  }
  if (empty == 0) return filled == 8 || has_groups(text, ':', {4, 4, 4, 4});
  return text.find("::") != std::string_view::npos && filled >= 1 && filled < 8;
}

// Letters, digits and the marks of addresses that stand together.
std::size_t end_of_run(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_word(text[at]) || text[at] == '.' || text[at] == ':' ||
                              text[at] == '-' || text[at] == '_')) {
    ++at;
  }
  return at;
}

// "GPU-8f0e...": the UUID at the end of the run, or the start of it.
std::optional<Found> uuid_in(std::string_view run, std::size_t at) {
  constexpr std::size_t kLength = 36;
  for (std::size_t i = 0; i + kLength <= run.size(); ++i) {
    const bool begins = i == 0 || !is_word(run[i - 1]);
    const bool ends = i + kLength == run.size() || !is_word(run[i + kLength]);
    if (begins && ends && is_uuid(run.substr(i, kLength)))
      return Found{at + i, kLength, Form::kUuid};
  }
  return std::nullopt;
}

std::optional<Found> address_in(std::string_view run, std::size_t at, bool versions) {
  while (!run.empty() && (run.back() == '.' || run.back() == '-' || run.back() == '_')) {
    run.remove_suffix(1);
  }
  // "10.1.2.3:5000" is an address and a port; "::1:" ends in the mark of a sentence.
  for (const std::string_view part : {run, run.substr(0, run.rfind(':'))}) {
    if (is_mac(part) || is_ipv6(part) || (!versions && is_ipv4(part))) {
      return Found{at, part.size(), Form::kAddress};
    }
  }
  return std::nullopt;
}

void find_users(std::string_view text, std::vector<Found>& found) {
  for (const std::string_view home : {"/home/", "/Users/", "/users/"}) {
    for (std::size_t at = text.find(home); at != std::string_view::npos;
         at = text.find(home, at + 1)) {
      const std::size_t begin = at + home.size();
      const std::size_t end = std::min(text.find_first_of("/ \"':,", begin), text.size());
      if (end > begin) found.push_back({begin, end - begin, Form::kUser});
    }
  }
}

}  // namespace

void Vocabulary::add(const std::string& word, Form form) {
  const std::string lower = lowered(word);
  if (lower.empty() || !words_.emplace(lower, form).second) return;
  if (end_of_run(lower, 0) != lower.size() || !is_word(lower.front()) || !is_word(lower.back())) {
    odd_.push_back(lower);
  }
}

void Vocabulary::find_in(std::string_view text, std::vector<Found>& found) const {
  const std::string lower = lowered(text);
  for (std::size_t at = 0; at < lower.size();) {
    const std::size_t end = end_of_run(lower, at);
    // A run such as "rack-7.site:GPU" may hold words at each of its joints.
    std::size_t tried = at;
    for (std::size_t begin = at; begin < end; ++begin) {
      if (begin < tried || !is_word(lower[begin]) || (begin > 0 && is_word(lower[begin - 1]))) {
        continue;
      }
      for (std::size_t stop = std::min(end, begin + kLongestWord); stop > begin; --stop) {
        if (!is_word(lower[stop - 1]) || (stop < lower.size() && is_word(lower[stop]))) continue;
        const auto word = words_.find(lower.substr(begin, stop - begin));
        if (word == words_.end()) continue;
        found.push_back({begin, stop - begin, word->second});
        tried = stop;
        break;
      }
    }
    at = end + 1;
  }
  for (const std::string& word : odd_) {
    for (std::size_t at = lower.find(word); at != std::string::npos;
         at = lower.find(word, at + 1)) {
      found.push_back({at, word.size(), words_.at(word)});
    }
  }
}

void find_identifiers(std::string_view text, bool versions, std::vector<Found>& found) {
  find_users(text, found);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_run(text, at);
    const std::string_view run = text.substr(at, end - at);
    auto one = uuid_in(run, at);
    if (!one) one = address_in(run, at, versions);
    // There may be another behind it.
    if (one) found.push_back(*one);
    at = one ? one->at + one->size : end + 1;
  }
}

bool looks_like_address(std::string_view text) { return is_ipv4(text) || is_ipv6(text); }

bool holds_uuid(std::string_view text) { return uuid_in(text, 0).has_value(); }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace rackproof::redaction
