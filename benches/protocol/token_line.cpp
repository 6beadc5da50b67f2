#include "benches/protocol/token_line.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <vector>

namespace rackproof::protocol {
namespace {

constexpr std::string_view kWord = "rackproof-token";
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kShown = 80;

bool is_printable(char c) { return c > ' ' && c <= '~'; }

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, kShown)) out += is_printable(c) ? c : '?';
  return out + (text.size() > kShown ? "...'" : "'");
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t blank = line.find(' ');
    words.push_back(line.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    line.remove_prefix(blank + 1);
  }
}

}  // namespace

std::string problem_of(const Token& token) {
  if (token.name.empty() || token.name.size() > kLongestName ||
      !std::all_of(token.name.begin(), token.name.end(), is_name_letter)) {
    return "the token's name " + quoted(token.name) +
           " is not 1 to 64 letters, digits, '.', '_' or '-'";
  }
  if (token.value.empty()) return "the token " + token.name + " is empty";
  if (token.value.size() > kMaxTokenBytes) {
    return "the token " + token.name + " has " + std::to_string(token.value.size()) +
           " bytes, more than " + std::to_string(kMaxTokenBytes);
  }
  if (!std::all_of(token.value.begin(), token.value.end(), is_printable)) {
    return "the token " + token.name + " holds a blank or a character that is not printable ASCII";
  }
  return "";
}

std::string token_line(std::string_view group, int ranks, const Token& token) {
  if (const std::string problem = problem_of(token); !problem.empty()) {
    throw std::invalid_argument(problem);
  }
  if (group.empty() || !std::all_of(group.begin(), group.end(), is_printable)) {
    throw std::invalid_argument("a group's name is empty or holds a blank");
  }
  if (ranks < 2) throw std::invalid_argument("a group has two members at least");
  std::string line(kWord);
  line += ' ';
  line += group;
  line += ' ' + std::to_string(ranks) + ' ' + token.name + ' ' + token.value + '\n';
  return line;
}

std::variant<Token, std::string> read_token_line(std::string_view bytes, std::string_view group,
                                                 int ranks) {
  if (bytes.empty()) return "no token came on stdin";
  const std::size_t newline = bytes.find('\n');
  if (newline == std::string_view::npos) return "the token on stdin was cut short: no newline";
  if (newline + 1 != bytes.size()) return "more than one line came on stdin";
  const std::vector<std::string_view> words = split(bytes.substr(0, newline));
  if (words.size() != 5 || words[0] != kWord) {
    return "the line on stdin is no token: expected 'rackproof-token GROUP RANKS NAME VALUE', "
           "got " +
           quoted(bytes.substr(0, newline));
  }
  if (words[1] != group) {
    return "the token is of another group: expected " + quoted(group) + ", got " + quoted(words[1]);
  }
  int said = 0;
  const char* const end = words[2].data() + words[2].size();
  const auto [stop, error] = std::from_chars(words[2].data(), end, said);
  if (error != std::errc() || stop != end || said != ranks) {
    return "the token is for a group of " + quoted(words[2]) + " members, not of " +
           std::to_string(ranks);
  }
  Token token{std::string(words[3]), std::string(words[4])};
  if (std::string problem = problem_of(token); !problem.empty()) return problem;
  return token;
}

}  // namespace rackproof::protocol
