#include "benches/kit/reporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "contract/unit.hpp"

namespace rackproof::kit {
namespace {

bool sane(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

std::string describe_failure(const protocol::Check& check) {
  std::string text = fmt::format("{}: {}", check.name, check.detail);
  text += fmt::format(": {} of {} wrong", check.wrong, check.compared);
  if (check.first_wrong) {
    text += fmt::format("; first at {}: got {}, want {}", check.first_wrong->where,
                        check.first_wrong->got, check.first_wrong->want);
  }
  return text;
}

void Reporter::check(protocol::Check record) {
  if (record.name.empty()) throw std::logic_error("a check without a name");
  if (!record.digest.empty() && !protocol::is_digest(record.digest)) {
    throw std::logic_error("check '" + record.name + "' has a digest that is no lower-case hex");
  }
  if (record.passed && record.compared <= 0) {
    record.passed = false;
    record.detail += " (nothing was compared)";
  }
  if (record.wrong > 0 || record.first_wrong) record.passed = false;
  if (!checks_.emplace(record.name, record.passed).second) {
    throw std::logic_error("check '" + record.name + "' was said twice");
  }
  if (!record.passed && first_failure_.empty()) first_failure_ = describe_failure(record);
  say(record);
}

void Reporter::metric(protocol::Metric record) {
  const auto proof = checks_.find(record.check);
  if (proof == checks_.end()) {
    throw std::logic_error("metric '" + record.name + "' names check '" + record.check +
                           "', which has not been said");
  }
  if (!contract::is_base_unit(record.unit)) {
    throw std::logic_error("metric '" + record.name + "' has unit '" + record.unit +
                           "'; records take base units");
  }
  if (!sane(record.value) || !std::all_of(record.samples.begin(), record.samples.end(), sane)) {
    refuse_not_finite(record);
    return;
  }
  say(std::move(record), proof->second);
}

void Reporter::refuse_not_finite(const protocol::Metric& record) {
  protocol::Check check;
  check.name = record.name + ".finite";
  for (int again = 2; checks_.contains(check.name); ++again) {
    check.name = fmt::format("{}.finite.{}", record.name, again);
  }
  check.detail = "a measurement is a finite number, not negative";
  check.compared = static_cast<std::int64_t>(record.samples.size()) + 1;
  const auto note_wrong = [&](double value, const std::string& where) {
    if (sane(value)) return;
    ++check.wrong;
    if (!check.first_wrong) {
      check.first_wrong = {where, fmt::format("{} {}", value, record.unit), "0 or more"};
    }
  };
  note_wrong(record.value, "value");
  for (std::size_t i = 0; i < record.samples.size(); ++i) {
    note_wrong(record.samples[i], fmt::format("sample {}", i));
  }
  this->check(std::move(check));
}

}  // namespace rackproof::kit
