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

enum class Dtype { kInt8, kUint8, kInt32, kUint32, kInt64, kUint64, kFloat, kDouble };

enum class RedOp { kSum, kProd, kMin, kMax };

/// The words of options, records and tables: "all_reduce", "float", "sum".
std::string_view word(Operation operation);
std::string_view word(Dtype dtype);
std::string_view word(RedOp redop);

/// Every word, in the order of the enumerators.
std::vector<std::string> operation_words();
std::vector<std::string> dtype_words();
std::vector<std::string> redop_words();

/// The enumerator for a word, or nothing.
std::optional<Operation> operation_of(std::string_view word);
std::optional<Dtype> dtype_of(std::string_view word);
std::optional<RedOp> redop_of(std::string_view word);

/// Bytes of one element.
std::size_t size_of(Dtype dtype);

/// True for the operations that combine elements; the others only move them.
bool reduces(Operation operation);

/// True for the operations that MPI and NCCL can do with the input lying in the output buffer.
bool has_in_place_form(Operation operation);

}  // namespace rackproof::collectives
