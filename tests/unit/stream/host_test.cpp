#include <algorithm>
#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/stream/stream.hpp"
#include "tests/unit/kit/lines.hpp"
#include "tests/unit/kit/machine.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;
using namespace rackproof::stream;

namespace {

class Listener final : public kit::Session {
 public:
  explicit Listener(std::optional<kit::Injection> fault = {}) : fault_(fault) {}

  void device(protocol::Device) override {}
  void token(protocol::Token) override {}
  void phase(std::string, double fraction) override {
    CHECK(fraction >= 0);
    CHECK(fraction < 1);
  }
  void check(protocol::Check record) override { checks.push_back(std::move(record)); }
  void metric(protocol::Metric record) override { metrics.push_back(std::move(record)); }
  void note(std::string text, contract::Parameters facts) override {
    notes.push_back({std::move(text), std::move(facts)});
  }
  std::optional<kit::Injection> injection() const override { return fault_; }

  std::vector<protocol::Check> checks;
  std::vector<protocol::Metric> metrics;
  std::vector<protocol::Note> notes;

 private:
  std::optional<kit::Injection> fault_;
};

Settings quick() {
  Settings settings;
  settings.iterations = 3;
  settings.threads = 1;
  settings.domain = "node";
  settings.variant = "plain";
  return settings;
}

// Measures as on a machine with a small cache: what is tested does not depend on the size.
void measure_small(const Settings& settings, kit::Session& session) {
  kit::Machine machine;
  for (const auto& domain : kit::numa_domains()) {
    for (const int cpu : domain.cpus) machine.cache(cpu, 0, 3, "Unified", "1M", "0-9999");
  }
  measure(settings, session, machine.root());
}

}  // namespace

TEST_CASE("a run says its label, its choice, its proof and four metrics") {
  Listener said;
  measure_small(quick(), said);
  REQUIRE(said.notes.size() >= 2);
  CHECK(said.notes[0].text == "based on a variant of the STREAM benchmark code");
  CHECK(said.notes.back().facts.contains("triad"));
  REQUIRE(said.checks.size() == 1);
  CHECK(said.checks[0].name == "stream.double.plain.node");
  CHECK(said.checks[0].passed);
  CHECK(said.checks[0].compared > 0);
  REQUIRE(said.metrics.size() == 4);
  CHECK(said.metrics[3].name == "stream.triad");
  for (const auto& metric : said.metrics) {
    CHECK(test::is_listed(metric, "stream", "host"));
    CHECK(metric.samples.size() == 2);
    CHECK(metric.value == *std::max_element(metric.samples.begin(), metric.samples.end()));
    CHECK(metric.unit == "B/s");
    CHECK(metric.check == "stream.double.plain.node");
    CHECK(metric.parameters == contract::Parameters{{"domain", std::string("node")},
                                                    {"type", std::string("double")},
                                                    {"variant", std::string("plain")}});
  }
}

TEST_CASE("a flipped bit fails the check and is located") {
  Listener said(kit::Injection{12345, 3});
  Settings settings = quick();
  settings.type = "float";
  settings.iterations = 2;
  settings.elements = 1 << 20;  // with a fault planted the caches set no least size
  measure_small(settings, said);
  REQUIRE(said.checks.size() == 1);
  CHECK_FALSE(said.checks[0].passed);
  CHECK(said.checks[0].wrong == 1);
  REQUIRE(said.checks[0].first_wrong);
  CHECK(said.checks[0].first_wrong->where == "a[12345]");
}

TEST_CASE("more iterations than one fill allows are still all verified") {
  Listener said;
  Settings settings = quick();
  settings.type = "float";
  settings.iterations = 40;
  measure_small(settings, said);
  REQUIRE(said.checks.size() == 1);
  CHECK(said.checks[0].passed);
  const auto elements = std::get<std::int64_t>(said.notes.back().facts.at("elements"));
  CHECK(said.checks[0].compared == 2 * 3 * elements);
  CHECK(said.metrics[0].samples.size() == 39);
}

TEST_CASE("two sizes, or one that is too small, are refused before anything is said of a result") {
  Listener said;
  Settings settings = quick();
  settings.elements = 1;
  CHECK_THROWS_AS(measure(settings, said), kit::UsageError);
  settings.size = 8;
  CHECK_THROWS_AS(measure(settings, said), kit::UsageError);
  CHECK(said.metrics.empty());
}
