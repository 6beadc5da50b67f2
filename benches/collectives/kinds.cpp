#include "benches/collectives/kinds.hpp"

#include <array>

namespace rackproof::collectives {
namespace {

constexpr std::array<std::string_view, 7> kOperations{
    "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "alltoall", "sendrecv"};
constexpr std::array<std::string_view, 8> kDtypes{"int8",  "uint8",  "int32", "uint32",
                                                  "int64", "uint64", "float", "double"};
constexpr std::array<std::string_view, 4> kRedOps{"sum", "prod", "min", "max"};

template <class Words>
std::vector<std::string> all(const Words& words) {
  return {words.begin(), words.end()};
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

std::vector<std::string> operation_words() { return all(kOperations); }
std::vector<std::string> dtype_words() { return all(kDtypes); }
std::vector<std::string> redop_words() { return all(kRedOps); }

std::optional<Operation> operation_of(std::string_view word) {
  return find<Operation>(kOperations, word);
}
std::optional<Dtype> dtype_of(std::string_view word) { return find<Dtype>(kDtypes, word); }
std::optional<RedOp> redop_of(std::string_view word) { return find<RedOp>(kRedOps, word); }

std::size_t size_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
    case Dtype::kUint8:
      return 1;
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

}  // namespace rackproof::collectives
