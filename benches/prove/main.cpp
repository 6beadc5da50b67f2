#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "benches/protocol/record.hpp"
#include "benches/prove/fault_modes.hpp"

int main(int argc, char** argv) {
  rackproof::prove::Part part;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    part.arguments.push_back(argument);
    if (argument == "--describe") {
      std::puts(
          "{\"name\":\"prove\",\"backend\":\"host\",\"summary\":\"Plays the faults that rackproof "
          "prove plants.\"}");
      return 0;
    }
    if (argument == "--json") continue;
    const bool known = argument == "--play" || argument == "--who" || argument == "--seconds";
    if (!known || i + 1 >= argc) {
      std::fprintf(stderr, "prove-host: %s '%s'\n", known ? "no value after" : "unknown argument",
                   argument.c_str());
      return 2;
    }
    const std::string value = argv[++i];
    part.arguments.push_back(value);
    if (argument == "--play") part.play = value;
    if (argument == "--who") part.who = std::atoi(value.c_str());
    if (argument == "--seconds") part.seconds = std::atof(value.c_str());
  }
  const char* const nonce = std::getenv(rackproof::protocol::kNonceVariable);
  if (nonce != nullptr) part.nonce = nonce;
  return rackproof::prove::perform(part);
}
