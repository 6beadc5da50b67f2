#pragma once

#include <bit>
#include <cmath>
#include <random>

#include "reports/json/archive_json.hpp"

namespace rackproof::model {

/// Fills any value of the model with something arbitrary, repeatable by its seed. Visits the fields
/// as readers and writers do.
class RandomValue {
 public:
  explicit RandomValue(std::uint32_t seed) : engine_(seed) {}

  template <class T>
  void field(const char* /*key*/, T& value) {
    fill(value);
  }
  template <class T>
  void maybe(const char* /*key*/, T& value) {
    if (below(3) == 0) {
      value = T{};
    } else {
      fill(value);
    }
  }

  template <class T>
  void unless(const char* /*key*/, T& value, const T& otherwise) {
    if (below(3) == 0) {
      value = otherwise;
    } else {
      fill(value);
    }
  }

  void gone(const char* /*key*/) {}

  template <class T>
  void fill(T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = text();
    } else if constexpr (std::is_same_v<T, double>) {
      value = number();
    } else if constexpr (std::is_same_v<T, bool>) {
      value = below(2) == 0;
    } else if constexpr (std::is_integral_v<T>) {
      value = below(3) == 0 ? static_cast<T>(below(10)) : static_cast<T>(bits());
    } else if constexpr (std::is_enum_v<T>) {
      value = words_of(T{}).at(below(words_of(T{}).size())).value;
    } else if constexpr (archive::kIsReason<T>) {
      fill(value.id);
      // Words of none of the list are told apart from it by what they begin with alone.
      value = contract::word(value.id).empty() ? reason_of<decltype(value.id)>(text())
                                               : T(value.id, text());
    } else if constexpr (std::is_same_v<T, contract::Scalar>) {
      fill_scalar(value);
    } else if constexpr (std::is_same_v<T, Ending>) {
      fill_ending(value);
    } else if constexpr (archive::kIsOptional<T>) {
      fill(value.emplace());
    } else if constexpr (archive::kIsVector<T>) {
      value.resize(below(4));
      for (auto& element : value) fill(element);
    } else if constexpr (archive::kIsMap<T>) {
      value.clear();
      for (std::size_t i = below(4); i > 0; --i) fill(value[text()]);
    } else {
      describe(*this, value);
    }
  }

 private:
  std::uint64_t bits() { return (std::uint64_t{engine_()} << 32U) | engine_(); }
  std::size_t below(std::size_t end) { return bits() % end; }

  double number() {
    switch (below(4)) {
      case 0:
        return static_cast<double>(static_cast<std::int64_t>(below(2000)) - 1000);
      case 1:
        return std::ldexp(static_cast<double>(bits()), static_cast<int>(below(100)) - 80);
      default: {
        const double any = std::bit_cast<double>(bits());
        return std::isfinite(any) ? any : -0.0;
      }
    }
  }

  std::string text() {
    static constexpr std::array<std::string_view, 12> kPieces = {
        "a",  "Z9",  "-", " ", "\"", "\\", "\n", "\x1B[0m", "\xC3\xA9", "\xF0\x9F\x98\x80",
        "/~", "\x7F"};
    std::string out;
    for (std::size_t i = below(6); i > 0; --i) out += kPieces.at(below(kPieces.size()));
    return out;
  }

  void fill_scalar(contract::Scalar& value) {
    switch (below(4)) {
      case 0:
        value = below(2) == 0;
        return;
      case 1:
        value = static_cast<std::int64_t>(bits());
        return;
      case 2:
        value = number();
        return;
      default:
        value = text();
    }
  }

  template <std::size_t I = 0>
  void fill_ending(Ending& value, std::size_t which) {
    if constexpr (I < std::variant_size_v<Ending>) {
      if (I != which) return fill_ending<I + 1>(value, which);
      describe(*this, value.emplace<I>());
    }
  }
  void fill_ending(Ending& value) { fill_ending(value, below(std::variant_size_v<Ending>)); }

  std::mt19937 engine_;
};

template <class T>
T random_value(std::uint32_t seed) {
  T value;
  RandomValue(seed).fill(value);
  return value;
}

/// As a program of this version writes it: no host is there twice.
inline Report random_report(std::uint32_t seed) {
  auto report = random_value<Report>(seed);
  report.schema_version = kSchemaVersion;
  for (std::size_t i = 0; i < report.nodes.size(); ++i) {
    report.nodes[i].host += "-" + std::to_string(i);
  }
  return report;
}

}  // namespace rackproof::model
