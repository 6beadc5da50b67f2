#include "benches/stream/arrays.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "benches/kit/clock.hpp"

namespace rackproof::stream {
namespace {

// One thread's finding, on a cache line of its own.
struct alignas(64) Part {
  std::int64_t wrong = 0;
  char array = 'a';
  std::size_t index = std::numeric_limits<std::size_t>::max();
};

}  // namespace

template <class T>
Arrays<T>::Arrays(std::size_t count, kit::Pages pages, const Team& team)
    : a_(count, pages), b_(count, pages), c_(count, pages), team_(&team) {}

template <class T>
void Arrays<T>::fill(std::uint64_t seed) {
  team_->run([&](int thread) {
    const Slice part = slice(thread);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      a_[i] = start_value<T>(seed, i);
      // Of the wrong sign: an element that no kernel writes is found.
      b_[i] = -a_[i];
      c_[i] = -a_[i];
    }
  });
}

template <class T>
double Arrays<T>::run(Kernel kernel, const KernelSet<T>& set) {
  constexpr T kFactor = kScalar;
  const double start = kit::now_seconds();
  team_->run([&](int thread) {
    const auto [begin, end] = slice(thread);
    T* const a = a_.data() + begin;
    T* const b = b_.data() + begin;
    T* const c = c_.data() + begin;
    switch (kernel) {
      case Kernel::kCopy:
        set.copy(a, c, end - begin);
        break;
      case Kernel::kScale:
        set.scale(c, b, kFactor, end - begin);
        break;
      case Kernel::kAdd:
        set.add(a, b, c, end - begin);
        break;
      case Kernel::kTriad:
        set.triad(b, c, a, kFactor, end - begin);
        break;
    }
  });
  return kit::now_seconds() - start;
}

template <class T>
Verdict Arrays<T>::verify(std::uint64_t seed, std::int64_t rounds) const {
  if (rounds < 1 || rounds > kMostRounds<T>) throw std::logic_error("rounds that no fill allows");
  const T factors[3] = {factor_of<T>(0, rounds), factor_of<T>(1, rounds), factor_of<T>(2, rounds)};
  const T* const arrays[3] = {a_.data(), b_.data(), c_.data()};
  std::vector<Part> parts(static_cast<std::size_t>(team_->threads()));
  team_->run([&](int thread) {
    Part found;
    const auto [begin, end] = slice(thread);
    for (std::size_t i = begin; i < end; ++i) {
      const T start = start_value<T>(seed, i);
      for (int k = 0; k < 3; ++k) {
        if (arrays[k][i] == start * factors[k]) continue;
        if (found.wrong++ == 0) {
          found.array = static_cast<char>('a' + k);
          found.index = i;
        }
      }
    }
    parts[static_cast<std::size_t>(thread)] = found;
  });
  Verdict verdict;
  verdict.compared = static_cast<std::int64_t>(3 * size());
  for (const Part& part : parts) {
    verdict.wrong += part.wrong;
    if (part.wrong == 0 || verdict.first) continue;
    const int k = part.array - 'a';
    verdict.first = {part.array, part.index, fmt::format("{}", arrays[k][part.index]),
                     fmt::format("{}", start_value<T>(seed, part.index) * factors[k])};
  }
  return verdict;
}

template class Arrays<double>;
template class Arrays<float>;

}  // namespace rackproof::stream
