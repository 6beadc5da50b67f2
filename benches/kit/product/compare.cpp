#include "benches/kit/product/compare.hpp"

#include <fmt/format.h>

namespace rackproof::product {
namespace {

template <class T>
std::int64_t count_wrong(const T* want, const T* got, std::int64_t count, T sign) {
  std::int64_t wrong = 0;
  for (std::int64_t j = 0; j < count; ++j) wrong += static_cast<int>(got[j] != sign * want[j]);
  return wrong;
}

template <class T>
Fault compare_all(const Matrix<T>& want, const Matrix<T>& got, int sign, const std::string& where) {
  const T factor = static_cast<T>(sign);
  std::int64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (std::int64_t i = 0; i < want.rows; ++i) {
    wrong += count_wrong(want.row(i), got.row(i), want.columns, factor);
  }
  Fault fault;
  fault.wrong = wrong;
  for (std::int64_t at = 0; wrong > 0 && at < want.size(); ++at) {
    if (got.data[at] == factor * want.data[at]) continue;
    fault.first = protocol::FirstWrong{
        fmt::format("{}row {}, column {}", where, at / want.columns, at % want.columns),
        fmt::format("{}", got.data[at]), fmt::format("{}", factor * want.data[at])};
    fault.detail = fmt::format("{} of {} elements differ", wrong, want.size());
    break;
  }
  return fault;
}

}  // namespace

Fault compare(const Matrix<double>& want, const Matrix<double>& got, int sign,
              const std::string& where) {
  return compare_all(want, got, sign, where);
}
Fault compare(const Matrix<float>& want, const Matrix<float>& got, int sign,
              const std::string& where) {
  return compare_all(want, got, sign, where);
}

}  // namespace rackproof::product
