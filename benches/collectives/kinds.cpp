#include "benches/collectives/kinds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace rackproof::collectives {
namespace {

constexpr std::array<std::string_view, 7> kOperations{
    "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "alltoall", "sendrecv"};
constexpr std::array<std::string_view, 12> kDtypes{"int8",  "uint8",    "int32",      "uint32",
                                                   "int64", "uint64",   "float",      "double",
                                                   "half",  "bfloat16", "float8e4m3", "float8e5m2"};
constexpr std::array<std::string_view, 5> kRedOps{"sum", "prod", "min", "max", "avg"};
constexpr std::array<std::string_view, 2> kLaunches{"plain", "graph"};
constexpr std::array<std::string_view, 3> kRegistrations{"none", "local", "symmetric"};
constexpr std::size_t kMpiDtypes = 8;
constexpr std::size_t kMpiRedOps = 4;

template <class Words>
std::vector<std::string> all(const Words& words) {
  return {words.begin(), words.end()};
}

template <class Kind>
std::vector<Kind> first(std::size_t count) {
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < count; ++i) kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

template <class Kind>
std::vector<std::string> words_of(const std::vector<Kind>& kinds) {
  std::vector<std::string> words;
  for (const Kind kind : kinds) words.emplace_back(word(kind));
  return words;
}

template <class Kind, class Words>
std::optional<Kind> find(const Words& words, std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view word(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}
std::string_view word(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }
std::string_view word(RedOp redop) { return kRedOps[static_cast<std::size_t>(redop)]; }
std::string_view word(Launch launch) { return kLaunches[static_cast<std::size_t>(launch)]; }
std::string_view word(Registration registration) {
  return kRegistrations[static_cast<std::size_t>(registration)];
}

std::vector<std::string> operation_words() { return all(kOperations); }
std::vector<std::string> dtype_words() { return all(kDtypes); }
std::vector<std::string> redop_words() { return all(kRedOps); }
std::vector<std::string> launch_words() { return all(kLaunches); }
std::vector<std::string> registration_words() { return all(kRegistrations); }

std::optional<Operation> operation_of(std::string_view word) {
  return find<Operation>(kOperations, word);
}
std::optional<Dtype> dtype_of(std::string_view word) { return find<Dtype>(kDtypes, word); }
std::optional<RedOp> redop_of(std::string_view word) { return find<RedOp>(kRedOps, word); }
std::optional<Launch> launch_of(std::string_view word) { return find<Launch>(kLaunches, word); }
std::optional<Registration> registration_of(std::string_view word) {
  return find<Registration>(kRegistrations, word);
}

std::size_t size_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
    case Dtype::kUint8:
    case Dtype::kFloat8E4M3:
    case Dtype::kFloat8E5M2:
      return 1;
    case Dtype::kHalf:
    case Dtype::kBfloat16:
      return 2;
    case Dtype::kInt32:
    case Dtype::kUint32:
    case Dtype::kFloat:
      return 4;
    case Dtype::kInt64:
    case Dtype::kUint64:
    case Dtype::kDouble:
      return 8;
  }
  return 0;
}

bool reduces(Operation operation) {
  return operation == Operation::kAllReduce || operation == Operation::kReduceScatter ||
         operation == Operation::kReduce;
}

bool has_in_place_form(Operation operation) {
  return operation != Operation::kBroadcast && operation != Operation::kSendRecv;
}

bool has_exact_result(Dtype dtype, RedOp redop, int ranks) {
  if (redop != RedOp::kAvg) return true;
  switch (dtype) {
    case Dtype::kInt8:
      return ranks <= INT8_MAX;
    case Dtype::kUint8:
      return ranks <= UINT8_MAX;
    case Dtype::kHalf:
      return ranks <= 1 << 13;
    case Dtype::kFloat8E5M2:
      return ranks <= 1 << 14;
    case Dtype::kFloat8E4M3:
      return ranks <= 1 << 6;
    case Dtype::kInt32:
    case Dtype::kUint32:
    case Dtype::kInt64:
    case Dtype::kUint64:
    case Dtype::kFloat:
    case Dtype::kDouble:
    case Dtype::kBfloat16:
      break;
  }
  return true;
}

std::vector<std::string> Repertoire::dtype_words() const { return words_of(dtypes); }
std::vector<std::string> Repertoire::redop_words() const { return words_of(redops); }

bool Repertoire::in_place_form(Operation operation) const {
  return std::find(in_place.begin(), in_place.end(), operation) != in_place.end();
}

Repertoire mpi_repertoire() {
  return {first<Dtype>(kMpiDtypes),
          first<RedOp>(kMpiRedOps),
          {Operation::kAllReduce, Operation::kAllGather, Operation::kReduceScatter,
           Operation::kReduce, Operation::kAllToAll}};
}

Repertoire nccl_repertoire() {
  return {first<Dtype>(kDtypes.size()),
          first<RedOp>(kRedOps.size()),
          {Operation::kAllReduce, Operation::kAllGather, Operation::kReduceScatter,
           Operation::kReduce}};
}

}  // namespace rackproof::collectives
