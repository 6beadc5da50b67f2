#include "benches/kit/results.hpp"

#include <stdexcept>
#include <utility>

#include "benches/kit/statistics.hpp"

namespace rackproof::kit {
namespace {

double value_of(const std::vector<double>& samples, contract::Statistic statistic,
                contract::Better better) {
  using contract::Statistic;
  const bool more = better == contract::Better::kMore;
  switch (statistic) {
    case Statistic::kValue:
      if (samples.size() != 1) throw std::invalid_argument("a single value has one sample");
      return samples.front();
    case Statistic::kBest:
      return more ? largest(samples) : smallest(samples);
    case Statistic::kWorst:
      return more ? smallest(samples) : largest(samples);
    case Statistic::kMedian:
      return median(samples);
    case Statistic::kMean:
      return mean(samples);
    case Statistic::kP99:
      return percentile(samples, more ? 1 : 99);
    case Statistic::kP05:
      break;
  }
  throw std::invalid_argument("no record carries this statistic");
}

}  // namespace

protocol::Check check_of(std::string name, std::string detail, std::int64_t compared,
                         std::int64_t wrong, std::optional<protocol::FirstWrong> first_wrong) {
  protocol::Check check;
  check.name = std::move(name);
  check.detail = std::move(detail);
  check.compared = compared;
  check.wrong = wrong;
  check.first_wrong = std::move(first_wrong);
  decide(check);
  return check;
}

void decide(protocol::Check& check) { check.passed = check.compared > 0 && check.wrong == 0; }

protocol::Metric metric_of(std::string name, std::string unit, contract::Better better,
                           std::string check) {
  protocol::Metric metric;
  metric.name = std::move(name);
  metric.unit = std::move(unit);
  metric.better = better;
  metric.check = std::move(check);
  return metric;
}

void put_samples(protocol::Metric& metric, contract::Statistic statistic,
                 std::vector<double> samples) {
  metric.value = value_of(samples, statistic, metric.better);
  metric.statistic = statistic;
  metric.samples = std::move(samples);
}

protocol::Subject device_subject(std::string uuid) {
  return {contract::SubjectKind::kDevice, std::move(uuid), ""};
}

protocol::Subject group_subject() { return {contract::SubjectKind::kGroup, "", ""}; }

}  // namespace rackproof::kit
