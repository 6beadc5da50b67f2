#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/report.hpp"

/// What a suite is in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

/// T is S or const S.
template <class T, class S>
concept Is = std::same_as<std::remove_const_t<T>, S>;

template <class V, Is<JudgePolicy> T>
void describe(V& v, T& policy) {
  v.field("peer_outlier_fails", policy.peer_outlier_fails);
  v.field("peer_minimum", policy.peer_minimum);
  v.field("family_alpha", policy.family_alpha);
  v.field("confidence", policy.confidence);
  v.maybe("straddle", policy.straddle);
  v.unless("discovery_rate", policy.discovery_rate, JudgePolicy{}.discovery_rate);
  v.unless("peer_effect", policy.peer_effect, JudgePolicy{}.peer_effect);
}

template <class V, Is<Suppression> T>
void describe(V& v, T& suppression) {
  v.maybe("id", suppression.id);
  v.maybe("subject", suppression.subject);
  v.maybe("fact", suppression.fact);
  v.field("reason", suppression.reason);
  v.field("until", suppression.until);
}

template <class V, Is<SuiteInfo> T>
void describe(V& v, T& suite) {
  v.field("id", suite.id);
  v.field("title", suite.title);
  v.field("digest", suite.digest);
  v.field("policy", suite.policy);
  v.maybe("suppress", suite.suppress);
}

}  // namespace rackproof::model
