#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/reduction/kinds.hpp"

namespace rackproof::collectives {

using reduction::Dtype;
using reduction::RedOp;

enum class Operation {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSendRecv,
};

/// How an operation is started: by a call each, or as a part of a CUDA graph.
enum class Launch { kPlain, kGraph };

/// What the library is told of the buffers before: nothing, each rank its own, or all ranks
/// together as one symmetric window.
enum class Registration { kNone, kLocal, kSymmetric };

/// The words of options, records and tables: "all_reduce", "graph".
std::string_view word(Operation operation);
std::string_view word(Launch launch);
std::string_view word(Registration registration);

/// Every word, in the order of the enumerators.
std::vector<std::string> operation_words();
std::vector<std::string> launch_words();
std::vector<std::string> registration_words();

/// The enumerator for a word, or nothing.
std::optional<Operation> operation_of(std::string_view word);
std::optional<Launch> launch_of(std::string_view word);
std::optional<Registration> registration_of(std::string_view word);

/// True for the operations that combine elements; the others only move them.
bool reduces(Operation operation);

/// True where the input may lie in the output buffer, by MPI or by NCCL: not for broadcast and
/// sendrecv.
bool has_in_place_form(Operation operation);

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
