#include "harness/recognise/match.hpp"

#include <algorithm>

#include "reports/model/glob.hpp"

namespace rackproof::recognise {

std::optional<double> number(const contract::Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* broken = std::get_if<double>(&value)) return *broken;
  return std::nullopt;
}

bool same(const contract::Scalar& left, const contract::Scalar& right) {
  if (left.index() == right.index()) return left == right;
  const auto a = number(left);
  const auto b = number(right);
  return a && b && *a == *b;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

bool parameters_match(const contract::Parameters& wanted, const contract::Parameters& have) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
    const auto found = have.find(entry.first);
    if (found == have.end()) return false;
    const auto* text = std::get_if<std::string>(&entry.second);
    if (text != nullptr && is_glob(*text)) {
      return model::glob_match(*text, model::to_text(found->second));
    }
    return same(entry.second, found->second);
  });
}

bool is_about(const model::MetricBound& bound, const model::Cell& cell,
              const model::StepInfo* step) {
  const bool backend = step == nullptr || std::find(bound.backends.begin(), bound.backends.end(),
                                                    step->backend) != bound.backends.end();
  return backend && parameters_match(bound.where, cell.parameters);
}

}  // namespace rackproof::recognise
