#include "benches/copy/plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::copy;

namespace {

Site site_of(int devices, std::vector<int> domains, bool peers = true) {
  Site site;
  for (int i = 0; i < devices; ++i) {
    site.near.push_back(domains[static_cast<std::size_t>(i) % domains.size()]);
  }
  site.domains = std::move(domains);
  const auto n = static_cast<std::size_t>(devices);
  site.reach.assign(n, std::vector<bool>(n, peers));
  for (std::size_t i = 0; i < n; ++i) site.reach[i][i] = false;
  return site;
}

std::int64_t count(const std::vector<Task>& tasks, Path path, std::size_t flows) {
  return std::count_if(tasks.begin(), tasks.end(), [&](const Task& task) {
    return task.flows.front().path == path && task.flows.size() == flows;
  });
}

std::vector<std::string> names(const Settings& settings, const Site& site) {
  std::vector<std::string> out;
  for (const Task& task : tasks(settings, site)) {
    for (const Flow& flow : task.flows) out.push_back(check_name(task, flow, site));
  }
  for (const Chase& chase : chases(settings, site)) out.push_back(check_name(chase, site));
  return out;
}

}  // namespace

TEST_CASE("one device has host and local tasks and no peers") {
  const Settings settings;
  const Site site = site_of(1, {0});
  const auto all = tasks(settings, site);
  CHECK(count(all, Path::kHostToDevice, 1) == 2);  // two engines
  CHECK(count(all, Path::kDeviceToHost, 1) == 2);
  CHECK(count(all, Path::kHostToDevice, 2) == 2);
  CHECK(count(all, Path::kLocal, 1) == 2);
  CHECK(all.size() == 8);
  CHECK(chases(settings, site).size() == 1);
}

TEST_CASE("every pair is measured each way and both ways by each engine") {
  const Settings settings;
  const Site site = site_of(8, {0, 1});
  const auto all = tasks(settings, site);
  for (const Path path : {Path::kPeerWrite, Path::kPeerRead}) {
    CHECK(count(all, path, 1) == 8 * 7 * 2);
    CHECK(count(all, path, 2) == 8 * 7 / 2 * 2);
  }
  CHECK(count(all, Path::kHostToDevice, 1) == 8 * 2 * 2);
  CHECK(chases(settings, site).size() == 8 * 2 + 8 * 7);
}

TEST_CASE("names of checks are unique and so are metrics with parameters and ends") {
  const Settings settings;
  const Site site = site_of(4, {0, 1});
  const auto all = names(settings, site);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
  std::set<std::string> metrics;
  std::size_t said = 0;
  for (const Task& task : tasks(settings, site)) {
    for (const Flow& flow : task.flows) {
      std::string text =
          std::string(word(flow.path)) + std::to_string(flow.from) + "-" + std::to_string(flow.to);
      for (const auto& [name, value] : parameters(task, flow, settings, site)) {
        text += name;
        if (const auto* word = std::get_if<std::string>(&value)) text += *word;
      }
      metrics.insert(text);
      ++said;
    }
  }
  CHECK(metrics.size() == said);
}

TEST_CASE("the one that the path names moves the data") {
  CHECK(Flow{Path::kPeerWrite, 2, 5}.driver() == 2);
  CHECK(Flow{Path::kPeerRead, 2, 5}.driver() == 5);
  CHECK(Flow{Path::kHostToDevice, kHost, 3}.driver() == 3);
  CHECK(Flow{Path::kDeviceToHost, 3, kHost}.driver() == 3);
}

TEST_CASE("where access goes one way only that way is measured") {
  Settings settings;
  settings.tests = {"peer_write", "peer_read", "latency"};
  Site site = site_of(2, {0}, false);
  CHECK(tasks(settings, site).empty());
  site.reach[0][1] = true;
  for (const Task& task : tasks(settings, site)) {
    CHECK(task.flows.size() == 1);
    CHECK(task.flows.front().driver() == 0);
  }
  CHECK(tasks(settings, site).size() == 4);
  const auto walks = chases(settings, site);
  CHECK(std::count_if(walks.begin(), walks.end(), [](const Chase& c) { return c.owner == 1; }) ==
        1);
  CHECK(std::count_if(walks.begin(), walks.end(), [](const Chase& c) { return c.owner == 0; }) ==
        0);
}

