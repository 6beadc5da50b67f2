#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benches/kit/errors.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"
#include "benches/protocol/emit.hpp"
#include "benches/protocol/exit_code.hpp"

namespace rackproof::kit {

/// What a bench tells the kit about itself. `declare` binds the options, `run` measures and speaks
/// through the session; it throws UsageError, Unavailable or DeviceError for what ends it early.
/// `libraries` names the libraries used, with their versions as loaded.
struct Bench {
  std::string name;     ///< "stream"
  std::string backend;  ///< "host"
  std::string summary;  ///< one line
  std::string example;  ///< one command line, shown first by --help
  std::function<void(Options&)> declare;
  std::function<std::map<std::string, std::string>()> libraries;
  std::function<void(Session&)> run;
};

/// The whole of a bench's main: claims stdout (descriptor 1 is pointed at stderr and a private copy
/// kept, since libraries print there), reads the options, runs, says `hello` first and `end` last, and
/// gives back the exit code of the protocol. With --json, or when stdout is not a terminal and a nonce
/// is set, it prints records; otherwise a table for people. Common options: --json, --help, --version,
/// --describe (name, backend, summary and libraries as one line of JSON), and, in builds that allow it,
/// --inject (see inject.hpp).
int bench_main(int argc, char** argv, const Bench& bench);

/// The same for a bench that runs inside another process (an MPI rank): no stdout is claimed, records
/// go to `sink`. A rank that has nothing to say passes a sink that drops lines.
protocol::ExitCode run_bench(const std::vector<std::string>& arguments, const Bench& bench,
                             const protocol::Sink& sink, const std::string& nonce);

}  // namespace rackproof::kit
