#include "harness/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::run {
namespace {

constexpr double kTerminalTickSeconds = 0.25;
constexpr double kPlainTickSeconds = 30;
// A line that wraps cannot be rewritten.
constexpr std::size_t kTerminalColumns = 110;

}  // namespace

Progress::Progress(warden::Clock& clock, std::function<void(const std::string& text)> write,
                   bool terminal)
    : clock_(clock), write_(std::move(write)), terminal_(terminal) {}

void Progress::say(const std::string& line) { write_(line + "\n"); }

std::string Progress::head() const {
  const double elapsed = clock_.now() - began_;
  return fmt::format("{}: {}, at most {} left in the run", step_, model::duration(elapsed),
                     model::duration(std::max(0.0, at_most_ - elapsed)));
}

void Progress::begin_step(int number, int of, const std::string& what,
                          double at_most_seconds_left) {
  began_ = clock_.now();
  last_ = began_;
  at_most_ = at_most_seconds_left;
  step_ = fmt::format("[{}/{}] {}", number, of, what);
  write_(terminal_ ? "\r\033[K" + step_ : step_ + "\n");
}

void Progress::tick(const std::string& phase) {
  if (clock_.now() - last_ < (terminal_ ? kTerminalTickSeconds : kPlainTickSeconds)) return;
  last_ = clock_.now();
  // The phase is the bench's own word: it may hold anything.
  const std::string line = model::printable(head() + (phase.empty() ? "" : "  (" + phase + ")"),
                                            terminal_ ? kTerminalColumns : std::string::npos);
  write_(terminal_ ? "\r\033[K" + line : line + "\n");
}

void Progress::end_step(const std::string& outcome) {
  const std::string line =
      fmt::format("{}: {} in {}", step_, outcome, model::duration(clock_.now() - began_));
  write_((terminal_ ? "\r\033[K" : "") + line + "\n");
}

}  // namespace rackproof::run
