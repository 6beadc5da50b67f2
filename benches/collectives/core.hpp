#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/collectives/cell.hpp"
#include "benches/collectives/transport.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::collectives {

/// The command line, the same for every backend.
struct Config {
  std::vector<std::string> operations;  ///< words; none asks for all that apply
  std::vector<std::string> dtypes{"float"};
  std::vector<std::string> redops{"sum"};
  std::int64_t begin = 8;
  std::int64_t end = 4 * 1024 * 1024;
  std::int64_t factor = 2;
  std::int64_t iterations = 50;
  std::int64_t max_iterations = 20'000;
  std::int64_t warmup = 5;
  double min_seconds = 0.1;
  bool in_place = false;
  std::int64_t seed = 1;
  std::string launch = "plain";              ///< no option of MPI's
  std::string registration = "none";         ///< no option of MPI's
  Repertoire repertoire = mpi_repertoire();  ///< of the backend
};

/// A group of ranks that can measure a cell, wherever its buffers lie. Every process of the group
/// makes the same calls in the same order.
class Group {
 public:
  virtual ~Group() = default;
  virtual int rank() const = 0;  ///< the first of this process, where it has several
  virtual int size() const = 0;
  virtual TransportFacts facts() const = 0;
  /// As collectives::measure_cell.
  virtual CellResult measure_cell(const CellSpec& spec, const MeasuringRule& rule,
                                  const std::optional<kit::Injection>& injection,
                                  const Progress& progress) = 0;
};

/// Binds the options of a collectives bench to `config`.
void declare(kit::Options& options, Config& config);

/// Every cell that the command line asks of a group of `ranks`, in the order measured: operation,
/// dtype, redop, size. A broadcast moves nothing in a group of one and is left out there. Throws
/// kit::UsageError for words that are unknown or said twice, an empty range, and an operation that
/// has no in-place form when one is asked for by name, and an average that has no exact result over
/// so many ranks.
std::vector<CellSpec> cells_of(const Config& config, int ranks);

/// At most `most` of the values, spread evenly over the series with a random offset in each part,
/// in order; all of them when there are no more. Keeps records short without favouring one slot of
/// a batch.
std::vector<double> thinned(const std::vector<double>& values, std::size_t most);

/// Measures every cell. Must be called by all ranks with the same config. Rank 0 says everything:
/// for each cell a check, then `<op>.time`, `<op>.latency_p99` and, from two ranks on,
/// `<op>.busbw`, then a note with what tables for people show. The others say phases alone.
void measure(Group& group, const Config& config, kit::Session& session);

/// The same for ranks whose buffers are in the memory of the host.
void measure(Transport& transport, const Config& config, kit::Session& session);

}  // namespace rackproof::collectives
