#include "tests/sim/deed.hpp"

#include <csignal>
#include <utility>

#include "benches/protocol/emit.hpp"
#include "tests/fakes/act.hpp"

namespace rackproof::sim {
namespace {

using fakes::Act;
using fakes::Performance;

constexpr double kForEver = 1e9;

protocol::Metric metric_of(const Part& part, double spread) {
  protocol::Metric metric;
  metric.name = kMetric;
  metric.unit = "B/s";
  metric.value = part.value;
  metric.samples = fakes::samples_around(part.value, spread);
  if (part.group) metric.subject.kind = contract::SubjectKind::kGroup;
  if (!part.device.empty()) {
    metric.subject.kind = contract::SubjectKind::kDevice;
    metric.subject.id = part.device;
  }
  metric.check = "answer";
  return metric;
}

Act begin(const Part& part, const warden::Launch& launch) {
  Act act(launch, part.seconds);
  act.hello();
  if (part.token) act.token(part.seconds / 4, "id", "00ff");
  return act;
}

Act answered(const Part& part, const warden::Launch& launch, bool right = true,
             double spread = 0.01) {
  Act act = begin(part, launch);
  act.check(right);
  if (part.speaks) act.metric(metric_of(part, spread));
  return act;
}

Performance honest(const Part& part, const warden::Launch& launch, double spread = 0.01) {
  return answered(part, launch, true, spread).end().done();
}

// The number is that of a process that ran before.
Performance stale(const Part& part, const warden::Launch& launch) {
  warden::Launch earlier = launch;
  earlier.attempt += "0";
  return honest(part, earlier);
}

Performance second_answer(Part part, const warden::Launch& launch) {
  Act act = answered(part, launch);
  part.value *= 2;
  part.speaks = true;
  return act.metric(metric_of(part, 0.01)).metric(metric_of(part, 0.01)).end().done();
}

Performance with_metric(const Part& part, const warden::Launch& launch,
                        const protocol::Metric& metric) {
  Act act = begin(part, launch);
  act.check();
  if (part.speaks) act.metric(metric);
  return act.end().done();
}

Performance empty_check(const Part& part, const warden::Launch& launch) {
  Act act = begin(part, launch);
  const std::string nonce = launch.attempt;
  const protocol::Sink sink = [&](std::string_view text) {
    text.remove_suffix(1);
    act.line(std::string(text));
  };
  protocol::Emitter(sink, nonce).emit(protocol::Check{"answer", true, "", 0, 0, std::nullopt});
  if (part.speaks) act.metric(metric_of(part, 0.01));
  return act.end().done();
}

Performance fault_flag(const Part& part, const warden::Launch& launch) {
  Performance out = honest(part, launch);
  std::string& hello = out.lines.front().text;
  const std::string fault = ",\"fault_injected\":\"bit flip\"}";
  hello.replace(hello.rfind('}'), 1, fault);
  return out;
}

Performance not_a_number(const Part& part, const warden::Launch& launch) {
  Performance out = honest(part, launch);
  for (fakes::Line& line : out.lines) {
    const std::size_t at = line.text.find("\"value\":");
    if (at == std::string::npos) continue;
    const std::size_t end = line.text.find_first_of(",}", at);
    line.text.replace(at, end - at, "\"value\":NaN");
    return out;
  }
  out.lines.push_back({part.seconds / 2, R"({"kind":"sample","values":[NaN]})", true});
  return out;
}

Performance hang(const Part& part, const warden::Launch& launch, bool ignores_term) {
  Performance out = begin(part, launch).done();
  out.seconds = kForEver;
  out.ignores_term = ignores_term;
  return out;
}

Performance with_facts(Performance performance, void (*change)(journal::End&)) {
  change(performance.facts);
  return performance;
}

Performance lie(Deed deed, const Part& part, const warden::Launch& launch) {
  protocol::Metric metric = metric_of(part, 0.01);
  switch (deed) {
    case Deed::kSecondAnswer:
      return second_answer(part, launch);
    case Deed::kZeroWork:
      metric.value = 0;
      metric.samples.assign(5, 0);
      return with_metric(part, launch, metric);
    case Deed::kNoCheck:
      metric.check.clear();
      return with_metric(part, launch, metric);
    case Deed::kTruncated:
      return answered(part, launch).done();
    case Deed::kGarbage:
      return answered(part, launch).line("\x7f not a record").end().done();
    case Deed::kOtherExit:
      return answered(part, launch).end().done(5);
    case Deed::kHalfLine:
      return answered(part, launch).end().line(R"({"kind":"no)", false).done();
    case Deed::kAfterEnd:
      return answered(part, launch).end().check(true, "afterthought").done();
    default:
      return honest(part, launch);
  }
}

Performance fail(Deed deed, const Part& part, const warden::Launch& launch) {
  switch (deed) {
    case Deed::kCrash:
      return begin(part, launch).killed(SIGSEGV);
    case Deed::kCrashAtEnd:
      return answered(part, launch).end().killed(SIGABRT);
    case Deed::kExitOne:
      return begin(part, launch).end(1).done(1);
    case Deed::kUnavailable:
      return begin(part, launch).end(3).done(3);
    case Deed::kMute:
      return Act(launch, part.seconds).done();
    case Deed::kSpawnFailed:
      return with_facts(Act(launch, 0).done(), [](auto& facts) { facts.spawn_error = "ENOENT"; });
    case Deed::kLeaked:
      return with_facts(honest(part, launch), [](auto& facts) { facts.leaked = true; });
    case Deed::kFlood:
      return with_facts(honest(part, launch), [](auto& facts) { facts.dropped_lines = 7; });
    default:
      return lie(deed, part, launch);
  }
}

}  // namespace

model::HostLoad taken(double share) {
  return {4, 10, 40, 40 - 40 * share - 0.04, 0, std::nullopt, ""};
}

const std::vector<DeedFacts>& all_deeds() {
  static const std::vector<DeedFacts> kAll = {
      {Deed::kHonest, "honest", true, false, true},
      {Deed::kSlow, "slow", true, false, true},
      {Deed::kNoisy, "noisy", true, false, true},
      {Deed::kDisturbed, "disturbed", false, false, true},
      {Deed::kWrong, "wrong-answer", false, true, true},
      {Deed::kWrongExitZero, "wrong-answer-exit-0", false, true, true},
      {Deed::kWrongThenCrash, "wrong-answer-then-crash", false, true, false},
      {Deed::kStaleNonce, "stale-nonce", false, false, true},
      {Deed::kSecondAnswer, "second-answer", false, false, true},
      {Deed::kZeroWork, "zero-work", false, false, true},
      {Deed::kNoCheck, "no-check", false, false, true},
      {Deed::kEmptyCheck, "empty-check", false, false, true},
      {Deed::kNotANumber, "nan", false, false, true},
      {Deed::kTruncated, "truncated", false, false, true},
      {Deed::kGarbage, "garbage", false, false, true},
      {Deed::kFaultFlag, "fault-flag", false, false, true},
      {Deed::kCrash, "crash", false, false, false},
      {Deed::kCrashAtEnd, "crash-at-end", false, false, false},
      {Deed::kHang, "hang", false, false, false},
      {Deed::kIgnoresTerm, "ignores-term", false, false, false},
      {Deed::kExitOne, "exit-1", false, false, true},
      {Deed::kUnavailable, "exit-3", false, false, true},
      {Deed::kOtherExit, "exit-not-as-said", false, false, true},
      {Deed::kHalfLine, "half-line", false, false, false},
      {Deed::kMute, "mute", false, false, true},
      {Deed::kSpawnFailed, "spawn-failed", false, false, false},
      {Deed::kLeaked, "leaked", false, false, false},
      {Deed::kAfterEnd, "after-end", false, false, true},
      {Deed::kFlood, "flood", false, false, false},
  };
  return kAll;
}

const DeedFacts& facts_of(Deed deed) { return all_deeds()[static_cast<std::size_t>(deed)]; }

Performance perform(Deed deed, const Part& said, const warden::Launch& launch) {
  Part part = said;
  switch (deed) {
    case Deed::kHonest:
      return honest(part, launch);
    case Deed::kSlow:
      part.value = kExpected * 0.7;
      return honest(part, launch);
    case Deed::kNoisy:
      part.value = kExpected * 0.91;
      return honest(part, launch, 0.1);
    case Deed::kDisturbed:
      part.value = kExpected * 0.7;
      return with_facts(honest(part, launch), [](auto& facts) { facts.load = taken(0.3); });
    case Deed::kWrong:
      return answered(part, launch, false).end(4).done(4);
    case Deed::kWrongExitZero:
      return answered(part, launch, false).end().done();
    case Deed::kWrongThenCrash:
      return answered(part, launch, false).killed(SIGSEGV);
    case Deed::kStaleNonce:
      return stale(part, launch);
    case Deed::kEmptyCheck:
      return empty_check(part, launch);
    case Deed::kNotANumber:
      return not_a_number(part, launch);
    case Deed::kFaultFlag:
      return fault_flag(part, launch);
    case Deed::kHang:
    case Deed::kIgnoresTerm:
      return hang(part, launch, deed == Deed::kIgnoresTerm);
    default:
      return fail(deed, part, launch);
  }
}

}  // namespace rackproof::sim
