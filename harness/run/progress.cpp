#include "harness/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::run {
namespace {

constexpr double kTerminalTickSeconds = 1;
constexpr double kPlainTickSeconds = 30;
constexpr std::size_t kBar = 16;
constexpr const char* kClear = "\r\033[K";

std::string counted(const AttemptCount& attempts) {
  if (attempts.begun < 2) return "";
  std::string text = fmt::format(", {} of {} attempts", attempts.ended, attempts.begun);
  if (attempts.repeated > 0) text += fmt::format(" ({} repeated)", attempts.repeated);
  return text;
}

// "21:57:04", of "2026-11-25T21:57:04Z".
std::string time_of(const std::string& utc) {
  return utc.size() < 19 ? "" : utc.substr(11, 8) + " ";
}

// Broken at blanks, so that the terminal does not break it in a word. A longer word stays whole.
std::string wrapped(const std::string& line, std::size_t width) {
  if (model::character_count(line) <= width) return line;
  std::string out;
  std::size_t column = 0;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t size = model::character_count(word);
    if (column > 0 && column + 1 + size > width) {
      out += "\n  ";
      column = 2;
    } else if (column > 0) {
      out += " ";
      ++column;
    }
    out += word;
    column += size;
  }
  return out;
}

}  // namespace

Progress::Progress(support::Clock& clock, std::function<void(const std::string& text)> write,
                   std::function<std::size_t()> columns, bool quiet)
    : clock_(clock), write_(std::move(write)), columns_(std::move(columns)), quiet_(quiet) {}

void Progress::write_line(const std::string& line) {
  write_(columns_ ? kClear + wrapped(line, columns_()) + "\n"
                  : time_of(clock_.utc()) + line + "\n");
}

void Progress::rewrite(const std::string& line) {
  // A line that wraps cannot be rewritten; one that is cut ends in three dots.
  current_ = model::printable(line, columns_() - 4);
  write_(kClear + current_);
}

void Progress::say(const std::string& line) {
  write_line(line);
  if (!current_.empty()) write_(current_);
}

std::string Progress::times(double elapsed) const {
  std::string text = ": " + model::duration(elapsed);
  if (expected_.step > 0) text += " of about " + model::duration(expected_.step);
  const double most = std::max(0.0, expected_.run_at_most - elapsed);
  if (expected_.run && *expected_.run > elapsed) {
    // Of a step that takes longer than it should, the rest of the run is not known better.
    return text + fmt::format(", about {} left in the run",
                              model::duration(std::min(most, *expected_.run - elapsed)));
  }
  return text + fmt::format(", at most {} left in the run", model::duration(most));
}

// By time where somebody says what the step takes, else by attempts; one that goes on is not full.
std::string Progress::bar(double elapsed, const AttemptCount& attempts) const {
  double share = 0;
  if (expected_.step > 0) {
    share = elapsed / expected_.step;
  } else if (attempts.begun > 1) {
    share = static_cast<double>(attempts.ended) / attempts.begun;
  } else {
    return "";
  }
  const auto full = std::min(
      kBar - 1, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(kBar)));
  return " [" + std::string(full, '#') + std::string(kBar - full, '.') + "]";
}

void Progress::begin_step(int number, int of, const std::string& name, const std::string& what,
                          const Expected& expected) {
  began_ = clock_.now();
  last_ = began_;
  expected_ = expected;
  step_ = fmt::format("[{}/{}] {}", number, of, name);
  what_ = what.empty() ? "" : " (" + what + ")";
  if (quiet_) return;
  if (columns_) {
    rewrite(step_ + what_);
  } else {
    write_line(step_ + what_);
  }
}

void Progress::tick(const std::string& phase, const AttemptCount& attempts) {
  if (quiet_) return;
  if (clock_.now() - last_ < (columns_ ? kTerminalTickSeconds : kPlainTickSeconds)) return;
  last_ = clock_.now();
  const double elapsed = clock_.now() - began_;
  // The phase is the bench's own word: it may hold anything.
  const std::string rest =
      times(elapsed) + counted(attempts) + (phase.empty() ? "" : "  (" + phase + ")");
  if (columns_) {
    rewrite(step_ + bar(elapsed, attempts) + rest);
  } else {
    write_line(model::printable(step_ + what_ + rest));
  }
}

void Progress::end_step(const std::string& outcome) {
  if (quiet_) return;
  current_.clear();
  write_line(
      fmt::format("{}{}: {} in {}", step_, what_, outcome, model::duration(clock_.now() - began_)));
}

}  // namespace rackproof::run
