#include "tests/unit/collectives/thread_transport.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <type_traits>

namespace rackproof::collectives {
namespace {

template <class T>
T combine(T a, T b, RedOp redop) {
  // Integers wrap, as every MPI and NCCL does it; unsigned arithmetic says so without overflow.
  using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                        std::type_identity<T>>::type;
  switch (redop) {
    case RedOp::kSum:
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    case RedOp::kProd:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
      } else {
        return a * b;
      }
    case RedOp::kMin:
      return std::min(a, b);
    case RedOp::kMax:
      break;
  }
  return std::max(a, b);
}

template <class T>
void fold(const void* in, std::int64_t first, std::int64_t count, RedOp redop, bool start,
          void* out) {
  const T* from = static_cast<const T*>(in) + first;
  T* to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = start ? from[i] : combine(to[i], from[i], redop);
  }
}

using Fold = void (*)(const void*, std::int64_t, std::int64_t, RedOp, bool, void*);

Fold fold_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
      return fold<std::int8_t>;
    case Dtype::kUint8:
      return fold<std::uint8_t>;
    case Dtype::kInt32:
      return fold<std::int32_t>;
    case Dtype::kUint32:
      return fold<std::uint32_t>;
    case Dtype::kInt64:
      return fold<std::int64_t>;
    case Dtype::kUint64:
      return fold<std::uint64_t>;
    case Dtype::kFloat:
      return fold<float>;
    case Dtype::kDouble:
      break;
  }
  return fold<double>;
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
    fold_of(dtype)(group_.in[source], first, count, redop, start, result.data());
    start = false;
  }
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
