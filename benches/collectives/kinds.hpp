#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::collectives {

enum class Operation {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSendRecv,
};

/// The last four are known to NCCL alone.
enum class Dtype {
  kInt8,
  kUint8,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble,
  kHalf,
  kBfloat16,
  kFloat8E4M3,
  kFloat8E5M2,
};

/// The last is known to NCCL alone.
enum class RedOp { kSum, kProd, kMin, kMax, kAvg };

/// How an operation is started: by a call each, or as a part of a CUDA graph.
enum class Launch { kPlain, kGraph };

/// What the library is told of the buffers before: nothing, each rank its own, or all ranks
/// together as one symmetric window.
enum class Registration { kNone, kLocal, kSymmetric };

/// The words of options, records and tables: "all_reduce", "float", "sum".
std::string_view word(Operation operation);
std::string_view word(Dtype dtype);
std::string_view word(RedOp redop);
std::string_view word(Launch launch);
std::string_view word(Registration registration);

/// Every word, in the order of the enumerators.
std::vector<std::string> operation_words();
std::vector<std::string> dtype_words();
std::vector<std::string> redop_words();
std::vector<std::string> launch_words();
std::vector<std::string> registration_words();

/// The enumerator for a word, or nothing.
std::optional<Operation> operation_of(std::string_view word);
std::optional<Dtype> dtype_of(std::string_view word);
std::optional<RedOp> redop_of(std::string_view word);
std::optional<Launch> launch_of(std::string_view word);
std::optional<Registration> registration_of(std::string_view word);

/// Bytes of one element.
std::size_t size_of(Dtype dtype);

/// True for the operations that combine elements; the others only move them.
bool reduces(Operation operation);

/// True where the input may lie in the output buffer, by MPI or by NCCL: not for broadcast and
/// sendrecv.
bool has_in_place_form(Operation operation);

/// False where no input is known whose reduction over `ranks` has the same bits in any order: an
/// average of integers over more ranks than the type can count, and one of narrow floating types
/// over more ranks than 1 / ranks is a normal number for, and the same when rounded by way of float
/// (half 8192, float8e5m2 16384, float8e4m3 64).
bool has_exact_result(Dtype dtype, RedOp redop, int ranks);

/// What a library can do, in the order of the enumerators.
struct Repertoire {
  std::vector<Dtype> dtypes;
  std::vector<RedOp> redops;
  std::vector<Operation> in_place;

  std::vector<std::string> dtype_words() const;
  std::vector<std::string> redop_words() const;
  bool in_place_form(Operation operation) const;
};

/// The types that C++ has too; sum, prod, min and max.
Repertoire mpi_repertoire();

/// Every type and reduction; all-to-all has no in-place form there.
Repertoire nccl_repertoire();

}  // namespace rackproof::collectives
