#include "tests/fakes/act.hpp"

#include <algorithm>

#include "benches/protocol/emit.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::fakes {

model::Attempt head_of(const warden::Launch& launch) {
  ingest::Transcript transcript;
  transcript.take(*journal::read_entry(journal::begin_line(launch.attempt, 0, launch.head, 0, 0)));
  return transcript.attempt();
}

Act::Act(const warden::Launch& launch, double seconds) : head_(head_of(launch)), at_(seconds / 2) {
  performance_.seconds = seconds;
}

template <class Record>
Act& Act::say(const Record& record) {
  const protocol::Sink sink = [this](std::string_view text) {
    text.remove_suffix(1);
    line(std::string(text));
  };
  protocol::Emitter(sink, head_.nonce).emit(record);
  return *this;
}

Act& Act::line(const std::string& text, bool whole) {
  performance_.lines.push_back({at_, text, whole});
  return *this;
}

Act& Act::hello() {
  protocol::Hello record;
  record.bench = head_.bench;
  record.backend = head_.backend;
  record.version = "1";
  return hello(record);
}

Act& Act::hello(const protocol::Hello& record) {
  const double at = std::exchange(at_, 0.0);
  say(record);
  at_ = at;
  return *this;
}

Act& Act::phase(double at, const std::string& name, double fraction) {
  const double before = std::exchange(at_, at);
  say(protocol::Phase{name, fraction});
  at_ = before;
  return *this;
}

Act& Act::token(double at, const std::string& name, const std::string& value) {
  const double before = std::exchange(at_, at);
  say(protocol::Token{name, value});
  at_ = before;
  return *this;
}

Act& Act::check(bool passed, const std::string& name) {
  return say(protocol::Check{name, passed, "compared", 1000, passed ? 0 : 3, std::nullopt});
}

Act& Act::metric(const std::string& name, const std::vector<double>& samples) {
  protocol::Metric record;
  record.name = name;
  record.unit = "B/s";
  record.samples = samples;
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  record.value = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  record.check = "answer";
  return metric(record);
}

Act& Act::metric(const protocol::Metric& metric) { return say(metric); }

Act& Act::check(const protocol::Check& check) { return say(check); }

Act& Act::sample(const protocol::Sample& sample) { return say(sample); }

Act& Act::end(int exit_code) {
  return say(protocol::End{exit_code == 0 ? "done" : "unexpected", exit_code, 1});
}

Performance Act::done(int exit_code) const {
  Performance out = performance_;
  out.facts.exit_code = exit_code;
  return out;
}

Performance Act::killed(int signal) const {
  Performance out = performance_;
  out.facts.signal = signal;
  return out;
}

Performance good(const warden::Launch& launch, const std::string& metric,
                 const std::vector<double>& samples, double seconds) {
  return Act(launch, seconds).hello().check().metric(metric, samples).end().done();
}

std::vector<double> samples_around(double middle, double spread) {
  std::vector<double> samples;
  for (const double step : {-1.0, 1.0, -0.8, 0.8, -0.6, 0.6, -0.4, 0.4, -0.2, 0.2}) {
    samples.push_back(middle * (1 + step * spread));
  }
  return samples;
}

Performance inventory(const model::NodeInventory& node, double seconds) {
  Performance out;
  out.seconds = seconds;
  out.lines.push_back({0, model::to_json_line(node), true});
  return out;
}

}  // namespace rackproof::fakes
