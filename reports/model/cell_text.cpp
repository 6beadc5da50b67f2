#include "reports/model/cell_text.hpp"

#include <fmt/format.h>

#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::model {

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string what_of(const std::string& metric, const contract::Parameters& parameters) {
  return parameters.empty() ? metric : metric + " " + to_text(parameters);
}

std::string what_of(const Cell& cell) { return what_of(cell.metric, cell.parameters); }

std::string unit_of(const Cell& cell) {
  return cell.measurements.empty() ? std::string() : cell.measurements.back().unit;
}

std::string limit_text(const std::optional<double>& low, const std::optional<double>& high,
                       const std::string& unit) {
  if (low && high) return quantity(*low, unit) + " to " + quantity(*high, unit);
  if (low) return ">= " + quantity(*low, unit);
  if (high) return "<= " + quantity(*high, unit);
  return {};
}

std::string limit_of(const Cell& cell) {
  return limit_text(cell.verdict.limit_low, cell.verdict.limit_high, unit_of(cell));
}

std::string numbers_of(const Cell& cell) {
  const Verdict& verdict = cell.verdict;
  if (!verdict.observed) return {};
  const std::string unit = unit_of(cell);
  std::string text =
      fmt::format("{} ({})", quantity(*verdict.observed, unit), contract::word(verdict.statistic));
  if (const std::string limit = limit_of(cell); !limit.empty()) text += ", limit " + limit;
  if (verdict.ratio) text += fmt::format(", {:.4g} % of expected", *verdict.ratio * 100);
  if (verdict.interval_low && verdict.interval_high) {
    text += fmt::format(
        ", {}interval {} to {}",
        verdict.confidence ? fmt::format("{:.4g} % ", *verdict.confidence * 100) : std::string(),
        quantity(*verdict.interval_low, unit), quantity(*verdict.interval_high, unit));
  }
  return text;
}

std::string reason_of(const Cell& cell) {
  const Verdict& verdict = cell.verdict;
  return verdict.reason.empty() ? verdict.reason_id : verdict.reason_id + ": " + verdict.reason;
}

std::string causes_of(const Cell& cell) {
  std::string text;
  for (const Cause& cause : cell.causes) {
    text += text.empty() ? "" : "; ";
    text +=
        cause.subject.empty() ? cause.text : fmt::format("seen: {}: {}", cause.subject, cause.text);
  }
  return text;
}

}  // namespace rackproof::model
