#include "harness/config/suite_plan.hpp"

#include <string>

namespace rackproof::config {
namespace {

constexpr int kMostSteps = 100'000;
constexpr std::size_t kDigest = 64;

double read_share(const document::Field& field) {
  const double share = field.number();
  if (share < 0 || share > 1) {
    field.fail("expected a share from 0 to 1, got " + document::number_text(share));
  }
  return share;
}

double read_count(const document::Field& field) {
  const double count = field.number();
  if (count < 0) field.fail("expected no less than 0, got " + document::number_text(count));
  return count;
}

model::MissedFault read_missed(const document::Field& field) {
  const document::Object object(field, {"id", "title", "expected", "missed"});
  model::MissedFault fault;
  fault.id = object.require("id").name();
  fault.title = object.require("title").text();
  fault.expected = read_count(object.require("expected"));
  const document::Field missed = object.require("missed");
  fault.missed = read_count(missed);
  if (fault.missed > fault.expected) {
    missed.fail("is " + document::number_text(fault.missed) + ", more than the " +
                document::number_text(fault.expected) + " that are expected");
  }
  return fault;
}

}  // namespace

model::SuitePlan read_suite_plan(const document::Field& field, std::size_t steps) {
  const document::Object object(field, {"of", "of_digest", "of_steps", "left_out", "budget",
                                        "usual", "missed", "missed_by_all", "basis", "faults"});
  model::SuitePlan plan;
  plan.of = object.require("of").name();
  const document::Field digest = object.require("of_digest");
  plan.of_digest = digest.text();
  if (plan.of_digest.size() != kDigest) digest.fail("expected a SHA-256 in hexadecimal");
  const document::Field of_steps = object.require("of_steps");
  plan.of_steps = static_cast<int>(of_steps.integer(1, kMostSteps));
  if (const auto left_out = object.find("left_out")) {
    for (const document::Field& item : left_out->items()) plan.left_out.push_back(item.name());
  }
  if (steps + plan.left_out.size() != static_cast<std::size_t>(plan.of_steps)) {
    of_steps.fail("is " + std::to_string(plan.of_steps) + ", and there are " +
                  std::to_string(steps) + " steps here and " +
                  std::to_string(plan.left_out.size()) + " that were left out");
  }
  plan.budget_seconds = object.require("budget").seconds();
  plan.usual_seconds = object.require("usual").seconds();
  plan.missed = read_share(object.require("missed"));
  plan.missed_by_all = read_share(object.require("missed_by_all"));
  plan.basis = object.require("basis").text();
  for (const document::Field& item : object.require("faults").items()) {
    plan.faults.push_back(read_missed(item));
  }
  return plan;
}

}  // namespace rackproof::config
