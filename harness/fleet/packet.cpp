#include "harness/fleet/packet.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "harness/fleet/team.hpp"

namespace rackproof::fleet {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

constexpr std::array<std::uint32_t, 256> make_table() {
  constexpr std::uint32_t kCastagnoli = 0x82F63B78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kCastagnoli : 0U);
    table[byte] = crc;
  }
  return table;
}

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = make_table();
  std::uint32_t crc = ~0U;
  for (const char c : bytes)
    crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

void put(std::string& bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, kWord);
}

std::uint32_t get(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, kWord);
  return value;
}

}  // namespace

std::string pack(MessageKind kind, std::string_view body) {
  const std::string_view said = contract::word(kind);
  const std::size_t size = 2 * kWord + said.size() + body.size();
  if (size > kMaxMessageBytes) {
    throw TeamError("a control message of " + std::to_string(size) + " bytes is larger than the " +
                    std::to_string(kMaxMessageBytes) + " that one may be");
  }
  std::string bytes(2 * kWord, '\0');
  bytes.reserve(size);
  bytes.append(said).append(body);
  put(bytes, kWord, static_cast<std::uint32_t>(said.size()));
  put(bytes, 0, crc32c(std::string_view(bytes).substr(kWord)));
  return bytes;
}

std::optional<Message> unpack(int peer, std::string_view bytes) {
  if (bytes.size() < 2 * kWord || get(bytes, 0) != crc32c(bytes.substr(kWord))) return std::nullopt;
  const std::size_t length = get(bytes, kWord);
  bytes.remove_prefix(2 * kWord);
  if (length > bytes.size()) return std::nullopt;
  const std::string_view said = bytes.substr(0, length);
  const auto kind = contract::enumerator_of<MessageKind>(said);
  if (!kind) return Message{peer, MessageKind::kUnknown, std::string(said)};
  return Message{peer, *kind, std::string(bytes.substr(length))};
}

}  // namespace rackproof::fleet
