#pragma once

// Included by *_json.cpp of this room only: it carries the streaming JSON library.

#include <simdjson.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json/archive_json.hpp"
#include "reports/json/json_fields.hpp"
#include "reports/json/report_pieces.hpp"
#include "reports/model/words.hpp"

/// Reads the value types of a report several times as fast as archive_json.hpp does, and only where
/// there is nothing to say: whatever is out of the ordinary ends in NotPlain, and the careful
/// reader finds out what it is, or that nothing is wrong. So each document has one reading, and
/// each error one text.
namespace rackproof::model::fast {

namespace ondemand = simdjson::ondemand;

inline constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING;

inline void need(simdjson::error_code error) {
  if (error) throw NotPlain{};
}

class Decoder {
 public:
  /// A JSON array into a vector, whose elements are used again. kPadding bytes after the text must
  /// be readable. Throws NotPlain.
  template <class T>
  void read(std::string_view text, std::vector<T>& out) {
    static_assert(!std::is_arithmetic_v<T>);
    out.resize(read_array(text, put_in_list<T>, &out));
  }
  /// A JSON array of one element. Throws NotPlain.
  template <class T>
  void read_one(std::string_view text, T& out) {
    const auto put = [](Decoder& decoder, ondemand::value& value, void* to, std::size_t index) {
      if (index != 0) throw NotPlain{};
      decoder.decode(value, *static_cast<T*>(to));
    };
    if (read_array(text, put, &out) != 1) throw NotPlain{};
  }

 private:
  /// Decodes one element of an array; `to` is where, as whoever gave the function knows.
  using Put = void (*)(Decoder&, ondemand::value&, void* to, std::size_t index);

  template <class T>
  static void put_in_list(Decoder& decoder, ondemand::value& value, void* to, std::size_t index) {
    auto& list = *static_cast<std::vector<T>*>(to);
    if (index == list.size()) list.emplace_back();
    decoder.decode(value, list[index]);
  }

  std::size_t read_array(std::string_view text, Put put, void* to) {
    ondemand::document document;
    need(parser_.iterate(text.data(), text.size(), text.size() + kPadding).get(document));
    end_ = text.data() + text.size();
    ondemand::array array;
    need(document.get_array().get(array));
    const std::size_t count = each_element(array, put, to);
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) throw NotPlain{};
    return count;
  }

  /// Valid until the next document.
  std::string_view text_of(ondemand::value& value) {
    const std::string_view token = value.raw_json_token();
    if (token.empty() || token.front() != '"') throw NotPlain{};
    const char* begin = token.data() + 1;
    const auto left = static_cast<std::size_t>(end_ - begin);
    const auto* quote = static_cast<const char*>(std::memchr(begin, '"', left));
    if (quote == nullptr) throw NotPlain{};
    const auto size = static_cast<std::size_t>(quote - begin);
    std::string_view text(begin, size);
    if (std::memchr(begin, '\\', size) == nullptr) {
      ondemand::raw_json_string consumed;
      need(value.get_raw_json_string().get(consumed));
    } else {
      // Half a surrogate pair is for the careful reader to refuse.
      if (text.find("\\ud") != std::string_view::npos ||
          text.find("\\uD") != std::string_view::npos) {
        throw NotPlain{};
      }
      need(value.get_string().get(text));
    }
    return text;
  }

  double number_of(ondemand::value& value) {
    // Beyond this an integer may not fit 64 bits, which is refused; as an integer, zero has no
    // sign.
    constexpr double kAllFit = 9e18;
    double number = 0;
    const std::string_view token = value.raw_json_token();
    need(value.get_double().get(number));
    const bool odd = std::abs(number) >= kAllFit || (number == 0 && std::signbit(number));
    if (odd && token.find_first_of(".eE") == std::string_view::npos) throw NotPlain{};
    return number;
  }

