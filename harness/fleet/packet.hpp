#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/fleet/message.hpp"

namespace rackproof::fleet {

/// More than the output of one attempt can grow to. A larger message is damaged, or a mistake.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 30U;

/// The bytes of a message: CRC-32C of the rest, length of the word of its kind, the word, the body.
/// Throws TeamError when they are more than kMaxMessageBytes.
std::string pack(MessageKind kind, std::string_view body);

/// The message in those bytes, kUnknown when no kind has its word; nothing when they are not, bit
/// by bit, what pack() made.
std::optional<Message> unpack(int peer, std::string_view bytes);

}  // namespace rackproof::fleet
