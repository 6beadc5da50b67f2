#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace rackproof::contract {

template <class E>
concept Enumeration = std::is_enum_v<E>;

/// An enumerator and its word in documents. The words of an enumeration are a table that words_of()
/// gives, declared beside the enumeration: words_of(Better{}).
template <class E>
struct Word {
  E value;
  std::string_view text;
};
template <class E>
Word(E, std::string_view) -> Word<E>;

/// The word of an enumerator in documents: word(Better::kMore) is "more".
template <Enumeration E>
constexpr std::string_view word(E value) {
  for (const auto& entry : words_of(E{})) {
    if (entry.value == value) return entry.text;
  }
  return "unknown";
}

/// The enumerator of a word, or nothing: enumerator_of<Better>("more").
template <Enumeration E>
constexpr std::optional<E> enumerator_of(std::string_view text) {
  for (const auto& entry : words_of(E{})) {
    if (entry.text == text) return entry.value;
  }
  return std::nullopt;
}

/// "more, less": every word of an enumeration, for messages.
template <Enumeration E>
std::string choices() {
  std::string text;
  for (const auto& entry : words_of(E{})) {
    if (!text.empty()) text += ", ";
    text += entry.text;
  }
  return text;
}

}  // namespace rackproof::contract
