#include "benches/swing/tally.hpp"

#include <fmt/format.h>

#include <string>

#include "benches/kit/results.hpp"

namespace rackproof::swing {
namespace {

using contract::Better;
using contract::Statistic;

// Says the metrics of one series, which differ in a few words.
class Speaker {
 public:
  Speaker(contract::Parameters parameters, std::string check, kit::Session& session)
      : parameters_(std::move(parameters)), check_(std::move(check)), session_(session) {}

  void say(const std::string& name, const std::string& unit, Better better,
           const std::vector<double>& samples, const contract::Parameters& more,
           Statistic statistic = Statistic::kMedian) const {
    if (samples.empty()) return;
    protocol::Metric metric = kit::metric_of("swing." + name, unit, better, check_);
    kit::put_samples(metric, statistic, samples);
    metric.parameters = parameters_;
    metric.parameters.insert(more.begin(), more.end());
    metric.subject = kit::group_subject();
    session_.metric(std::move(metric));
  }

  void say_skew(const std::string& edge, const std::vector<double>& skews) const {
    say("skew", "s", Better::kLess, skews, {{"edge", edge}});
    say("skew_p99", "s", Better::kLess, skews, {{"edge", edge}}, Statistic::kP99);
  }

 private:
  contract::Parameters parameters_;
  std::string check_;
  kit::Session& session_;
};

void say_in_phase(const Speaker& speaker, const Series& series) {
  const auto say = [&](const std::string& name, const std::string& unit, Better better,
                       const std::vector<double>& samples, const contract::Parameters& more = {}) {
    speaker.say(name, unit, better, samples, more);
  };
  speaker.say_skew("rise", series.rise_skews);
  speaker.say_skew("fall", series.fall_skews);
  say("coherence", "ratio", Better::kMore, series.load_coherence, {{"of", "load"}});
  say("coherence", "ratio", Better::kMore, series.power_coherence, {{"of", "power"}});
  for (const auto& [harmonic, amplitudes] : series.load_amplitudes) {
    say("load_amplitude", "ratio", Better::kMore, amplitudes,
        {{"harmonic", std::int64_t{harmonic}}});
  }
  for (const auto& [harmonic, amplitudes] : series.power_amplitudes) {
    say("power_amplitude", "W", Better::kMore, amplitudes, {{"harmonic", std::int64_t{harmonic}}});
  }
  say("power_swing", "W", Better::kMore, series.power_swings);
  say("power_share", "ratio", Better::kMore, series.power_shares);
  say("power_rise", "s", Better::kLess, series.power_rises);
  say("ramp_error", "ratio", Better::kLess, series.load_ramp_errors, {{"of", "load"}});
  say("ramp_error", "ratio", Better::kLess, series.power_ramp_errors, {{"of", "power"}});
}

void say_spread(const Speaker& speaker, const Series& series) {
  speaker.say("spread_coherence", "ratio", Better::kLess, series.load_coherence, {{"of", "load"}});
  speaker.say("spread_coherence", "ratio", Better::kLess, series.power_coherence,
              {{"of", "power"}});
}

std::string name_of(Run::Kind kind, double frequency, bool spread) {
  switch (kind) {
    case Run::Kind::kStage:
      return "swing.stages";
    case Run::Kind::kRamp:
      return "swing.ramp";
    case Run::Kind::kSquare:
      return fmt::format("swing.{}.{}", spread ? "spread" : "in_phase", frequency);
  }
  return "";
}

}  // namespace

void Tally::add(const Run& run, const Collected& all) {
  add_run(run, config_, all, headroom_, series_[{run.kind, run.frequency, !run.in_phase}]);
}

void Tally::say_series(const Key& key, const Series& series, kit::Session& session) const {
  const auto& [kind, frequency, spread] = key;
  const protocol::Check check = kit::check_of(name_of(kind, frequency, spread), proof_,
                                              series.compared, series.wrong, series.first_wrong);
  session.check(check);
  contract::Parameters parameters{{"ranks", ranks_}, {"clocks", config_.clocks}};
  if (kind == Run::Kind::kRamp) {
    parameters["ramp"] = config_.ramp;
  } else {
    parameters["frequency"] = frequency;
    parameters["duty"] = config_.duty;
  }
  const Speaker speaker(parameters, check.name, session);
  spread ? say_spread(speaker, series) : say_in_phase(speaker, series);
}

void Tally::say(kit::Session& session) const {
  for (const auto& [key, series] : series_) say_series(key, series, session);
}

}  // namespace rackproof::swing
