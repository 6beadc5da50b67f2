#include "harness/run/endings.hpp"

#include <type_traits>
#include <variant>

#include "benches/protocol/exit_code.hpp"

namespace rackproof::run {
namespace {

using protocol::ExitCode;

bool ended_with(const model::Ending& ending, ExitCode code) {
  const auto* completed = std::get_if<model::ending::Completed>(&ending);
  return completed != nullptr && completed->exit_code == static_cast<int>(code);
}

}  // namespace

model::Attempt read_attempt(const Ended& ended) {
  wire::Transcript transcript;
  for (const std::string& line : ended.lines) {
    if (const auto entry = wire::parse_entry(line)) transcript.take(*entry);
  }
  return transcript.take_attempt();
}

std::optional<protocol::Phase> last_phase(const Ended& ended) {
  wire::Transcript transcript;
  for (const std::string& line : ended.lines) {
    if (const auto entry = wire::parse_entry(line)) transcript.take(*entry);
  }
  return transcript.phase();
}

bool is_clean(const model::Ending& ending) { return ended_with(ending, ExitCode::kDone); }

bool is_wrong_answer(const model::Ending& ending) {
  return ended_with(ending, ExitCode::kWrongAnswer);
}

bool has_given_up(const model::Ending& ending) {
  // One that could not come back from a library has no last record.
  const auto* truncated = std::get_if<model::ending::Truncated>(&ending);
  return ended_with(ending, ExitCode::kGaveUp) ||
         (truncated != nullptr && truncated->exit_code == static_cast<int>(ExitCode::kGaveUp));
}

bool is_transient(const model::Ending& ending) {
  namespace e = model::ending;
  return std::visit(
      [&](const auto& how) {
        using T = std::decay_t<decltype(how)>;
        if constexpr (std::is_same_v<T, e::Completed>) {
          return ended_with(ending, ExitCode::kUnexpected) ||
                 ended_with(ending, ExitCode::kDeviceError) ||
                 ended_with(ending, ExitCode::kGaveUp);
        } else {
          return std::is_same_v<T, e::Signalled> || std::is_same_v<T, e::TimedOut> ||
                 std::is_same_v<T, e::Truncated> || std::is_same_v<T, e::Garbled> ||
                 std::is_same_v<T, e::Leaked>;
        }
      },
      ending);
}

}  // namespace rackproof::run
