#include "benches/collectives/kinds.hpp"

#include <algorithm>
#include <array>

namespace rackproof::collectives {
namespace {

constexpr std::array<std::string_view, 7> kOperations{
    "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "alltoall", "sendrecv"};
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
std::string_view word(Launch launch) { return kLaunches[static_cast<std::size_t>(launch)]; }
std::string_view word(Registration registration) {
  return kRegistrations[static_cast<std::size_t>(registration)];
}

std::vector<std::string> operation_words() { return all(kOperations); }
std::vector<std::string> launch_words() { return all(kLaunches); }
std::vector<std::string> registration_words() { return all(kRegistrations); }

std::optional<Operation> operation_of(std::string_view word) {
  return find<Operation>(kOperations, word);
}
std::optional<Launch> launch_of(std::string_view word) { return find<Launch>(kLaunches, word); }
std::optional<Registration> registration_of(std::string_view word) {
  return find<Registration>(kRegistrations, word);
}

bool reduces(Operation operation) {
  return operation == Operation::kAllReduce || operation == Operation::kReduceScatter ||
         operation == Operation::kReduce;
}

bool has_in_place_form(Operation operation) {
  return operation != Operation::kBroadcast && operation != Operation::kSendRecv;
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
  return {first<Dtype>(reduction::dtype_words().size()),
          first<RedOp>(reduction::redop_words().size()),
          {Operation::kAllReduce, Operation::kAllGather, Operation::kReduceScatter,
           Operation::kReduce}};
}

}  // namespace rackproof::collectives
