#include "tests/support/cuda_host/machine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <variant>

namespace rackproof::cuda_host {
namespace {

constexpr const char* kVariable = "RACKPROOF_CUDA_HOST";

using Place = std::variant<int*, std::size_t*, bool*, Fault*>;

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  fmt::print(stderr, "{}: '{}': {}\n", kVariable, word, why);
  std::_Exit(2);
}

std::int64_t number(std::string_view text, std::string_view word) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop == text.data()) refuse(word, "expected a number");
  int shift = 0;
  if (stop != end) {
    shift = *stop == 'K' ? 10 : *stop == 'M' ? 20 : *stop == 'G' ? 30 : 0;
    if (shift != 0) ++stop;
  }
  if (stop != end) refuse(word, "expected a number, with K, M or G behind it for sizes");
  return value << shift;
}

Fault fault(std::string_view text, std::string_view word) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) refuse(word, "expected WHO:WHEN");
  return {static_cast<int>(number(text.substr(0, colon), word)),
          number(text.substr(colon + 1), word)};
}

void put(const Place& place, std::string_view value, bool given, std::string_view word) {
  if (auto* const flag = std::get_if<bool*>(&place)) {
    **flag = !given || number(value, word) != 0;
    return;
  }
  if (!given) refuse(word, "expected a value");
  if (auto* const whole = std::get_if<int*>(&place)) {
    **whole = static_cast<int>(number(value, word));
  } else if (auto* const size = std::get_if<std::size_t*>(&place)) {
    **size = static_cast<std::size_t>(number(value, word));
  } else {
    *std::get<Fault*>(place) = fault(value, word);
  }
}

Machine read() {
  Machine all;
  const std::map<std::string_view, Place> places = {
      {"devices", &all.devices},
      {"major", &all.major},
      {"minor", &all.minor},
      {"code", &all.code},
      {"multiprocessors", &all.multiprocessors},
      {"mig", &all.mig},
      {"memory", &all.memory},
      {"l2", &all.l2},
      {"seed", &all.seed},
      {"driver", &all.driver},
      {"algorithms", &all.algorithms},
      {"refusing", &all.refusing},
      {"chaos", &all.chaos},
      {"peers", &all.peers},
      {"ecc", &all.ecc},
      {"fault", &all.fault},
      {"alloc", &all.alloc},
      {"slow", &all.slow},
      {"wrong", &all.wrong},
      {"hang", &all.hang},
      {"die", &all.die},
      {"lost", &all.lost},
  };
  const char* const text = std::getenv(kVariable);
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const auto equals = word.find('=');
    const auto found = places.find(word.substr(0, equals));
    if (found == places.end()) refuse(word, "no such word");
    const bool given = equals != std::string_view::npos;
    put(found->second, given ? word.substr(equals + 1) : "", given, word);
  }
  if (all.devices < 0 || all.devices > 64) refuse("devices", "expected 0 to 64");
  return all;
}

}  // namespace

const Machine& machine() {
  static const Machine all = read();
  return all;
}

std::array<unsigned char, 16> uuid_of(bool instance, int index) {
  std::array<unsigned char, 16> bytes{};
  bytes.front() = instance ? 0x19 : 0xc9;
  bytes.back() = static_cast<unsigned char>(index);
  return bytes;
}

std::string uuid_text(bool instance, int index) {
  std::string text = instance ? "MIG" : "GPU";
  int place = 0;
  for (const unsigned char byte : uuid_of(instance, index)) {
    if (place == 0 || place == 4 || place == 6 || place == 8 || place == 10) text += '-';
    text += fmt::format("{:02x}", byte);
    ++place;
  }
  return text;
}

}  // namespace rackproof::cuda_host
