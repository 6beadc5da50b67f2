#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::html {

/// A JSON string of foreign text: one printable line, without a mark that HTML knows, at most so
/// many characters.
std::string quoted(std::string_view text, std::size_t most = 400);

/// A JSON string of the base64 of the array's little-endian bytes.
std::string packed(const std::vector<std::uint8_t>& values);
std::string packed(const std::vector<std::uint32_t>& values);
std::string packed(const std::vector<float>& values);

/// The base64 of the text's SHA-256, as a content security policy wants it.
std::string sha256_base64(std::string_view text);

/// "[1,2]", of texts that are JSON already.
std::string array_of(const std::vector<std::string>& parts);

}  // namespace rackproof::html
