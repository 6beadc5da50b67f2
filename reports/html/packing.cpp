#include "reports/html/packing.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <bit>
#include <climits>
#include <cstring>
#include <stdexcept>

#include "reports/model/printable.hpp"

namespace rackproof::html {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string base64_of(const std::vector<T>& values) {
  const std::size_t bytes = values.size() * sizeof(T);
  if (bytes > INT_MAX / 2) throw std::length_error("too many cells for a page");
  std::string text(4 * ((bytes + 2) / 3) + 3, '"');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + 1),
                                   reinterpret_cast<const unsigned char*>(values.data()),
                                   static_cast<int>(bytes));
  text.resize(static_cast<std::size_t>(size) + 1);
  return text + '"';
}

}  // namespace

std::string quoted(std::string_view text, std::size_t most) {
  std::string out = "\"";
  for (const char c : model::printable(text, most)) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '<':
      case '>':
      case '&':
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        break;
      default:
        out += c;
    }
  }
  return out + '"';
}

std::string packed(const std::vector<std::uint8_t>& values) { return base64_of(values); }
std::string packed(const std::vector<std::uint32_t>& values) { return base64_of(values); }
std::string packed(const std::vector<float>& values) { return base64_of(values); }

std::string sha256_base64(std::string_view text) {
  std::vector<std::uint8_t> digest(EVP_MAX_MD_SIZE);
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL has no SHA-256");
  }
  digest.resize(size);
  const std::string quoted = base64_of(digest);
  return quoted.substr(1, quoted.size() - 2);
}

std::string array_of(const std::vector<std::string>& parts) {
  return fmt::format("[{}]", fmt::join(parts, ","));
}

}  // namespace rackproof::html
