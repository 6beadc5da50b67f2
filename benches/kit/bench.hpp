#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "benches/kit/errors.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"
#include "benches/protocol/emit.hpp"
#include "contract/exit_code.hpp"

namespace rackproof::kit {

/// What a bench tells the kit about itself. `declare` binds the options, `run` measures and speaks
/// through the session; it throws UsageError, Unavailable, DeviceError or GaveUp for what ends it
/// early. `libraries` names the libraries used, with their versions as loaded.
struct Bench {
  std::string name;     ///< "stream"
  std::string backend;  ///< "host"
  std::string summary;  ///< one line
  std::string example;  ///< one command line, shown first by --help
  std::function<void(Options&)> declare;
  std::function<std::map<std::string, std::string>()> libraries;
  /// Some libraries are loaded for a device, and are asked once `run` has chosen it: `hello` then
  /// comes with its first record. Called without a device they tell what is known without.
  bool libraries_of_device = false;
  std::function<void(Session&)> run;
  /// Why `run` would throw Unavailable here and now, as far as that is known without measuring;
  /// empty when nothing is known. Only --describe asks.
  std::function<std::string()> refusal = {};
  /// After the options were read: the test-only fault that one of the bench's own switched on, as
  /// `hello` shall name it; empty for none. Like --inject, it keeps everything from passing.
  std::function<std::string()> fault;
};

/// The whole of a bench's main: claims stdout (descriptor 1 is pointed at stderr and a private copy
/// kept, since libraries print there), reads the options, runs, says `hello` first and `end` last,
/// and gives back the exit code of the protocol. With --json, or when RACKPROOF_NONCE is set, it
/// prints records; otherwise a table for people. What ends a bench early is one line on stderr, and
/// a `note` before `end`. SIGPIPE is ignored: a reader that is gone ends the bench with exit
/// code 1. Common options: --json, --help, --version, --describe (name, backend, summary and
/// libraries as one line of JSON, and `unavailable`: why it would refuse to measure), and --inject
/// (see inject.hpp).
int bench_main(int argc, char** argv, const Bench& bench);

/// The same for a bench that runs inside another process (an MPI rank): no stdout is claimed,
/// nothing is written to stderr, and records go to `sink`, whose exceptions end the bench with
/// kUnexpected. A rank that has nothing to say passes a sink that drops lines. How far it is in
/// what the ranks do together is told in `page`, unless that is null. --help, --version and
/// --describe have no meaning here and are usage errors.
contract::ExitCode run_bench(const std::vector<std::string>& arguments, const Bench& bench,
                             const protocol::Sink& sink, const std::string& nonce,
                             contract::ProgressPage* page = nullptr);

}  // namespace rackproof::kit
