#include "benches/stream/kernels.hpp"

#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include "benches/kit/buffer.hpp"

using namespace rackproof;
using namespace rackproof::stream;

namespace {

template <class T>
std::vector<KernelSet<T>> all_sets() {
  const auto found = candidates<T>();
  std::vector<KernelSet<T>> sets(found.ordinary, found.ordinary + found.ordinary_count);
  sets.insert(sets.end(), found.nontemporal, found.nontemporal + found.nontemporal_count);
  return sets;
}

// Every length around the vector widths, with a guard element after the end.
template <class T>
void check_set(const KernelSet<T>& set, std::size_t n) {
  INFO(set.name << ", " << n << " elements");
  const kit::Buffer<T> a(n + 1);
  const kit::Buffer<T> b(n + 1);
  const kit::Buffer<T> c(n + 1);
  for (std::size_t i = 0; i <= n; ++i) a[i] = static_cast<T>(i + 1);
  b[n] = c[n] = 77;
  bool right = true;
  set.copy(a.data(), c.data(), n);
  for (std::size_t i = 0; i < n; ++i) right = right && c[i] == static_cast<T>(i + 1);
  set.scale(c.data(), b.data(), 3, n);
  for (std::size_t i = 0; i < n; ++i) right = right && b[i] == static_cast<T>(3 * (i + 1));
  set.add(a.data(), b.data(), c.data(), n);
  for (std::size_t i = 0; i < n; ++i) right = right && c[i] == static_cast<T>(4 * (i + 1));
  set.triad(b.data(), c.data(), a.data(), 3, n);
  for (std::size_t i = 0; i < n; ++i) right = right && a[i] == static_cast<T>(15 * (i + 1));
  CHECK(right);
  CHECK(a[n] == static_cast<T>(n + 1));
  CHECK(b[n] == 77);
  CHECK(c[n] == 77);
}

}  // namespace

TEMPLATE_TEST_CASE("every kernel set computes the same", "", double, float) {
  const auto sets = all_sets<TestType>();
  REQUIRE_FALSE(sets.empty());
  for (const auto& set : sets) {
    for (const std::size_t n : {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 1000}) {
      check_set<TestType>(set, n);
    }
  }
}

TEST_CASE("ordinary sets exist everywhere, and names are told apart") {
  const auto sets = all_sets<double>();
  CHECK(candidates<double>().ordinary_count >= 1);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(std::string(sets[i].name) != sets[j].name);
  }
}
