#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::cause {

inline model::SeriesSummary gauge(const std::string& name, const std::string& subject,
                                  const std::string& unit, double low, double middle, double high) {
  model::SeriesSummary series;
  series.name = name;
  series.subject = subject;
  series.unit = unit;
  series.samples = 10;
  series.min = low;
  series.median = middle;
  series.p95 = high;
  series.max = high;
  return series;
}

inline model::SeriesSummary counter(const std::string& name, const std::string& subject,
                                    double delta) {
  model::SeriesSummary series;
  series.name = name;
  series.subject = subject;
  series.unit = "1";
  series.samples = 10;
  series.delta = delta;
  return series;
}

inline model::SeriesSummary throttle(const std::string& subject, const std::string& bit,
                                     double share) {
  model::SeriesSummary series = counter("gpu.throttle", subject, 0);
  series.delta.reset();
  series.shares[bit] = share;
  return series;
}

inline model::Fact known(contract::Scalar value) { return {std::move(value), "a test", ""}; }

/// A rule with one condition.
inline model::CauseRule rule(const std::string& id, const std::string& of,
                             model::CauseCondition condition, const std::string& say) {
  model::CauseRule one;
  one.id = id;
  one.of = of;
  one.when = {std::move(condition)};
  one.say = say;
  return one;
}

/// Two hosts of two GPUs each ("n1", "n1-0", ...). Step "gemm" was tried on each GPU with a failed
/// cell, step "stream" on each host with a failed cell, step "world" on all GPUs together.
class Stage {
 public:
  Stage() {
    report.cause_table.digest = "d";
    for (const char* step : {"gemm", "stream", "world"}) {
      model::StepInfo info;
      info.id = step;
      info.backend = std::string(step) == "stream" ? "host" : "cuda";
      report.steps.push_back(info);
    }
    for (const std::string host : {"n1", "n2"}) {
      model::NodeInventory node{host, {}, {}};
      add("stream", {contract::SubjectKind::kNode, host, "", "", "", "", {}}, host);
      for (const std::string& uuid : {host + "-0", host + "-1"}) {
        node.devices.push_back({uuid, 0, {}});
        add("gemm", {contract::SubjectKind::kDevice, host, uuid, "", "", "", {}}, host);
        model::Attempt member = attempt("world", world(), host);
        member.device = uuid;
        report.attempts.push_back(member);
      }
      report.nodes.push_back(node);
    }
    cell("world", world());
  }

  static model::Subject world() {
    return {contract::SubjectKind::kGroup, "", "", "", "", "world", {"n1", "n2"}};
  }

  /// The attempt of a step at a host or, with one, at its device.
  model::Attempt& tried(const std::string& step, const std::string& host,
                        const std::string& device = "") {
    for (model::Attempt& one : report.attempts) {
      if (one.step == step && one.host == host && model::device_of(one) == device) return one;
    }
    throw std::logic_error("no such attempt");
  }

  model::Cell& cell_of(const std::string& step, const std::string& label) {
    for (model::Cell& one : report.cells) {
      if (one.step == step && model::label(one.subject) == label) return one;
    }
    throw std::logic_error("no such cell");
  }

  model::DeviceFacts& device(std::size_t host, std::size_t number) {
    return report.nodes.at(host).devices.at(number);
  }

  model::Report report;

 private:
  static model::Attempt attempt(const std::string& step, const model::Subject& subject,
                                const std::string& host) {
    model::Attempt one;
    one.step = step;
    one.subject = subject;
    one.host = host;
    one.seconds = 12;
    return one;
  }

  void cell(const std::string& step, const model::Subject& subject) {
    model::Cell one;
    one.step = step;
    one.subject = subject;
    one.metric = step + ".rate";
    one.verdict.outcome = model::Outcome::kFail;
    report.cells.push_back(one);
  }

  void add(const std::string& step, const model::Subject& subject, const std::string& host) {
    report.attempts.push_back(attempt(step, subject, host));
    cell(step, subject);
  }
};

}  // namespace rackproof::cause
