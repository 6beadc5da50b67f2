#pragma once

#include "reports/json/json_fields_bound.hpp"
#include "reports/json/json_fields_cause.hpp"
#include "reports/json/json_fields_demand.hpp"
#include "reports/json/json_fields_journal.hpp"
#include "reports/json/json_fields_progress.hpp"
#include "reports/json/json_fields_recording.hpp"
#include "reports/json/json_fields_suite.hpp"
#include "reports/model/report.hpp"

/// The one list of what each value type is in a document. describe(visitor, value) calls, for each
/// member, visitor.field(key, member) or, when its empty value means "none" and is left out,
/// visitor.maybe(key, member), or, when a default other than its empty value is left out,
/// visitor.unless(key, member, default). Readers and writers are visitors, so they can't disagree.
namespace rackproof::model {

template <class V, Is<Subject> T>
void describe(V& v, T& subject) {
  v.field("kind", subject.kind);
  const bool group = subject.kind == contract::SubjectKind::kGroup;
  const bool link = subject.kind == contract::SubjectKind::kLink;
  // What makes up a subject of its kind is always written, the rest only when there is some.
  const auto put = [&v](const char* key, auto& member, bool always) {
    if (always) {
      v.field(key, member);
    } else {
      v.maybe(key, member);
    }
  };
  put("host", subject.host, !group);
  put("device", subject.device, subject.kind == contract::SubjectKind::kDevice);
  put("peer_host", subject.peer_host, link);
  put("peer_device", subject.peer_device, false);
  put("group", subject.group, group);
  put("members", subject.members, group);
}

template <class V, Is<CheckResult> T>
void describe(V& v, T& check) {
  v.field("name", check.name);
  v.field("passed", check.passed);
  v.field("detail", check.detail);
  v.field("compared", check.compared);
  v.field("wrong", check.wrong);
  v.maybe("first_wrong_where", check.first_wrong_where);
  v.maybe("first_wrong_got", check.first_wrong_got);
  v.maybe("first_wrong_want", check.first_wrong_want);
  v.maybe("first_wrong_rank", check.first_wrong_rank);
  v.maybe("first_wrong_from", check.first_wrong_from);
  v.maybe("digest", check.digest);
}

template <class V, Is<Measurement> T>
void describe(V& v, T& measurement) {
  v.field("metric", measurement.metric);
  v.field("unit", measurement.unit);
  v.field("better", measurement.better);
  v.field("statistic", measurement.statistic);
  v.field("value", measurement.value);
  v.field("samples", measurement.samples);
  v.field("parameters", measurement.parameters);
  v.maybe("conditions", measurement.conditions);
  v.field("subject", measurement.subject);
  v.field("check", measurement.check);
  v.field("attempt", measurement.attempt);
}

template <class V, Is<Verdict> T>
void describe(V& v, T& verdict) {
  v.field("outcome", verdict.outcome);
  v.field("reason_id", verdict.reason_id);
  v.field("reason", verdict.reason);
  v.maybe("observed", verdict.observed);
  v.field("statistic", verdict.statistic);
  v.maybe("limit_low", verdict.limit_low);
  v.maybe("limit_high", verdict.limit_high);
  v.maybe("ratio", verdict.ratio);
  v.maybe("deficit", verdict.deficit);
  v.maybe("interval_low", verdict.interval_low);
  v.maybe("interval_high", verdict.interval_high);
  v.maybe("confidence", verdict.confidence);
  v.maybe("baseline", verdict.baseline);
}

template <class V, Is<Cell> T>
void describe(V& v, T& cell) {
  v.field("id", cell.id);
  v.field("step", cell.step);
  v.field("subject", cell.subject);
  v.field("metric", cell.metric);
  v.field("parameters", cell.parameters);
  v.field("required", cell.required);
  v.maybe("waived", cell.waived);
  v.field("measurements", cell.measurements);
  v.maybe("confirmations", cell.confirmations);
  v.field("verdict", cell.verdict);
  v.maybe("causes", cell.causes);
  v.maybe("evidence_utc", cell.evidence_utc);
}

template <class V, Is<ending::Completed> T>
void describe(V& v, T& end) {
  v.field("exit_code", end.exit_code);
}
template <class V, Is<ending::Signalled> T>
void describe(V& v, T& end) {
  v.field("signal", end.signal);
}
template <class V, Is<ending::TimedOut> T>
void describe(V& v, T& end) {
  v.field("after_seconds", end.after_seconds);
  v.field("needed_kill", end.needed_kill);
  v.field("state", end.state);
}
template <class V, Is<ending::Cancelled> T>
void describe(V& v, T& end) {
  v.field("by", end.by);
}
template <class V, class T>
requires(Is<T, ending::SpawnFailed> || Is<T, ending::RankLost>) void describe(V& v, T& end) {
  v.field("what", end.what);
}
template <class V, class T>
requires(Is<T, ending::Leaked> || Is<T, ending::Truncated> ||
         Is<T, ending::Garbled>) void describe(V& v, T& end) {
  v.field("exit_code", end.exit_code);
  v.field("what", end.what);
}
template <class V, Is<ending::Wedged> T>
void describe(V& v, T& end) {
  v.field("after_seconds", end.after_seconds);
  v.field("state", end.state);
}

template <class V, Is<HostLoad> T>
void describe(V& v, T& load) {
  v.maybe("processors", load.processors);
  v.maybe("seconds", load.seconds);
  v.maybe("busy", load.busy);
  v.maybe("own", load.own);
  v.maybe("stolen", load.stolen);
  v.maybe("waited", load.waited);
  v.maybe("unknown", load.unknown);
}

/// All but `measurements`, which a report keeps in its cells, and `device`, which is among the
/// arguments.
template <class V, Is<Attempt> T>
void describe(V& v, T& attempt) {
  v.field("nonce", attempt.nonce);
  v.field("step", attempt.step);
  v.maybe("resumed", attempt.resumed);
  v.field("number", attempt.number);
  v.maybe("confirms", attempt.confirms);
  v.maybe("narrows", attempt.narrows);
  v.field("rank", attempt.rank);
  v.maybe("member", attempt.member);
  v.maybe("members", attempt.members);
  v.field("host", attempt.host);
  v.field("subject", attempt.subject);
  v.field("bench", attempt.bench);
  v.field("backend", attempt.backend);
  v.maybe("version", attempt.version);
  v.field("arguments", attempt.arguments);
  v.field("build", attempt.build);
  v.field("libraries", attempt.libraries);
  v.maybe("fault_injected", attempt.fault_injected);
  v.field("began_seconds", attempt.began_seconds);
  v.field("seconds", attempt.seconds);
  v.field("ending", attempt.ending);
  v.field("checks", attempt.checks);
  v.field("notes", attempt.notes);
  v.maybe("stderr_tail", attempt.stderr_tail);
  v.maybe("load", attempt.load);
  v.maybe("progress", attempt.progress);
  v.maybe("recorded", attempt.recorded);
}

template <class V, Is<Finding> T>
void describe(V& v, T& finding) {
  v.field("id", finding.id);
  v.field("severity", finding.severity);
  v.maybe("subject", finding.subject);
  v.field("text", finding.text);
  v.maybe("step", finding.step);
  v.field("evidence", finding.evidence);
}

template <class V, Is<Fact> T>
void describe(V& v, T& fact) {
  v.maybe("value", fact.value);
  v.maybe("source", fact.source);
  v.maybe("unreadable", fact.unreadable);
}

template <class V, Is<DeviceFacts> T>
void describe(V& v, T& device) {
  v.field("uuid", device.uuid);
  v.field("index", device.index);
  v.field("facts", device.facts);
}

template <class V, Is<NodeInventory> T>
void describe(V& v, T& node) {
  v.field("host", node.host);
  v.field("facts", node.facts);
  v.field("devices", node.devices);
}

template <class V, Is<Source> T>
void describe(V& v, T& source) {
  v.field("title", source.title);
  v.field("kind", source.kind);
  v.field("date", source.date);
  v.maybe("software", source.software);
  v.maybe("note", source.note);
  v.maybe("n", source.n);
  v.maybe("size", source.size);
  v.maybe("scale", source.scale);
}

template <class V, Is<CurvePoint> T>
void describe(V& v, T& point) {
  v.field("bytes", point.bytes);
  v.field("ranks", point.ranks);
  v.field("nodes", point.nodes);
  v.field("value", point.value);
}

template <class V, Is<Baseline> T>
void describe(V& v, T& baseline) {
  v.field("id", baseline.id);
  v.field("metric", baseline.metric);
  v.field("parameters", baseline.parameters);
  v.field("kind", baseline.kind);
  v.field("expected", baseline.expected);
  v.maybe("unit", baseline.unit);
  v.maybe("of", baseline.of);
  v.maybe("tolerance_below", baseline.tolerance_below);
  v.maybe("tolerance_above", baseline.tolerance_above);
  v.field("statistic", baseline.statistic);
  v.gone("required");  // before 0085: a verdict by it could decide nothing
  v.maybe("nodes_min", baseline.nodes_min);
  v.maybe("nodes_max", baseline.nodes_max);
  v.maybe("demand", baseline.demand);
  v.maybe("when", baseline.when);
  v.maybe("backend", baseline.backend);
  v.maybe("points", baseline.points);
  v.maybe("smaller_by_correctness", baseline.smaller_by_correctness);
  v.field("source", baseline.source);
  v.field("table", baseline.table);
  v.maybe("generic", baseline.generic);
}

template <class V, Is<Waiver> T>
void describe(V& v, T& waiver) {
  v.field("metric", waiver.metric);
  v.field("parameters", waiver.parameters);
  v.field("reason", waiver.reason);
}

template <class V, Is<FactExpectation> T>
void describe(V& v, T& expectation) {
  v.field("rule", expectation.rule);
  v.field("severity", expectation.severity);
  v.maybe("remedy", expectation.remedy);
}

template <class V, Is<PlatformTable> T>
void describe(V& v, T& table) {
  v.field("id", table.id);
  v.field("title", table.title);
  v.field("chain", table.chain);
  v.field("generic", table.generic);
  v.maybe("abstract", table.is_abstract);
  v.field("recognise", table.recognise);
  v.maybe("expect", table.expect);
  v.field("facts", table.facts);
  v.maybe("fact_sources", table.fact_sources);
  v.field("baselines", table.baselines);
  v.field("waivers", table.waivers);
  v.maybe("groups", table.groups);
  v.maybe("demands", table.demands);
  v.field("digest", table.digest);
  v.maybe("extent", table.extent);
}

template <class V, Is<RankInfo> T>
void describe(V& v, T& rank) {
  v.field("rank", rank.rank);
  v.field("host", rank.host);
  v.field("local_rank", rank.local_rank);
  v.field("pid", rank.pid);
  v.field("state", rank.state);
  v.maybe("detail", rank.detail);
  v.maybe("journal", rank.journal);
}

template <class V, Is<StepInfo> T>
void describe(V& v, T& step) {
  v.field("id", step.id);
  v.field("title", step.title);
  v.field("bench", step.bench);
  v.field("backend", step.backend);
  v.field("placement", step.placement);
  v.field("attempts_allowed", step.attempts_allowed);
  v.unless("repeat", step.repeat, 1);
  v.field("unavailable_waives", step.unavailable_waives);
  v.field("state", step.state);
  v.maybe("reason", step.reason);
  v.maybe("only_hosts", step.only_hosts);
}

template <class V, Is<ToolInfo> T>
void describe(V& v, T& tool) {
  v.field("version", tool.version);
  v.field("commit", tool.commit);
  v.field("build", tool.build);
  v.field("bench_sha256", tool.bench_sha256);
  v.maybe("proof", tool.proof);
}

template <class V, Is<RunInfo> T>
void describe(V& v, T& run) {
  v.field("id", run.id);
  v.field("began_utc", run.began_utc);
  v.maybe("ended_utc", run.ended_utc);
  v.field("seconds", run.seconds);
  v.field("command", run.command);
  v.field("launcher", run.launcher);
  v.field("labels", run.labels);
  v.field("ranks", run.ranks);
  v.field("completed", run.completed);
  v.field("interrupted", run.interrupted);
  v.field("segments", run.segments);
  v.field("platform_choice", run.platform_choice);
  v.maybe("required", run.required);
  v.maybe("extent", run.extent);
  v.maybe("accept_unjudged", run.accept_unjudged);
  v.maybe("waivers", run.waivers);
  v.maybe("left_out_hosts", run.left_out_hosts);
}

template <class V, Is<Counts> T>
void describe(V& v, T& counts) {
  v.field("pass", counts.pass);
  v.maybe("verified", counts.verified);
  v.field("fail", counts.fail);
  v.field("unjudged", counts.unjudged);
  v.field("untested", counts.untested);
  v.field("waived", counts.waived);
}

template <class V, Is<History> T>
void describe(V& v, T& history) {
  v.field("subject", history.subject);
  v.field("step", history.step);
  v.field("metric", history.metric);
  v.field("parameters", history.parameters);
  v.field("unit", history.unit);
  v.field("statistic", history.statistic);
  v.field("values", history.values);
}

template <class V, Is<Report> T>
void describe(V& v, T& report) {
  v.field("schema_version", report.schema_version);
  v.field("tool", report.tool);
  v.field("run", report.run);
  v.maybe("amends", report.amends);
  v.maybe("segments", report.segments);
  v.field("ranks", report.ranks);
  v.field("nodes", report.nodes);
  v.field("platforms", report.platforms);
  v.field("platform_of_host", report.platform_of_host);
  v.field("suite", report.suite);
  v.maybe("cause_table", report.cause_table);
  v.maybe("bounds", report.bounds);
  v.field("steps", report.steps);
  v.field("attempts", report.attempts);
  v.field("cells", report.cells);
  v.maybe("history", report.history);
  v.maybe("journals", report.journals);
  v.maybe("recordings", report.recordings);
  v.maybe("events", report.events);
  v.field("findings", report.findings);
  v.field("acceptance", report.acceptance);
  v.field("acceptance_reason", report.acceptance_reason);
  v.field("counts", report.counts);
  v.field("required_counts", report.required_counts);
  v.maybe("judged_claims", report.judged_claims);
}

}  // namespace rackproof::model
