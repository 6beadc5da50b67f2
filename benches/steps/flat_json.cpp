#include "benches/steps/flat_json.hpp"

#include <fmt/format.h>

#include <charconv>

#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kShown = 40;

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  std::map<std::string, FlatField> object() {
    take('{', "an object of fields, which begins with {");
    skip();
    if (peek() == '}') {
      ++at_;
    } else {
      while (member()) continue;
    }
    skip();
    if (at_ != text_.size()) fail("nothing after the object");
    return std::move(fields_);
  }

 private:
  // One "field": value, and true where a comma promises another one.
  bool member() {
    skip();
    const int line = line_;
    const std::string field = quoted("the name of a field in quotes");
    if (fields_.contains(field)) {
      throw kit::UsageError(fmt::format("{}:{}: \"{}\": expected once, and it is in line {} too",
                                        name_, line, field, fields_[field].line));
    }
    take(':', "a colon after the name of a field");
    skip();
    FlatField read;
    read.line = line_;
    if (peek() == '"') {
      read.value = quoted("a text in quotes");
    } else {
      read.value = integer(field);
    }
    fields_[field] = std::move(read);
    skip();
    if (peek() == '}') {
      ++at_;
      return false;
    }
    take(',', "a comma or } after a value");
    return true;
  }

  std::string quoted(std::string_view expected) {
    if (peek() != '"') fail(expected);
    const std::size_t end = text_.find_first_of("\"\\\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '"') {
      fail("a text that ends in its line and has no backslash");
    }
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  std::int64_t integer(const std::string& field) {
    std::int64_t value = 0;
    const char* const begin = text_.data() + at_;
    const char* const stop = text_.data() + text_.size();
    const auto [end, error] = std::from_chars(begin, stop, value);
    const bool whole =
        error == std::errc() &&
        (end == stop || std::string_view(" \t\r\n,}/").find(*end) != std::string_view::npos);
    if (!whole) fail(fmt::format("an integer or a text as the value of \"{}\"", field));
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  void take(char wanted, std::string_view expected) {
    skip();
    if (peek() != wanted) fail(expected);
    ++at_;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // Blanks and comments.
  void skip() {
    while (at_ < text_.size()) {
      if (kBlanks.find(text_[at_]) != std::string_view::npos) {
        if (text_[at_++] == '\n') ++line_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  [[noreturn]] void fail(std::string_view expected) const {
    std::string_view found = text_.substr(at_);
    found = found.substr(0, std::min(found.find_first_of("\r\n"), kShown));
    throw kit::UsageError(
        fmt::format("{}:{}: expected {}, found {}", name_, line_, expected,
                    at_ >= text_.size() ? std::string("the end") : fmt::format("'{}'", found)));
  }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::map<std::string, FlatField> fields_;
};

}  // namespace

std::map<std::string, FlatField> read_flat_json(std::string_view text, std::string_view name) {
  return Reader(text, name).object();
}

}  // namespace rackproof::steps
