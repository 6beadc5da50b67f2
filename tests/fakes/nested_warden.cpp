// A program that forks a warden of its own, as a rackproof inside a bench does, and stays:
// `nested-warden STORM TOKEN` has it run fork_storm twice.
#include <unistd.h>

#include "harness/warden/process_warden.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto warden = rackproof::warden::fork_warden();
  for (const char* attempt : {"inner/1", "inner/2"}) {
    rackproof::warden::Launch launch;
    launch.attempt = attempt;
    launch.arguments = {argv[1], "--daemons", "50",    "--seconds",
                        "40",    "--token",   argv[2], "--stay"};
    launch.deadline_seconds = 30;
    warden->start(launch);
  }
  for (;;) warden->wait(1);
}
