#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benches/collectives/kinds.hpp"

namespace rackproof::collectives {

/// The root of broadcast and reduce.
inline constexpr int kRoot = 0;

/// What carries the data, as far as it can be known.
struct TransportFacts {
  std::string library;  ///< "Open MPI"
  std::string version;  ///< "4.1.4"
  std::string path;     ///< "1 node, shared memory possible"
  /// How to get more ranks, for one that is alone.
  std::string more_ranks = "start it with mpirun or srun to measure a group";
};

/// The collectives of one group of ranks, and the few small exchanges that measuring them needs.
/// Every member must make the same calls in the same order. `count` has 64 bits and is the number
/// of elements per rank, or per pair of ranks where the operation has a block for each rank.
///
/// `in == nullptr` asks for the in-place form, where the operation has one: the input lies in
/// `out`, for all_gather in the caller's own block, for the others from the start.
///
/// All throw kit::DeviceError when the library reports an error, and kit::UsageError when it cannot
/// do an operation of that size.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Members on this machine, this one included.
  virtual int local_size() const = 0;
  virtual TransportFacts facts() const = 0;

  /// out[i] = the reduction of in[i] over all ranks.
  virtual void all_reduce(const void* in, void* out, std::int64_t count, Dtype dtype,
                          RedOp redop) = 0;
  /// Block r of `out` (`count` elements) = the input of rank r.
  virtual void all_gather(const void* in, void* out, std::int64_t count, Dtype dtype) = 0;
  /// `in` has size() blocks of `count`; out = the reduction of block rank() over all ranks.
  virtual void reduce_scatter(const void* in, void* out, std::int64_t count, Dtype dtype,
                              RedOp redop) = 0;
  /// The root sends `in`, the others receive it in `out`; the root's `out` is not touched.
  virtual void broadcast(const void* in, void* out, std::int64_t count, Dtype dtype) = 0;
  /// As all_reduce, at the root only; the others' `out` is not touched.
  virtual void reduce(const void* in, void* out, std::int64_t count, Dtype dtype, RedOp redop) = 0;
  /// `in` and `out` have size() blocks: block r of `out` = block rank() of the input of rank r.
  virtual void all_to_all(const void* in, void* out, std::int64_t count, Dtype dtype) = 0;
  /// A ring: out = the input of rank - 1, while rank + 1 receives this one's.
  virtual void send_recv(const void* in, void* out, std::int64_t count, Dtype dtype) = 0;

  virtual void barrier() = 0;
  /// Replaces each value by its maximum over the ranks.
  virtual void max_over_ranks(std::span<double> values) = 0;
  /// The values of all ranks, rank by rank. Every rank must bring equally many.
  virtual std::vector<double> gather(std::span<const double> values) = 0;
};

}  // namespace rackproof::collectives
