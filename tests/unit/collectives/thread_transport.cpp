#include "tests/unit/collectives/thread_transport.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

#include "benches/kit/reduction/verifiable.hpp"
#include "tests/unit/kit_reduction/arithmetic.hpp"

namespace rackproof::collectives {

using namespace reduction;
namespace {

// One element after the other through the arithmetic of the tests, which knows every type.
void fold(const void* in, std::int64_t first, std::int64_t count, Dtype dtype, RedOp redop,
          int ranks, bool start, char* out) {
  const std::size_t width = size_of(dtype);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t element = bits_at(in, first + i, dtype);
    if (redop == RedOp::kAvg) element = scaled_before(element, dtype, ranks);
    if (!start) element = combined(bits_at(out, i, dtype), element, dtype, redop);
    std::memcpy(out + static_cast<std::size_t>(i) * width, &element, width);
  }
}

void finish_average(std::int64_t count, Dtype dtype, int ranks, char* out) {
  const std::size_t width = size_of(dtype);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t mean = divided_after(bits_at(out, i, dtype), dtype, ranks);
    std::memcpy(out + static_cast<std::size_t>(i) * width, &mean, width);
  }
}

void append(std::vector<char>& to, const void* from, std::int64_t offset, std::int64_t bytes) {
  const char* start = static_cast<const char*>(from) + offset;
  to.insert(to.end(), start, start + bytes);
}

}  // namespace

std::vector<char> ThreadTransport::reduced(std::int64_t first, std::int64_t count, Dtype dtype,
                                           RedOp redop) const {
  std::vector<char> result(static_cast<std::size_t>(count) * size_of(dtype));
  bool start = true;
  for (int i = 0; i < group_.size; ++i) {
    const int source = group_.reversed ? group_.size - 1 - i : i;
    if (source == group_.dropped_rank) continue;
    fold(group_.in[source], first, count, dtype, redop, group_.size, start, result.data());
    start = false;
  }
  if (redop == RedOp::kAvg) finish_average(count, dtype, group_.size, result.data());
  return result;
}

void ThreadTransport::exchange(const void* in, void* out, const Build& build) {
  group_.in[rank_] = in;
  barrier();
  const std::vector<char> result = build();
  barrier();
  const bool skipped = group_.skip && group_.skip(rank_, operations_);
  if (!result.empty() && !skipped) std::memcpy(out, result.data(), result.size());
  if (group_.spoil) group_.spoil(rank_, operations_, out);
  ++operations_;
}

void ThreadTransport::all_reduce(const void* in, void* out, std::int64_t count, Dtype dtype,
                                 RedOp redop) {
  exchange(in == nullptr ? out : in, out, [&] { return reduced(0, count, dtype, redop); });
}

void ThreadTransport::all_gather(const void* in, void* out, std::int64_t count, Dtype dtype) {
  const std::int64_t bytes = count * static_cast<std::int64_t>(size_of(dtype));
  exchange(in == nullptr ? static_cast<char*>(out) + rank_ * bytes : in, out, [&] {
    std::vector<char> result;
    for (const void* source : group_.in) append(result, source, 0, bytes);
    return result;
  });
}

void ThreadTransport::reduce_scatter(const void* in, void* out, std::int64_t count, Dtype dtype,
                                     RedOp redop) {
  exchange(in == nullptr ? out : in, out,
           [&] { return reduced(rank_ * count, count, dtype, redop); });
}

void ThreadTransport::broadcast(const void* in, void* out, std::int64_t count, Dtype dtype) {
  exchange(in, out, [&] {
    std::vector<char> result;
    if (rank_ != kRoot) {
      append(result, group_.in[kRoot], 0, count * static_cast<std::int64_t>(size_of(dtype)));
    }
    return result;
  });
}

void ThreadTransport::reduce(const void* in, void* out, std::int64_t count, Dtype dtype,
                             RedOp redop) {
  exchange(in == nullptr ? out : in, out,
           [&] { return rank_ == kRoot ? reduced(0, count, dtype, redop) : std::vector<char>{}; });
}

void ThreadTransport::all_to_all(const void* in, void* out, std::int64_t count, Dtype dtype) {
  const std::int64_t bytes = count * static_cast<std::int64_t>(size_of(dtype));
  exchange(in == nullptr ? out : in, out, [&] {
    std::vector<char> result;
    for (const void* source : group_.in) append(result, source, rank_ * bytes, bytes);
    return result;
  });
}

void ThreadTransport::send_recv(const void* in, void* out, std::int64_t count, Dtype dtype) {
  exchange(in, out, [&] {
    std::vector<char> result;
    append(result, group_.in[(rank_ + group_.size - 1) % group_.size], 0,
           count * static_cast<std::int64_t>(size_of(dtype)));
    return result;
  });
}

void ThreadTransport::max_over_ranks(std::span<double> values) {
  const std::vector<double> all = gather(values);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double& value = values[i % values.size()];
    value = std::max(value, all[i]);
  }
}

std::vector<double> ThreadTransport::gather(std::span<const double> values) {
  group_.numbers[rank_].assign(values.begin(), values.end());
  barrier();
  std::vector<double> all;
  for (const auto& numbers : group_.numbers) all.insert(all.end(), numbers.begin(), numbers.end());
  barrier();
  return all;
}

void run_group(ThreadGroup& group, const std::function<void(ThreadTransport&)>& body) {
  std::vector<std::exception_ptr> errors(group.size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < group.size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadTransport transport(group, rank);
        body(transport);
      } catch (...) {
        errors[rank] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace rackproof::collectives
