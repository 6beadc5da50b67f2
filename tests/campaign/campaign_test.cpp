// The promises of the judge's statistics, on fewer campaigns than docs/performance.md rests on:
// `campaigns 50 10000` and `campaigns 1000 8 16 72` give those.
#include "tests/campaign/campaign.hpp"

#include <catch2/catch.hpp>

namespace campaign = rackproof::campaign;
using campaign::Noise;
using campaign::Plan;
using campaign::Rates;

namespace {

Rates simulate(Noise noise, std::size_t devices, int campaigns) {
  Plan plan;
  plan.noise = noise;
  plan.devices = devices;
  plan.campaigns = campaigns;
  return campaign::simulate(plan);
}

/// At least 95 of 100.
bool mostly(int found, int of) { return 100 * found >= 95 * of; }

}  // namespace

TEST_CASE("ten thousand healthy devices are not failed and a slow one is found") {
  const Noise noise = GENERATE(Noise::kNormal, Noise::kSkewed, Noise::kTwoBoards);
  CAPTURE(campaign::name_of(noise));
  const int campaigns = 5;
  const Rates rates = simulate(noise, 10000, campaigns);
  CHECK(rates.failed_healthy <= 1);
  CHECK(rates.all_metrics_found == campaigns);
  CHECK(rates.all_metrics_failed == campaigns);
  CHECK(rates.history_found >= campaigns - 1);
  // One metric of 60 on one of 10,000 skewed devices: with the very distribution known, 64 of 100.
  if (noise != Noise::kSkewed) CHECK(rates.one_metric_found >= campaigns - 1);
}

TEST_CASE("a rack of 72 keeps the promises for normal and for skewed noise") {
  const Noise noise = GENERATE(Noise::kNormal, Noise::kSkewed);
  CAPTURE(campaign::name_of(noise));
  const int campaigns = 100;
  const Rates rates = simulate(noise, 72, campaigns);
  // One device in ten campaigns.
  CHECK(rates.failed_healthy * 10 <= static_cast<std::size_t>(campaigns));
  CHECK(mostly(rates.all_metrics_found, campaigns));
  CHECK(mostly(rates.all_metrics_failed, campaigns));
  CHECK(mostly(rates.history_found, campaigns));
  if (noise == Noise::kNormal) CHECK(mostly(rates.one_metric_found, campaigns));
}

TEST_CASE("sixteen nodes keep the promises for normal noise") {
  const int campaigns = 200;
  const Rates rates = simulate(Noise::kNormal, 16, campaigns);
  CHECK(rates.failed_healthy * 10 <= static_cast<std::size_t>(campaigns));
  CHECK(mostly(rates.one_metric_found, campaigns));
  CHECK(mostly(rates.all_metrics_found, campaigns));
  CHECK(mostly(rates.history_found, campaigns));
}

TEST_CASE("eight devices raise no false alarm and show a device that is slow throughout") {
  const int campaigns = 400;
  const Rates rates = simulate(Noise::kNormal, 8, campaigns);
  CHECK(rates.failed_healthy * 10 <= static_cast<std::size_t>(campaigns));
  CHECK(mostly(rates.all_metrics_found, campaigns));
}

TEST_CASE("the same plan gives the same rates") {
  Plan plan;
  plan.devices = 16;
  plan.campaigns = 5;
  const Rates once = campaign::simulate(plan);
  const Rates again = campaign::simulate(plan);
  CHECK(once.failed_healthy == again.failed_healthy);
  CHECK(once.one_metric_found == again.one_metric_found);
  CHECK(once.history_found == again.history_found);
}
