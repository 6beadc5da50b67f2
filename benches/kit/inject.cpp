#include "benches/kit/inject.hpp"

#include <charconv>
#include <stdexcept>

#include "benches/kit/errors.hpp"

namespace rackproof::kit {
namespace {

template <class Integer>
bool read_whole(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

}  // namespace

Injection parse_injection(std::string_view text) {
  constexpr std::string_view kPrefix = "bitflip:";
  Injection injection;
  if (text.starts_with(kPrefix)) {
    const std::string_view rest = text.substr(kPrefix.size());
    const std::size_t colon = rest.find(':');
    if (colon != std::string_view::npos && read_whole(rest.substr(0, colon), injection.element) &&
        read_whole(rest.substr(colon + 1), injection.bit)) {
      return injection;
    }
  }
  throw UsageError("--inject takes bitflip:ELEMENT:BIT, two numbers from 0 up, not '" +
                   std::string(text) + "'");
}

void flip(const Injection& injection, void* array, std::int64_t count, std::size_t element_bytes) {
  if (count <= 0 || element_bytes == 0) throw std::invalid_argument("no element to flip a bit of");
  const auto element = static_cast<std::size_t>(injection.element % count);
  const auto bit = static_cast<std::size_t>(injection.bit) % (element_bytes * 8);
  auto* byte = static_cast<unsigned char*>(array) + element * element_bytes + bit / 8;
  *byte = static_cast<unsigned char>(*byte ^ (1U << (bit % 8)));
}

}  // namespace rackproof::kit