  template <class T>
  void decode(ondemand::value& value, T& out) {
    if constexpr (std::is_same_v<T, std::string>) {
      out.assign(text_of(value));
    } else if constexpr (std::is_same_v<T, double>) {
      out = number_of(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      need(value.get_bool().get(out));
    } else if constexpr (std::is_integral_v<T>) {
      std::int64_t number = 0;
      need(value.get_int64().get(number));
      if (!std::in_range<T>(number)) throw NotPlain{};
      out = static_cast<T>(number);
    } else if constexpr (std::is_enum_v<T>) {
      const auto found = contract::enumerator_of<T>(text_of(value));
      if (!found) throw NotPlain{};
      out = *found;
    } else if constexpr (archive::kIsReason<T>) {
      out = reason_of<decltype(out.id)>(text_of(value));
    } else if constexpr (std::is_same_v<T, contract::Scalar>) {
      decode_scalar(value, out);
    } else if constexpr (std::is_same_v<T, Ending>) {
      decode_ending(value, out);
    } else if constexpr (archive::kIsOptional<T>) {
      decode(value, out.emplace());
    } else if constexpr (archive::kIsVector<T>) {
      ondemand::array array;
      need(value.get_array().get(array));
      decode_elements(array, out);
    } else if constexpr (archive::kIsMap<T>) {
      decode_map(value, out);
    } else {
      ondemand::object object;
      need(value.get_object().get(object));
      decode_members(object, out, nullptr);
    }
  }

  template <class T>
  void decode_elements(ondemand::array& array, std::vector<T>& out) {
    if constexpr (std::is_arithmetic_v<T>) {
      std::size_t count = 0;
      for (auto each : array) {
        ondemand::value value;
        need(each.get(value));
        if (count == out.size()) out.emplace_back();
        decode(value, out[count++]);
      }
      out.resize(count);
    } else {
      out.resize(each_element(array, put_in_list<T>, &out));
    }
  }

  // simdjson's loops are large, and inlined wherever they stand: once for all lists of what takes
  // longer to read than a call does, and below once for all objects.
  std::size_t each_element(ondemand::array& array, Put put, void* to) {
    std::size_t count = 0;
    for (auto each : array) {
      ondemand::value value;
      need(each.get(value));
      put(*this, value, to, count++);
    }
    return count;
  }

  /// Most maps have the keys of the one that was there before: their memory is used again.
  template <class M>
  void decode_map(ondemand::value& value, M& out) {
    ondemand::object object;
    need(value.get_object().get(object));
    auto known = out.begin();
    for (auto each : object) {
      ondemand::field field;
      std::string_view key;
      need(std::move(each).get(field));
      need(field.unescaped_key().get(key));
      if (known != out.end() && known->first == key) {
        decode(field.value(), known->second);
        ++known;
        continue;
      }
      if (!is_well_formed(key)) throw NotPlain{};
      out.erase(known, out.end());
      known = out.end();
      const std::size_t before = out.size();
      const auto place = out.emplace_hint(out.end(), std::string(key), typename M::mapped_type{});
      if (out.size() == before) throw NotPlain{};
      decode(field.value(), place->second);
    }
    out.erase(known, out.end());
  }

  void decode_scalar(ondemand::value& value, contract::Scalar& out) {
    ondemand::json_type type{};
    need(value.type().get(type));
    if (type == ondemand::json_type::string) {
      out.emplace<std::string>(text_of(value));
    } else if (type == ondemand::json_type::boolean) {
      decode(value, out.emplace<bool>());
    } else {
      ondemand::number_type kind{};
      need(value.get_number_type().get(kind));
      if (kind == ondemand::number_type::floating_point_number) {
        decode(value, out.emplace<double>());
      } else {
        decode(value, out.emplace<std::int64_t>());
      }
    }
  }

  void decode_ending(ondemand::value& value, Ending& out) {
    ondemand::object object;
    need(value.get_object().get(object));
    ondemand::value kind;
    need(object.find_field_unordered("kind").get(kind));
    const auto found = archive::ending_called(std::string(text_of(kind)));
    if (!found) throw NotPlain{};
    out = *found;
    need(object.reset().error());
    std::visit([&](auto& inner) { decode_members(object, inner, "kind"); }, out);
  }

  /// Decodes the member whose key stands before the value.
  struct Taker {
    Decoder& decoder;
    const char* raw;  ///< of the key, behind its quote
    ondemand::value& value;
    unsigned index = 0;
    int taken = -1;

    // Inlined, so that the length of the key is known and the comparison no call.
    template <class T>
    [[gnu::always_inline]] void field(const char* key, T& member) {
      const std::size_t size = std::strlen(key);
      // Keys of the model are shorter than the padding behind the text.
      if (taken < 0 && std::memcmp(raw, key, size) == 0 && raw[size] == '"') {
        taken = static_cast<int>(index);
        decoder.decode(value, member);
      }
      ++index;
    }
    template <class T>
    [[gnu::always_inline]] void maybe(const char* key, T& member) {
      field(key, member);
    }
    template <class T>
    [[gnu::always_inline]] void unless(const char* key, T& member, const T& /*otherwise*/) {
      field(key, member);
    }
    // The careful reader knows it.
    void gone(const char* /*key*/) {}
  };

  /// Sees to the members that were not there.
  struct Checker {
    std::uint64_t seen;
    unsigned index = 0;

    bool next() { return (seen >> index++ & 1U) != 0; }
    template <class T>
    void field(const char* /*key*/, T& /*member*/) {
      if (!next()) throw NotPlain{};
    }
    template <class T>
    void maybe(const char* /*key*/, T& member) {
      if (!next()) member = T{};
    }
    template <class T>
    void unless(const char* /*key*/, T& member, const T& otherwise) {
      if (!next()) member = otherwise;
    }
    void gone(const char* /*key*/) {}
  };

  /// `other` is a key that is none of the members.
  template <class T>
  void decode_members(ondemand::object& object, T& out, const char* other) {
    const auto take = [](Decoder& decoder, const char* raw, ondemand::value& value, void* to) {
      Taker taker{decoder, raw, value};
      describe(taker, *static_cast<T*>(to));
      return taker.taken;
    };
    Checker checker{each_member(object, other, take, &out)};
    describe(checker, out);
  }

  /// One bit for each member that was there. `take` gives the place of the member with that key, or
  /// -1.
  std::uint64_t each_member(ondemand::object& object, const char* other,
                            int (*take)(Decoder&, const char*, ondemand::value&, void*), void* to) {
    std::uint64_t seen = 0;
    for (auto each : object) {
      ondemand::field field;
      need(std::move(each).get(field));
      const char* raw = field.key().raw();
      if (other != nullptr && field.key().unsafe_is_equal(other)) {
        if ((seen >> 63U) != 0) throw NotPlain{};
        seen |= std::uint64_t{1} << 63U;
        continue;
      }
      const int taken = take(*this, raw, field.value(), to);
      if (taken < 0) throw NotPlain{};
      const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(taken);
      if ((seen & bit) != 0) throw NotPlain{};
      seen |= bit;
    }
    return seen;
  }

  ondemand::parser parser_;
  const char* end_ = nullptr;
};

}  // namespace rackproof::model::fast
