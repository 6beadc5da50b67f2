#pragma once

#include <concepts>
#include <type_traits>

#include "reports/json/json_fields_extent.hpp"
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
  v.unless("peer_margin", policy.peer_margin, JudgePolicy{}.peer_margin);
  v.unless("peer_confirmations", policy.peer_confirmations, JudgePolicy{}.peer_confirmations);
  v.maybe("disturbed", policy.disturbed);
  v.unless("disturbed_share", policy.disturbed_share, JudgePolicy{}.disturbed_share);
  v.maybe("accept_groups", policy.accept_groups);
  v.maybe("recorded", policy.recorded);
}

template <class V, Is<Suppression> T>
void describe(V& v, T& suppression) {
  v.maybe("id", suppression.id);
  v.maybe("subject", suppression.subject);
  v.maybe("fact", suppression.fact);
  v.field("reason", suppression.reason);
  v.field("until", suppression.until);
}

template <class V, Is<CellWaiver> T>
void describe(V& v, T& waiver) {
  v.field("step", waiver.step);
  v.field("metric", waiver.metric);
  v.field("parameters", waiver.parameters);
  v.field("subject", waiver.subject);
  v.field("reason", waiver.reason);
  v.field("until", waiver.until);
  v.field("approved_by", waiver.approved_by);
  v.maybe("ticket", waiver.ticket);
  v.maybe("limit", waiver.limit);
  v.maybe("unit", waiver.unit);
}

template <class V, Is<Claim> T>
void describe(V& v, T& claim) {
  v.field("id", claim.id);
  v.field("title", claim.title);
  v.field("steps", claim.steps);
  v.maybe("metrics", claim.metrics);
  v.maybe("parameters", claim.parameters);
  v.maybe("each", claim.each);
  v.maybe("nodes_min", claim.nodes_min);
  v.maybe("nodes_max", claim.nodes_max);
  v.maybe("unless", claim.unless);
}

template <class V, Is<ClaimState> T>
void describe(V& v, T& state) {
  v.field("id", state.id);
  v.field("title", state.title);
  v.field("places", state.places);
  v.field("held", state.held);
  v.maybe("missing", state.missing);
  v.maybe("accepted", state.accepted);
}

template <class V, Is<MissedFault> T>
void describe(V& v, T& fault) {
  v.field("id", fault.id);
  v.field("title", fault.title);
  v.field("expected", fault.expected);
  v.field("missed", fault.missed);
}

template <class V, Is<SuitePlan> T>
void describe(V& v, T& plan) {
  v.field("of", plan.of);
  v.field("of_digest", plan.of_digest);
  v.field("of_steps", plan.of_steps);
  v.maybe("left_out", plan.left_out);
  v.field("budget_seconds", plan.budget_seconds);
  v.field("usual_seconds", plan.usual_seconds);
  v.field("missed", plan.missed);
  v.field("missed_by_all", plan.missed_by_all);
  v.field("basis", plan.basis);
  v.field("faults", plan.faults);
}

template <class V, Is<SuiteInfo> T>
void describe(V& v, T& suite) {
  v.field("id", suite.id);
  v.field("title", suite.title);
  v.field("digest", suite.digest);
  v.field("policy", suite.policy);
  v.maybe("suppress", suite.suppress);
  v.maybe("extent", suite.extent);
  v.maybe("claims", suite.claims);
  v.maybe("plan", suite.plan);
  v.unless("valid_seconds", suite.valid_seconds, 0.0);
}

template <class V, Is<ProofInfo> T>
void describe(V& v, T& proof) {
  v.field("utc", proof.utc);
  v.field("version", proof.version);
  v.field("commit", proof.commit);
  v.field("ranks", proof.ranks);
  v.field("caught", proof.caught);
  v.field("missed", proof.missed);
  v.field("not_proven", proof.not_proven);
}

template <class V, Is<SegmentInfo> T>
void describe(V& v, T& segment) {
  v.field("segment", segment.segment);
  v.field("began_utc", segment.began_utc);
  v.field("command", segment.command);
  v.field("tool", segment.tool);
  v.field("suite_digest", segment.suite_digest);
  v.field("platform_choice", segment.platform_choice);
  v.field("platforms", segment.platforms);
  v.field("platform_of_host", segment.platform_of_host);
}

template <class V, Is<Repair> T>
void describe(V& v, T& repair) {
  v.field("host", repair.host);
  v.maybe("device", repair.device);
  v.field("reason", repair.reason);
  v.field("ticket", repair.ticket);
}

template <class V, Is<Amends> T>
void describe(V& v, T& amends) {
  v.field("sha256", amends.sha256);
  v.field("run", amends.run);
  v.field("began_utc", amends.began_utc);
  v.field("acceptance", amends.acceptance);
  v.field("valid_seconds", amends.valid_seconds);
  v.field("repairs", amends.repairs);
  v.field("results", amends.results);
  v.field("measured_again", amends.measured_again);
  v.maybe("oldest_utc", amends.oldest_utc);
}

}  // namespace rackproof::model
