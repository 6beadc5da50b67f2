#include "benches/align/bad_input.hpp"

#include <fmt/format.h>

#include "benches/kit/errors.hpp"

namespace rackproof::align {
namespace {

bool printable(char byte) { return byte >= 0x20 && byte < 0x7f; }

}  // namespace

void bad_input(std::string_view file, std::int64_t line, std::string_view found,
               std::string_view expected) {
  const std::string place = line == 0 ? std::string(file) : fmt::format("{}:{}", file, line);
  throw kit::UsageError(fmt::format("{}: {}: expected {}", place, found, expected));
}

std::string shown(char byte) {
  if (printable(byte)) return fmt::format("'{}'", byte);
  return fmt::format("0x{:02x}", static_cast<unsigned char>(byte));
}

std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string text = "'";
  for (const char byte : word.substr(0, kMost)) text += printable(byte) ? byte : '?';
  return text + (word.size() > kMost ? "...'" : "'");
}

}  // namespace rackproof::align
