#include "benches/copy/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/copy/chase.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::copy {
namespace {

bool has(const std::vector<std::string>& words, std::string_view wanted) {
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

bool wants(const Settings& settings, std::string_view test) {
  return settings.tests.empty() || has(settings.tests, test);
}

std::vector<Engine> engines_of(const Settings& settings) {
  std::vector<Engine> engines;
  for (const Engine engine : {Engine::kCopyEngine, Engine::kKernel}) {
    if (has(settings.engines, word(engine))) engines.push_back(engine);
  }
  return engines;
}

std::vector<int> domains_for(const Settings& settings, const Site& site, int device) {
  if (settings.numa == "all" || site.domains.size() == 1) return site.domains;
  const int near = site.near[static_cast<std::size_t>(device)];
  if (std::find(site.domains.begin(), site.domains.end(), near) == site.domains.end()) return {};
  return {near};
}

bool uses(const Settings& settings, const Site& site, int device, int domain) {
  const std::vector<int> domains = domains_for(settings, site, device);
  return std::find(domains.begin(), domains.end(), domain) != domains.end();
}

bool reaches(const Site& site, int a, int b) {
  return site.reach[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

// Whether the device that moves the data can use the other's memory.
bool possible(const Flow& flow, const Site& site) {
  const int driver = flow.driver();
  return reaches(site, driver, driver == flow.from ? flow.to : flow.from);
}

void add_host_tasks(const Settings& settings, const Site& site, std::vector<Task>& out) {
  const bool in = wants(settings, "h2d");
  const bool back = wants(settings, "d2h");
  for (const int domain : site.domains) {
    for (int device = 0; device < site.devices(); ++device) {
      if (!uses(settings, site, device, domain)) continue;
      const Flow to{Path::kHostToDevice, kHost, device};
      const Flow from{Path::kDeviceToHost, device, kHost};
      for (const Engine engine : engines_of(settings)) {
        if (has(settings.directions, "one")) {
          if (in) out.push_back({engine, {to}, domain});
          if (back) out.push_back({engine, {from}, domain});
        }
        if (has(settings.directions, "both") && (in || back)) {
          out.push_back({engine, {to, from}, domain});
        }
      }
    }
  }
}

void add_pair(const Settings& settings, const Site& site, Path path, int a, int b,
              std::vector<Task>& out) {
  std::vector<Flow> flows;
  for (const Flow& flow : {Flow{path, a, b}, Flow{path, b, a}}) {
    if (possible(flow, site)) flows.push_back(flow);
  }
  for (const Engine engine : engines_of(settings)) {
    if (has(settings.directions, "one")) {
      for (const Flow& flow : flows) out.push_back({engine, {flow}, -1});
    }
    if (has(settings.directions, "both") && flows.size() == 2) out.push_back({engine, flows, -1});
  }
}

std::string place(int device) { return device == kHost ? "host" : fmt::format("{}", device); }

}  // namespace

std::vector<std::string> test_words() {
  return {"h2d", "d2h", "local", "peer_write", "peer_read", "latency"};
}

void declare(kit::Options& options, Settings& settings) {
  options.text(
      "device", settings.device,
      "one GPU alone: an index, GPU-<uuid> or MIG-<uuid>; all that are here when left out");
  options.choices("tests", settings.tests, test_words(), "what to measure; all when left out");
  options.choices("engines", settings.engines, {"ce", "sm"}, "copy engine, kernel on the SMs");
  options.choices("directions", settings.directions, {"one", "both"},
                  "one way alone, both ways at once");
  options.choice("numa", settings.numa, {"all", "local"},
                 "host memory of every NUMA domain, or of the device's own");
  options.bytes("size", settings.size, 4096, std::int64_t{1} << 40,
                "bytes of a copy, a multiple of 16");
  options.integer("copies", settings.copies, 1, 256, "copies between two events: one sample");
  options.integer("samples", settings.samples, 1, 1000, "samples of each measurement");
  options.integer("seed", settings.seed, 0, std::int64_t{1} << 52,
                  "of the data; 0 takes a new one");
}

void require_sizes(const Settings& settings, std::int64_t l2_bytes) {
  constexpr std::int64_t kVector = 16;
  if (settings.size % kVector != 0) {
    throw kit::UsageError(
        fmt::format("--size {}: expected a multiple of {} bytes", settings.size, kVector));
  }
  const std::int64_t least = 4 * l2_bytes;
  if (wants(settings, "local") && settings.size < least) {
    throw kit::UsageError(fmt::format(
        "--size {}: a copy within a device takes at least {} bytes, four times its L2 cache; "
        "choose a larger one or --tests without local",
        settings.size, least));
  }
}

Window window_of(const Settings& settings) {
  constexpr std::int64_t kShift = 64 * 1024;
  return {settings.size, settings.copies, std::min(kShift, settings.size)};
}

std::string_view word(Path path) {
  switch (path) {
    case Path::kHostToDevice:
      return "h2d";
    case Path::kDeviceToHost:
      return "d2h";
    case Path::kLocal:
      return "local";
    case Path::kPeerWrite:
      return "peer_write";
    case Path::kPeerRead:
      break;
  }
  return "peer_read";
}

std::string_view word(Engine engine) { return engine == Engine::kCopyEngine ? "ce" : "sm"; }

int Flow::driver() const {
  if (from == kHost) return to;
  return path == Path::kPeerRead ? to : from;
}

std::vector<Task> tasks(const Settings& settings, const Site& site) {
  std::vector<Task> out;
  add_host_tasks(settings, site, out);
  if (wants(settings, "local")) {
    for (int device = 0; device < site.devices(); ++device) {
      for (const Engine engine : engines_of(settings)) {
        out.push_back({engine, {{Path::kLocal, device, device}}, -1});
      }
    }
  }
  for (int a = 0; a < site.devices(); ++a) {
    for (int b = a + 1; b < site.devices(); ++b) {
      for (const Path path : {Path::kPeerWrite, Path::kPeerRead}) {
        if (wants(settings, word(path))) add_pair(settings, site, path, a, b, out);
      }
    }
  }
  return out;
}

std::vector<Chase> chases(const Settings& settings, const Site& site) {
  std::vector<Chase> out;
  if (!wants(settings, "latency")) return out;
  for (const int domain : site.domains) {
    for (int device = 0; device < site.devices(); ++device) {
      if (uses(settings, site, device, domain)) out.push_back({device, kHost, domain});
    }
  }
  for (int reader = 0; reader < site.devices(); ++reader) {
    for (int owner = 0; owner < site.devices(); ++owner) {
      if (owner != reader && reaches(site, reader, owner)) out.push_back({reader, owner, -1});
    }
  }
  return out;
}

std::string numa_word(const Site& site, int device, int domain) {
  const bool near = site.near[static_cast<std::size_t>(device)] == domain;
  return near || site.domains.size() == 1 ? "local" : fmt::format("numa{}", domain);
}

contract::Parameters parameters(const Task& task, const Flow& flow, const Settings& settings,
                                const Site& site) {
  contract::Parameters out{{"engine", std::string(word(task.engine))},
                           {"direction", std::string(task.flows.size() == 2 ? "both" : "one")},
                           {"bytes", settings.size}};
  if (task.domain >= 0) out["numa"] = numa_word(site, flow.driver(), task.domain);
  if (flow.path == Path::kLocal) out["counted"] = std::string("once");
  return out;
}

contract::Parameters parameters(const Chase& chase, const Site& site) {
  contract::Parameters out{{"bytes", kRingBytes},
                           {"memory", std::string(chase.owner == kHost ? "host" : "peer")}};
  if (chase.domain >= 0) out["numa"] = numa_word(site, chase.reader, chase.domain);
  return out;
}

std::string check_name(const Task& task, const Flow& flow, const Site& site) {
  std::string name = fmt::format("{}.{}.{}", word(flow.path), word(task.engine),
                                 task.flows.size() == 2 ? "both" : "one");
  if (task.domain >= 0) name += "." + numa_word(site, flow.driver(), task.domain);
  if (flow.path == Path::kPeerWrite || flow.path == Path::kPeerRead) {
    return name + fmt::format(".{}-{}", flow.from, flow.to);
  }
  return name + fmt::format(".{}", flow.driver());
}

std::string check_name(const Chase& chase, const Site& site) {
  std::string name = fmt::format("latency.{}-{}", place(chase.owner), place(chase.reader));
  if (chase.domain >= 0) name += "." + numa_word(site, chase.reader, chase.domain);
  return name;
}

}  // namespace rackproof::copy
