#include "benches/align/lines.hpp"

#include <fmt/format.h>

#include "benches/align/bad_input.hpp"

namespace rackproof::align {

bool Lines::next(std::string& line) {
  line.clear();
  std::streambuf* const buffer = in_.rdbuf();
  int byte = buffer->sbumpc();
  if (byte == std::streambuf::traits_type::eof()) return false;
  ++number_;
  while (byte != std::streambuf::traits_type::eof() && byte != '\n') {
    if (line.size() == kMostBytes) {
      refuse(fmt::format("a line of more than {} bytes", kMostBytes), "shorter lines");
    }
    line.push_back(static_cast<char>(byte));
    byte = buffer->sbumpc();
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  demand_text(line);
  return true;
}

void Lines::demand_text(const std::string& line) const {
  if (number_ == 1 && line.starts_with("\x1f\x8b")) {
    refuse("this file is compressed with gzip", "text; unpack it first");
  }
  for (const char byte : line) {
    const auto value = static_cast<unsigned char>(byte);
    if ((value < 0x20 && byte != '\t') || value == 0x7f) {
      refuse(fmt::format("the byte {}", shown(byte)), "text");
    }
  }
}

void Lines::refuse(std::string_view found, std::string_view expected) const {
  bad_input(file_, number_, found, expected);
}

}  // namespace rackproof::align