TEST_CASE("the near domain is local and others have their number") {
  Site site = site_of(2, {0, 1});
  CHECK(numa_word(site, 0, 0) == "local");
  CHECK(numa_word(site, 0, 1) == "numa1");
  CHECK(numa_word(site, 1, 1) == "local");
  site.near[0] = -1;
  CHECK(numa_word(site, 0, 0) == "numa0");
  CHECK(numa_word(site_of(1, {3}), 0, 3) == "local");
  Settings settings;
  settings.numa = "local";
  settings.tests = {"h2d"};
  settings.directions = {"one"};
  settings.engines = {"ce"};
  // The driver does not tell where device 0 hangs: none of two domains may pass for its own.
  const auto all = tasks(settings, site);
  REQUIRE(all.size() == 1);
  CHECK(all.front().flows.front().driver() == 1);
  CHECK(all.front().domain == 1);
}

TEST_CASE("parameters are those that a suite expects") {
  const Settings settings;
  const Site site = site_of(2, {0});
  const Task host{Engine::kCopyEngine, {{Path::kHostToDevice, kHost, 0}}, 0};
  CHECK(parameters(host, host.flows.front(), settings, site) ==
        contract::Parameters{{"bytes", std::int64_t{536870912}},
                             {"direction", std::string("one")},
                             {"engine", std::string("ce")},
                             {"numa", std::string("local")}});
  const Task local{Engine::kKernel, {{Path::kLocal, 0, 0}}, -1};
  CHECK(parameters(local, local.flows.front(), settings, site) ==
        contract::Parameters{{"bytes", std::int64_t{536870912}},
                             {"counted", std::string("once")},
                             {"direction", std::string("one")},
                             {"engine", std::string("sm")}});
  CHECK(parameters(Chase{1, 0, -1}, site) ==
        contract::Parameters{{"bytes", std::int64_t{2097152}}, {"memory", std::string("peer")}});
}

TEST_CASE("sizes that prove nothing are refused") {
  Settings settings;
  settings.size = 100;
  CHECK_THROWS_WITH(require_sizes(settings, 0), Catch::Contains("multiple of 16"));
  settings.size = 4096;
  CHECK_THROWS_WITH(require_sizes(settings, 50 << 20), Catch::Contains("209715200 bytes"));
  settings.tests = {"h2d"};
  CHECK_NOTHROW(require_sizes(settings, 50 << 20));
  settings.tests = {"local"};
  settings.size = 200 << 20;
  CHECK_NOTHROW(require_sizes(settings, 50 << 20));
}

TEST_CASE("each copy of a sample leaves something that no later one covers") {
  Settings settings;
  for (const std::int64_t size :
       {std::int64_t{4096}, std::int64_t{1} << 20, std::int64_t{512} << 20}) {
    settings.size = size;
    const Window window = window_of(settings);
    CHECK(window.shift > 0);
    CHECK(window.shift % 16 == 0);
    CHECK(window.shift <= window.bytes);  // no gap that nobody writes
    CHECK(window.span() == window.offset(window.copies - 1) + window.bytes);
    CHECK(window.moved() == static_cast<double>(size) * 16);
  }
}

TEST_CASE("the command line refuses what is no size and no test") {
  const auto parse = [](const std::vector<std::string>& words) {
    Settings settings;
    kit::Options options("copy-cuda", "", "");
    declare(options, settings);
    options.parse(words);
    return settings;
  };
  CHECK(parse({"--size", "64M", "--tests", "h2d,latency"}).size == 64 << 20);
  for (const char* size : {"0", "-1", "x", "1"}) {
    CHECK_THROWS_AS(parse({"--size", size}), kit::UsageError);
  }
  CHECK_THROWS_AS(parse({"--tests", "h2h"}), kit::UsageError);
  CHECK_THROWS_AS(parse({"--samples", "0"}), kit::UsageError);
  CHECK_THROWS_AS(parse({"--engines", "dma"}), kit::UsageError);
}
