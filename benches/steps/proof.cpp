#include "benches/steps/proof.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/product/digest.hpp"
#include "benches/kit/product/mix.hpp"

namespace rackproof::steps {
namespace {

// Rows that are computed again, element by element, to say where a tensor is wrong.
constexpr std::size_t kSearchedRows = 4;

product::Matrix<float> matrix_of(const Tensor& tensor) {
  return {tensor.data, tensor.expected.rows(), tensor.expected.columns};
}

int sign_of(const Tensor& tensor, int of_step) { return tensor.turns ? of_step : 1; }

// The expected sums of a step of the other sign are those of this one, negated.
std::vector<std::int64_t> rows_not_exact(const Tensor& tensor, int sign, std::uint64_t seed) {
  if (sign > 0) return wrong_rows(tensor.expected, matrix_of(tensor), seed);
  std::vector<float> turned(tensor.data, tensor.data + matrix_of(tensor).size());
  for (float& value : turned) value = -value;
  const auto all = matrix_of(tensor);
  return wrong_rows(tensor.expected, {turned.data(), all.rows, all.columns}, seed);
}

}  // namespace

std::string place_of(const Tensor& tensor) {
  std::string place = fmt::format("layer {}, {}", tensor.layer, tensor.name);
  if (tensor.micro_batch >= 0) place += fmt::format(", micro-batch {}", tensor.micro_batch);
  return place;
}

void Proof::add(Tensor tensor) { kept_.push_back({std::move(tensor), {}}); }

std::int64_t Proof::elements() const {
  std::int64_t sum = 0;
  for (const Kept& kept : kept_) sum += matrix_of(kept.tensor).size();
  return sum;
}

void Proof::inject(const kit::Injection& injection) {
  std::int64_t element = injection.element % std::max<std::int64_t>(1, elements());
  for (const Kept& kept : kept_) {
    const std::int64_t size = matrix_of(kept.tensor).size();
    if (element < size)
      return kit::flip({element, injection.bit}, kept.tensor.data, size, sizeof(float));
    element -= size;
  }
}

void Proof::check_exactly(int sign) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    Kept& kept = kept_[i];
    const int own = sign_of(kept.tensor, sign);
    findings_.compared += matrix_of(kept.tensor).size();
    const auto rows = rows_not_exact(kept.tensor, own, product::mix(seed_, i));
    find_wrong(kept.tensor, rows, own);
    kept.digests.clear();
    if (rows.empty()) kept.digests = product::row_digests(matrix_of(kept.tensor), own);
  }
}

void Proof::check(int sign) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    Kept& kept = kept_[i];
    const int own = sign_of(kept.tensor, sign);
    findings_.compared += matrix_of(kept.tensor).size();
    if (kept.digests.empty()) {
      find_wrong(kept.tensor, rows_not_exact(kept.tensor, own, product::mix(seed_, i)), own);
      continue;
    }
    const auto digests = product::row_digests(matrix_of(kept.tensor), own);
    if (digests == kept.digests) continue;
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < digests.size(); ++row) {
      if (digests[row] != kept.digests[row]) rows.push_back(static_cast<std::int64_t>(row));
    }
    find_wrong(kept.tensor, rows, own);
  }
}

// Computes the elements of suspect rows again; those of the first few, since each costs its depth.
void Proof::find_wrong(const Tensor& tensor, const std::vector<std::int64_t>& rows, int sign) {
  const std::size_t searched = std::min(rows.size(), kSearchedRows);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (at >= searched) {  // one at least is wrong in each
      findings_.wrong += 1;
      findings_.all_counted = false;
      continue;
    }
    for (std::int64_t j = 0; j < tensor.expected.columns; ++j) {
      const float got = tensor.data[rows[at] * tensor.expected.columns + j];
      const std::int64_t want = sign * tensor.expected.at(rows[at], j);
      if (got == static_cast<float>(want)) continue;
      ++findings_.wrong;
      if (findings_.first) continue;
      findings_.first = Findings::First{
          fmt::format("{}, row {}, column {}", place_of(tensor), rows[at], j), got, want};
    }
  }
}

}  // namespace rackproof::steps
