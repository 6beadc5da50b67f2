#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "benches/protocol/record.hpp"

namespace rackproof::protocol {

/// The environment variable by which the harness names the group that a process is a member of.
inline constexpr const char* kGroupVariable = "RACKPROOF_GROUP";
/// The name of a group that was put together by hand, without kGroupVariable.
inline constexpr const char* kGroupByHand = "-";

/// A token's value has at most this many bytes.
inline constexpr std::size_t kMaxTokenBytes = 16 * 1024;

/// What is wrong with a token as other members are to get it: its name is no name (1 to 64 letters,
/// digits, '.', '_' or '-'), or its value is not 1 to kMaxTokenBytes printable ASCII characters
/// without blanks. Empty when nothing is.
std::string problem_of(const Token& token);

/// The line, its newline included, that a member reads from stdin. Throws std::invalid_argument for
/// a token with a problem, a group that is empty or holds a blank, or fewer than 2 ranks.
std::string token_line(std::string_view group, int ranks, const Token& token);

/// Reads such a line: all bytes that came before the end of file. Gives the token, or one sentence
/// about what is wrong: nothing came, the newline is missing (it was cut short), more than one
/// line, another form, another group than `group`, another number of members than `ranks`.
std::variant<Token, std::string> read_token_line(std::string_view bytes, std::string_view group,
                                                 int ranks);

}  // namespace rackproof::protocol
