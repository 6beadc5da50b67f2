#include "tests/unit/judge/builder.hpp"

#include <algorithm>

#include "harness/judge/judge.hpp"

namespace rackproof::judge_test {

model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

model::Subject device(const std::string& host, const std::string& uuid) {
  model::Subject subject = node(host);
  subject.kind = contract::SubjectKind::kDevice;
  subject.device = uuid;
  return subject;
}

model::Subject link_of(const std::string& host, const std::string& peer_host) {
  model::Subject subject = node(host);
  subject.kind = contract::SubjectKind::kLink;
  subject.peer_host = peer_host;
  return subject;
}

model::Subject group(const std::string& name, const std::vector<std::string>& hosts) {
  model::Subject subject;
  subject.kind = contract::SubjectKind::kGroup;
  subject.group = name;
  subject.members = hosts;
  return subject;
}

model::CheckResult good_check(const std::string& name) {
  model::CheckResult check;
  check.name = name;
  check.passed = true;
  check.compared = 1000;
  return check;
}

model::CheckResult bad_check(const std::string& name) {
  model::CheckResult check = good_check(name);
  check.passed = false;
  check.wrong = 3;
  check.first_wrong_where = "element 17";
  check.first_wrong_got = "2.5";
  check.first_wrong_want = "2";
  return check;
}

std::vector<double> samples_around(double middle) {
  std::vector<double> samples;
  for (const double step : {-1.0, 1.0, -0.8, 0.8, -0.6, 0.6, -0.4, 0.4, -0.2, 0.2}) {
    samples.push_back(middle * (1 + step / 100));
  }
  return samples;
}

model::Measurement measurement(const std::string& attempt, double value) {
  model::Measurement result;
  result.metric = kMetric;
  result.unit = "B/s";
  result.value = value;
  result.samples = samples_around(value);
  result.subject = node();
  result.check = good_check();
  result.attempt = attempt;
  return result;
}

model::Attempt attempt(int number, const std::string& host) {
  model::Attempt result;
  result.nonce = "a" + std::to_string(number);
  if (host != kHost) result.nonce = host + result.nonce;
  result.step = kStep;
  result.number = number;
  result.host = host;
  result.subject = node(host);
  result.bench = "stream";
  result.backend = "host";
  result.checks = {good_check()};
  return result;
}

model::HostLoad taken(double share) { return {2, 10, 20, 20 - 20 * share - 0.02, 0, {}, ""}; }

model::Cell cell(const model::Subject& subject) {
  model::Cell result;
  result.step = kStep;
  result.metric = kMetric;
  result.subject = subject;
  result.id = std::string(kStep) + "/" + model::label(subject) + "/" + kMetric;
  return result;
}

model::Baseline baseline() {
  model::Baseline result;
  result.id = "box/triad";
  result.metric = kMetric;
  result.expected = 100;
  result.unit = "B/s";
  result.tolerance_below = 0.1;
  result.table = kPlatform;
  return result;
}

model::Report empty_report() {
  model::Report report;
  report.run.completed = true;
  report.nodes.push_back({kHost, {}, {}});
  model::PlatformTable table;
  table.id = kPlatform;
  table.chain = {kPlatform};
  report.platforms.push_back(table);
  report.platform_of_host[kHost] = kPlatform;
  model::StepInfo step;
  step.id = kStep;
  step.state = model::StepState::kDone;
  report.steps.push_back(step);
  return report;
}

model::Report one_cell(double value) {
  model::Report report = empty_report();
  report.platforms[0].baselines = {baseline()};
  report.attempts = {attempt()};
  report.cells = {cell()};
  report.cells[0].measurements = {measurement("a1", value)};
  return report;
}

model::Report fleet(const std::vector<double>& values) {
  model::Report report = empty_report();
  report.platforms[0].baselines = {baseline()};
  report.platforms[0].baselines[0].expected = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string host = "n" + std::to_string(i);
    report.platform_of_host[host] = kPlatform;
    report.attempts.push_back(attempt(1, host));
    report.cells.push_back(cell(node(host)));
    report.cells.back().measurements = {measurement(report.attempts.back().nonce, values[i])};
  }
  return report;
}

void confirm(model::Report& report, int times) {
  for (model::Cell& one : report.cells) {
    for (int time = 0; time < times; ++time) {
      model::Measurement again = one.measurements.front();
      model::Attempt made = attempt(2 + time, one.subject.host.empty() ? kHost : one.subject.host);
      made.subject = one.subject;
      made.nonce = one.measurements.front().attempt + "/confirms" + std::to_string(time);
      made.confirms = true;
      again.attempt = made.nonce;
      const double noise = 1 + 0.001 * (time % 3 - 1);
      again.value *= noise;
      for (double& sample : again.samples) sample *= noise;
      const bool known =
          std::any_of(report.attempts.begin(), report.attempts.end(),
                      [&](const model::Attempt& other) { return other.nonce == made.nonce; });
      if (!known) report.attempts.push_back(made);
      one.confirmations.push_back(again);
    }
  }
}

model::Verdict judged(model::Report report) {
  judge::judge(report);
  return report.cells.at(0).verdict;
}

bool in_doubt(const model::Report& report) { return !judge::find_doubtful(report, kStep).empty(); }

}  // namespace rackproof::judge_test
