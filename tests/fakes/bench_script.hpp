#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"

namespace rackproof::fakes {

/// The bytes of "512M".
std::int64_t bytes_of(const std::string& text);

/// The command line of a bench as its parts ask for it. Every option takes a value.
class BenchLine {
 public:
  BenchLine(int argc, char** argv);

  std::string program;  ///< "gemm-cuda": the name that it was started by
  std::string bench;
  std::string backend;
  std::vector<std::string> arguments;

  std::string text(const std::string& option, const std::string& otherwise = "") const;
  std::vector<std::string> words(const std::string& option, const std::string& otherwise) const;
  std::int64_t bytes(const std::string& option, std::int64_t otherwise) const;
  std::int64_t number(const std::string& option, std::int64_t otherwise) const;

 private:
  std::map<std::string, std::string> values_;
};

/// What a number is about, as a script names it; members are those of a group.
struct BenchPlace {
  std::string device;
  std::string peer;
  int member = -1;
  int peer_member = -1;
};

/// What the file of SCRIPTED_BENCH_FILE says of this process (see docs/playing-a-rack.md). An entry
/// of a list applies when all that it names (host, program, device, peer, members, metric,
/// parameters) is as here; names are globs.
class BenchScript {
 public:
  /// Throws std::runtime_error when the file cannot be read.
  explicit BenchScript(const BenchLine& line);

  /// Samples around the centre of the metric, with the noise of the script; times get longer where
  /// rates get smaller.
  std::vector<double> samples(const protocol::Metric& metric, const BenchPlace& place,
                              std::size_t count) const;
  contract::Parameters conditions(const protocol::Metric& metric, const BenchPlace& place) const;
  bool is_wrong(const std::string& metric, const BenchPlace& place) const;
  /// The code that this process ends with before it measures.
  std::optional<int> exit_code(const BenchPlace& place) const;
  double delay_seconds(const BenchPlace& place) const;
  /// Moves the counters of the RDMA ports that this host shows, but for those of the adapters that
  /// the script calls idle.
  void move_ports() const;

 private:
  using Json = nlohmann::json;

  bool applies(const Json& entry, const protocol::Metric& metric, const BenchPlace& place) const;
  const Json* first(const char* list, const protocol::Metric& metric,
                    const BenchPlace& place) const;
  static double stray(const std::string& shape, std::mt19937_64& random);
  double centre(const protocol::Metric& metric, const BenchPlace& place) const;
  double factor(const protocol::Metric& metric, const BenchPlace& place) const;

  const BenchLine& line_;
  std::string host_;
  Json script_;
  std::uint64_t earlier_ = 0;  ///< starts of this command on this host
};

}  // namespace rackproof::fakes
