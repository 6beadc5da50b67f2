#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "contract/words.hpp"

namespace rackproof::contract {

/// How a bench process ends. The harness reads these; no other code has a meaning.
enum class ExitCode : int {
  kDone = 0,         ///< measured and verified
  kUnexpected = 1,   ///< an internal error
  kUsage = 2,        ///< the command line is wrong
  kUnavailable = 3,  ///< what the bench needs is not on this machine
  kWrongAnswer = 4,  ///< a check found a wrong result
  kDeviceError = 5,  ///< a device or a library reported an error
  kGaveUp = 6,       ///< a member of a group waited in vain for another one
};

/// An exit code, its word in the record `end`, and what it means to people.
struct ExitCodeWord {
  ExitCode value;
  std::string_view text;
  std::string_view meaning;
};

inline constexpr std::array kExitCodeWords = {
    ExitCodeWord{ExitCode::kDone, "done", "done"},
    ExitCodeWord{ExitCode::kUnexpected, "unexpected", "an unexpected error"},
    ExitCodeWord{ExitCode::kUsage, "usage", "usage"},
    ExitCodeWord{ExitCode::kUnavailable, "unavailable", "not available here"},
    ExitCodeWord{ExitCode::kWrongAnswer, "wrong-answer", "wrong answer"},
    ExitCodeWord{ExitCode::kDeviceError, "device-error", "device or library error"},
    ExitCodeWord{ExitCode::kGaveUp, "gave-up", "gave up on another member"}};
constexpr const auto& words_of(ExitCode) { return kExitCodeWords; }

/// What the number that a process ended with means to people; nothing where no bench uses it.
constexpr std::optional<std::string_view> meaning_of_exit(int code) {
  for (const ExitCodeWord& entry : kExitCodeWords) {
    if (static_cast<int>(entry.value) == code) return entry.meaning;
  }
  return std::nullopt;
}

}  // namespace rackproof::contract
