#include "harness/gate/state.hpp"

#include <fmt/format.h>

#include "reports/model/fact_name.hpp"

namespace rackproof::gate {
namespace {

namespace fact_name = model::fact_name;

using Facts = std::map<std::string, model::Fact>;

void keep_known(const Facts& then, Facts& now) {
  for (const auto& [name, fact] : then) {
    if (!fact.value) continue;
    const auto [at, fresh] = now.try_emplace(name, fact);
    if (!fresh && !at->second.value) at->second = fact;
  }
}

}  // namespace

State of_this_node(State state, const Look& now) {
  if (!state.good) return state;
  const model::NodeInventory& then = state.good->look.node;
  const auto machine = [](const model::NodeInventory& node) {
    return model::text_of(node, fact_name::kHostMachineIdHash).value_or("");
  };
  if (then.host != now.node.host) {
    return {StateKind::kForeign, std::nullopt,
            fmt::format("it is of the host {}, and this is {}", then.host, now.node.host)};
  }
  if (machine(then) != machine(now.node) && !machine(then).empty() && !machine(now.node).empty()) {
    return {StateKind::kForeign, std::nullopt, "it is of another machine (its machine id differs)"};
  }
  return state;
}

Look remembered(const Look& now, const State& before) {
  Look out = now;
  out.events.clear();
  if (!before.good) return out;
  const Look& then = before.good->look;
  Facts facts = then.node.facts;
  // They say that something is wrong, and are not there where nothing is.
  for (const char* sign : {fact_name::kGpuSilent, fact_name::kGpuUnmanaged}) facts.erase(sign);
  keep_known(facts, out.node.facts);
  for (model::DeviceFacts& device : out.node.devices) {
    for (const model::DeviceFacts& one : then.node.devices) {
      if (one.uuid == device.uuid) keep_known(one.facts, device.facts);
    }
  }
  out.counters.insert(then.counters.begin(), then.counters.end());
  if (!out.last_message && now.uptime_seconds >= then.uptime_seconds &&
      model::text_of(now.node, fact_name::kHostBootId) ==
          model::text_of(then.node, fact_name::kHostBootId)) {
    out.last_message = then.last_message;
  }
  return out;
}

}  // namespace rackproof::gate
