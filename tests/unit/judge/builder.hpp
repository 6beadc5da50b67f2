#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge_test {

inline constexpr const char* kStep = "stream";
inline constexpr const char* kMetric = "stream.triad";
inline constexpr const char* kHost = "node1";
inline constexpr const char* kPlatform = "box";

model::Subject node(const std::string& host = kHost);
model::Subject device(const std::string& host, const std::string& uuid);
model::Subject link_of(const std::string& host, const std::string& peer_host);
model::Subject group(const std::string& name, const std::vector<std::string>& hosts);

model::CheckResult good_check(const std::string& name = "triad");
model::CheckResult bad_check(const std::string& name = "triad");

/// Ten samples around `middle`, whose median is `middle`: middle * (1 +- 1 %).
std::vector<double> samples_around(double middle);

/// A verified measurement in B/s, more is better, with samples around `value`.
model::Measurement measurement(const std::string& attempt, double value = 100);

/// An attempt at kStep on `host` that ended well, nonce "a<number>" by default.
model::Attempt attempt(int number = 1, const std::string& host = kHost);

/// Of two processors for ten seconds, others used `share` and a little.
model::HostLoad taken(double share);

model::Cell cell(const model::Subject& subject = node());

/// expected 100 B/s for kMetric, 10 % below.
model::Baseline baseline();

/// A completed run of kStep on kHost with an empty table kPlatform, and no cell and no attempt.
model::Report empty_report();

/// empty_report() with one cell, one good attempt, one measurement of `value`, and baseline().
model::Report one_cell(double value = 100);

/// Hosts n0, n1, ... with one cell each, and an expected value that all of them meet.
model::Report fleet(const std::vector<double>& values);

/// Every cell measured `times` more times to confirm it, with its first number but for 0.1 %.
void confirm(model::Report& report, int times = 3);

/// The verdict of the first cell after judging a copy.
model::Verdict judged(model::Report report);

/// Whether measuring one of its cells again may decide about it.
bool in_doubt(const model::Report& report);

}  // namespace rackproof::judge_test
