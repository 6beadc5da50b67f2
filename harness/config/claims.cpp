#include "harness/config/claims.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "reports/model/glob.hpp"

namespace rackproof::config {
namespace {

constexpr std::size_t kMostClaims = 1000;
constexpr std::int64_t kMostNodes = 1'000'000;
constexpr const char* kMetric = "metric";

std::vector<std::string> read_steps(const document::Field& field, const std::vector<Step>& steps) {
  std::vector<std::string> ids;
  for (const document::Field& item : field.items()) {
    const std::string id = item.name();
    const auto is_it = [&id](const Step& step) { return step.id == id; };
    if (std::none_of(steps.begin(), steps.end(), is_it)) {
      item.fail("the suite has no step '" + id + "'");
    }
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      item.fail("the step '" + id + "' is named a second time");
    }
    ids.push_back(id);
  }
  if (ids.empty()) field.fail("is an empty list; expected at least one step");
  return ids;
}

std::vector<std::string> read_patterns(const document::Field& field) {
  std::vector<std::string> patterns;
  for (const document::Field& item : field.items()) patterns.push_back(item.pattern());
  if (patterns.empty()) field.fail("is an empty list; leave it out where any metric will do");
  return patterns;
}

void read_nodes(const document::Field& field, model::Claim& claim) {
  const document::Object object(field, {"min", "max"});
  if (const auto low = object.find("min")) claim.nodes_min = low->integer(1, kMostNodes);
  if (const auto high = object.find("max")) {
    claim.nodes_max = high->integer(claim.nodes_min.value_or(1), kMostNodes);
  }
  if (!claim.nodes_min && !claim.nodes_max) field.fail("expected 'min', 'max' or both");
}

/// Whether a cell of the expectation can hold the claim. Values of parameters are compared by the
/// judge, which knows the ranks.
bool can_hold(const model::Claim& claim, const Expectation& expectation) {
  const auto fits = [&](const std::string& glob) {
    return model::glob_match(glob, expectation.metric);
  };
  const auto has = [&](const std::string& name) {
    return expectation.each.contains(name) || (name == "domain" && expectation.for_each == "numa");
  };
  if (!expectation.required) return false;
  if (!claim.metrics.empty() && std::none_of(claim.metrics.begin(), claim.metrics.end(), fits)) {
    return false;
  }
  if (!claim.each.empty() && claim.each != kMetric && !has(claim.each)) return false;
  return std::all_of(claim.parameters.begin(), claim.parameters.end(),
                     [&](const auto& wanted) { return has(wanted.first); });
}

/// Only claims named before this one, so that no two take each other away.
std::vector<std::string> read_unless(const document::Field& field,
                                     const std::set<std::string>& earlier) {
  std::vector<std::string> ids;
  for (const document::Field& item : field.items()) {
    ids.push_back(item.name());
    if (!earlier.contains(ids.back())) {
      item.fail("no claim before this one has the id '" + ids.back() + "'");
    }
  }
  if (ids.empty()) field.fail("is an empty list; leave it out where the claim always counts");
  return ids;
}

model::Claim read_claim(const document::Field& field, const std::vector<Step>& steps,
                        const std::set<std::string>& earlier) {
  const document::Object object(
      field, {"id", "title", "steps", "metrics", "parameters", "each", "nodes", "unless"});
  model::Claim claim;
  claim.id = object.require("id").name();
  claim.title = object.require("title").text();
  claim.steps = read_steps(object.require("steps"), steps);
  if (const auto metrics = object.find("metrics")) claim.metrics = read_patterns(*metrics);
  if (const auto parameters = object.find("parameters")) {
    for (const auto& [name, value] : parameters->members()) {
      claim.parameters[name] = value.scalar();
    }
  }
  if (const auto each = object.find("each")) claim.each = each->name();
  if (const auto nodes = object.find("nodes")) read_nodes(*nodes, claim);
  if (const auto unless = object.find("unless")) claim.unless = read_unless(*unless, earlier);
  const bool holds = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    return std::find(claim.steps.begin(), claim.steps.end(), step.id) != claim.steps.end() &&
           std::any_of(step.expect.begin(), step.expect.end(),
                       [&](const Expectation& one) { return can_hold(claim, one); });
  });
  if (!holds) field.fail("its steps expect no required cell that could hold this claim");
  return claim;
}

}  // namespace

std::vector<model::Claim> read_claims(const document::Field& field,
                                      const std::vector<Step>& steps) {
  std::vector<model::Claim> claims;
  std::set<std::string> ids;
  for (const document::Field& item : field.items()) {
    claims.push_back(read_claim(item, steps, ids));
    if (!ids.insert(claims.back().id).second) {
      item.fail("the claim id '" + claims.back().id + "' is used a second time");
    }
    if (claims.size() > kMostClaims) field.fail("has more than 1,000 claims");
  }
  if (claims.empty()) {
    field.fail("is an empty list; leave it out where each step is a claim of its own");
  }
  return claims;
}

}  // namespace rackproof::config
