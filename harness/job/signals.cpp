#include "harness/job/signals.hpp"

#include <signal.h>
#include <unistd.h>

#include "harness/support/exit_code.hpp"

namespace rackproof::job {
namespace {

volatile sig_atomic_t asked = 0;
volatile sig_atomic_t final_code = 0;

void on_stop(int /*signal*/) {
  if (asked > 0) _exit(support::kInterrupted);
  asked = 1;
}

void on_alarm(int /*signal*/) { _exit(final_code); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  handle(SIGINT, on_stop);
  handle(SIGTERM, on_stop);
  handle(SIGHUP, SIG_IGN);
  handle(SIGPIPE, SIG_IGN);
}

int interrupts() { return asked; }

void leave_within(unsigned seconds, int code) {
  final_code = code;
  handle(SIGALRM, on_alarm);
  alarm(seconds);
}

void leave_when_done() { alarm(0); }

}  // namespace rackproof::job
