#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::alertmanager {

/// What is wrong with a run as Prometheus' Alertmanager takes it: the JSON array that is sent to
/// POST /api/v2/alerts (`postableAlerts` of its API, api/v2/openapi.yaml). One alert for the
/// verdict unless the run was accepted, one for each part with required cells that failed, and one
/// for each finding of severity error or isolate: findings of one id about one part are one alert,
/// and those about a part that has an alert are told in that. Names of labels are Prometheus',
/// values one line of UTF-8, times RFC 3339; `generatorURL` is the run's label `url` where that is
/// the address of a page. Empty for an accepted run without such findings. Pure.
std::string render(const model::Report& report);

}  // namespace rackproof::alertmanager
