#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/words.hpp"
#include "harness/document/document.hpp"
#include "reports/model/scalar.hpp"

namespace rackproof::document {

/// A number with the base unit of its dimension; the value is in that unit.
struct Quantity {
  double value = 0;
  std::string unit;
};

/// A value of a document together with its place. Each accessor wants one type and throws
/// ConfigError with file, line, field and what was expected. Points into the document, which must
/// outlive it.
class Field {
 public:
  Field(const std::string& file, const Node& node, std::string path);

  const std::string& path() const { return path_; }
  int line() const { return node_->line; }
  [[noreturn]] void fail(const std::string& what) const;
  /// "expected X, got Y".
  [[noreturn]] void fail_type(const std::string& expected) const;

  /// Not empty, without control characters, at most `longest` bytes.
  std::string text(std::size_t longest = 1000) const;
  /// A text like the ones that name files, steps and metrics: is_name().
  std::string name() const;
  /// A name in which `*` and `?` stand for other characters.
  std::string pattern() const;
  bool boolean() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double number() const;
  /// A boolean, a number or a text.
  contract::Scalar scalar() const;
  /// A time above zero, written "600 s" or "10 min"; in seconds.
  double seconds() const;
  /// The name of a known unit.
  std::string unit() const;

  bool is_list() const { return std::holds_alternative<Node::List>(node_->value); }
  bool is_object() const { return std::holds_alternative<Node::Members>(node_->value); }
  bool is_text() const { return std::holds_alternative<std::string>(node_->value); }
  bool is_number() const;
  std::vector<Field> items() const;
  /// The fields of an object whose names are free, in the order of the file.
  std::vector<std::pair<std::string, Field>> members() const;

  /// The value that belongs to the word.
  template <typename T>
  T choice(std::initializer_list<std::pair<std::string_view, T>> words) const {
    const std::string given = text();
    std::vector<std::string_view> known;
    for (const auto& [word, value] : words) {
      if (word == given) return value;
      known.push_back(word);
    }
    fail_word(given, known);
  }

  /// The enumerator of the word, in the words of its enumeration, of those that `taken` takes.
  template <contract::Enumeration E>
  E choice(bool (*taken)(E) = [](E) { return true; }) const {
    const std::string given = text();
    std::vector<std::string_view> known;
    for (const auto& entry : words_of(E{})) {
      if (!taken(entry.value)) continue;
      if (entry.text == given) return entry.value;
      known.push_back(entry.text);
    }
    fail_word(given, known);
  }

 private:
  [[noreturn]] void fail_word(const std::string& given,
                              const std::vector<std::string_view>& known) const;

  const std::string* file_;
  const Node* node_;
  std::string path_;
};

/// An object whose fields are known. The constructor refuses any other, with the nearest known
/// name.
class Object {
 public:
  Object(Field field, std::initializer_list<std::string_view> known);

  const Field& field() const { return field_; }
  bool has(std::string_view name) const { return find(name).has_value(); }
  std::optional<Field> find(std::string_view name) const;
  /// The field, or a ConfigError that it is missing.
  Field require(std::string_view name) const;

 private:
  Field field_;
  std::vector<std::pair<std::string, Field>> members_;
};

/// 1 to 64 letters, digits, '.', '_' or '-', the first one a letter or a digit.
bool is_name(std::string_view text);

/// The number in its shortest form, as people write it: 600, 0.25.
std::string number_text(double value);

/// Refuses a document that is not of `schema` ("rackproof/suite/1"); a newer version is named as
/// such.
void check_schema(const Field& field, const std::string& schema);

/// {"value": 760, "unit": "GB/s"} in the base unit.
Quantity read_quantity(const Field& field);

}  // namespace rackproof::document
