#include "harness/gate/decide.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/gate/compare.hpp"
#include "harness/gate/counters.hpp"
#include "harness/recognise/expectations.hpp"
#include "harness/recognise/recognise.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::gate {
namespace {

namespace fact_name = model::fact_name;

using model::FactRule;
using model::NodeInventory;
using model::PlatformTable;

/// What a decision is made of, while it is made.
class Deciding {
 public:
  Deciding(const Look& now, const State& before, const Measure& measure)
      : now_(now),
        good_(before.good ? &*before.good : nullptr),
        before_(before),
        measure_(measure) {}

  Decision decide() {
    tell_state();
    look_for_driver();
    look_for_silent_gpus();
    hold_against_platform();
    hold_against_golden();
    if (good_ != nullptr) hold_against_before();
    look_at_memory_of_gpus();
    take_kernel_events();
    sort_findings(decision_.findings);
    return std::move(decision_);
  }

 private:
  bool hangs() const { return now_.driver_waited.has_value(); }
  bool nvml_answers() const {
    return model::value_of(now_.node, fact_name::kGpuNvmlCount).has_value();
  }

  void say(GateReason reason, std::string part, std::string text) {
    decision_.findings.push_back({reason, std::move(part), std::move(text)});
  }

  /// Of what can be seen of the present alone: not bad where the last good look shows the same.
  void say_unless(bool as_before, GateReason reason, std::string part, std::string text) {
    if (as_before) text = fmt::format("{}: {}", contract::word(reason), text);
    say(as_before ? GateReason::kAsBefore : reason, std::move(part), std::move(text));
  }

  void take(std::vector<Finding> findings) {
    for (Finding& one : findings) decision_.findings.push_back(std::move(one));
  }

  void tell_state() {
    switch (before_.kind) {
      case StateKind::kNone:
        return say(GateReason::kFirstLook, "",
                   "there is no look before this one to hold it against");
      case StateKind::kForeign:
        return say(
            GateReason::kStateForeign, "",
            fmt::format("the state is not this node's ({}); this is a first look", before_.why));
      case StateKind::kOtherVersion:
        return say(GateReason::kStateOtherVersion, "",
                   fmt::format("the state cannot be used ({}); this is a first look", before_.why));
      case StateKind::kUnreadable:
        return say(
            GateReason::kStateUnreadable, "",
            fmt::format("what the node was at its last good look is not known: {}", before_.why));
      case StateKind::kGood:
        break;
    }
    if (!same_start(good_->look, now_)) {
      say(GateReason::kRestarted, "", "the node was started again since the last good look");
    }
  }

  // A value that is there now and was the same at the last good look.
  bool same_as_before(const char* fact) const {
    return good_ != nullptr &&
           model::value_of(good_->look.node, fact) == model::value_of(now_.node, fact);
  }

  void look_for_driver() {
    if (hangs()) {
      return say(GateReason::kDriverSilent, "",
                 fmt::format("the NVIDIA driver did not answer in {:.3g} s", *now_.driver_waited));
    }
    if (nvml_answers()) return;
    const auto fact = now_.node.facts.find(fact_name::kGpuNvmlCount);
    const std::string why = fact == now_.node.facts.end() || fact->second.unreadable.empty()
                                ? "nobody tells why"
                                : fact->second.unreadable;
    const double on_bus = model::number_of(now_.node, fact_name::kGpuCount).value_or(0);
    const std::size_t golden = measure_.golden ? gpu_count(*measure_.golden) : 0;
    const std::size_t then = good_ == nullptr ? 0 : gpu_count(good_->look.node);
    if (golden > 0 || then > 0) {
      return say(GateReason::kDriverMissing, "",
                 fmt::format("NVML does not tell of any GPU, and there should be {}: {}",
                             std::max(golden, then), why));
    }
    if (on_bus > 0) {
      say_unless(same_as_before(fact_name::kGpuUnmanaged), GateReason::kDriverMissing, "",
                 fmt::format("{:.0f} GPUs are on the PCI bus, and NVML does not tell of any: {}",
                             on_bus, why));
    }
  }

  void look_for_silent_gpus() {
    if (hangs() || !nvml_answers()) return;
    if (const auto silent = model::text_of(now_.node, fact_name::kGpuSilent)) {
      say_unless(same_as_before(fact_name::kGpuSilent), GateReason::kGpuSilent, "",
                 fmt::format("the driver counts GPUs that cannot be used: {}", *silent));
    }
    if (const auto unmanaged = model::text_of(now_.node, fact_name::kGpuUnmanaged)) {
      say_unless(same_as_before(fact_name::kGpuUnmanaged), GateReason::kGpuSilent, "",
                 fmt::format("GPUs are on the PCI bus and not with the driver: {}", *unmanaged));
    }
  }

  const PlatformTable* table_of(const std::string& id) const {
    const auto found = std::find_if(measure_.tables.begin(), measure_.tables.end(),
                                    [&id](const PlatformTable& one) { return one.id == id; });
    return found == measure_.tables.end() ? nullptr : &*found;
  }

  /// The table that was named, else the one that recognised the node before, else the one that does
  /// now: a node that lost a GPU is recognised by another one, or by none.
  const PlatformTable* table() const {
    if (measure_.named) return measure_.tables.empty() ? nullptr : &measure_.tables.front();
    const PlatformTable* before = good_ == nullptr ? nullptr : table_of(good_->platform);
    if (before != nullptr && !before->generic) return before;
    return recognise::recognise(now_.node, measure_.tables).table;
  }

  void hold_against_platform() {
    const PlatformTable* const table = this->table();
    if (table == nullptr || table->generic) {
      say(GateReason::kNoPlatform, "",
          "no table of a particular machine recognises this node: it is held against its golden "
          "inventory and its last good look alone");
      return;
    }
    decision_.platform = table->id;
    if (hangs()) return;  // its rules are about GPUs
    for (const FactRule& rule : table->recognise) {
      if (rule.fact == fact_name::kPlatformSelected || recognise::holds(rule, now_.node)) continue;
      const recognise::Contradiction what = recognise::contradiction(rule, now_.node);
      const bool count = rule.fact == fact_name::kGpuNvmlCount || rule.fact == fact_name::kGpuCount;
      // As many GPUs as before, and another partition of them.
      const bool parts =
          count && good_ != nullptr && gpu_count(now_.node) >= gpu_count(good_->look.node);
      say_unless(parts || (good_ != nullptr && !recognise::holds(rule, good_->look.node)),
                 count ? GateReason::kGpuMissing : GateReason::kOtherPlatform, "",
                 fmt::format("{} is {}; table {} requires {}", what.fact, what.have, table->id,
                             what.want));
    }
    hold_against_expectations(*table);
  }

  static std::vector<recognise::Unmet> unmet(const NodeInventory& node,
                                             const PlatformTable& table) {
    model::Report report;
    report.nodes = {node};
    report.platforms = {table};
    report.platform_of_host[node.host] = table.id;
    return recognise::unmet_expectations(report);
  }

  void hold_against_expectations(const PlatformTable& table) {
    const auto then =
        good_ == nullptr ? std::vector<recognise::Unmet>() : unmet(good_->look.node, table);
    for (const recognise::Unmet& one : unmet(now_.node, table)) {
      if (one.severity < model::Severity::kWarning) continue;
      const bool grave = one.severity >= model::Severity::kError;
      const bool as_before =
          std::any_of(then.begin(), then.end(), [&one](const recognise::Unmet& other) {
            return other.fact == one.fact && other.want == one.want && other.have == one.have &&
                   other.hosts == one.hosts;
          });
      std::string text = recognise::to_text(one);
      if (grave && !one.remedy.empty()) text += "; " + one.remedy;
      if (grave) {
        say_unless(as_before, GateReason::kExpectation, "", std::move(text));
      } else {
        say(GateReason::kChanged, "", std::move(text));
      }
    }
  }

  /// Without what NVML tells, where it does not: that is one reason, and not one for each fact.
  std::vector<Finding> seen(std::vector<Finding> findings) const {
    if (!hangs() && nvml_answers()) return findings;
    std::erase_if(findings, [](const Finding& one) {
      return one.fact.starts_with("gpu.") || one.fact.starts_with("nvlink.");
    });
    return findings;
  }

  void hold_against_golden() {
    if (!measure_.golden) return;
    if (!hangs() && nvml_answers()) {
      for (Finding& one : fewer_gpus(*measure_.golden, now_.node)) {
        decision_.findings.push_back(std::move(one));
      }
    }
    take(seen(differences(*measure_.golden, now_.node, measure_.rules, Against::kGolden)));
  }

  void hold_against_before() {
    if (!hangs() && nvml_answers()) take(lost_gpus(good_->look.node, now_.node));
    take(seen(differences(good_->look.node, now_.node, measure_.rules, Against::kBefore)));
    take(judge_counters(good_->look, now_));
  }

  void look_at_memory_of_gpus() {
    for (const model::DeviceFacts& device : now_.node.devices) {
      const auto failed = [&device](const std::map<std::string, model::Fact>& facts) {
        const auto found = facts.find(fact_name::kGpuRowRemapFailed);
        return found != facts.end() && found->second.value == contract::Scalar(true);
      };
      if (!failed(device.facts)) continue;
      bool as_before = false;
      for (const auto& one :
           good_ == nullptr ? std::vector<model::DeviceFacts>() : good_->look.node.devices) {
        as_before = as_before || (one.uuid == device.uuid && failed(one.facts));
      }
      say_unless(as_before, GateReason::kRowRemapFailed, device.uuid,
                 "memory that went bad could not be replaced: the GPU is to be exchanged");
    }
  }

  void take_kernel_events() {
    if (!now_.kernel_problem.empty()) {
      say(GateReason::kKernelLogUnread, "", now_.kernel_problem);
    }
    const bool since = good_ != nullptr;
    const bool same = since && same_start(good_->look, now_);
    for (const KernelEvent& event : now_.events) {
      if (same && good_->look.last_message && event.sequence <= *good_->look.last_message) continue;
      if (event.severity < model::Severity::kWarning) continue;
      const bool grave = event.severity >= model::Severity::kError;
      // Of a first look nobody knows whether it was repaired since.
      say(grave && since ? GateReason::kKernelError : GateReason::kKernelWarning, event.device,
          event.text);
    }
  }

  const Look& now_;
  const GoodLook* good_;
  const State& before_;
  const Measure& measure_;
  Decision decision_;
};

}  // namespace

Decision decide(const Look& now, const State& before, const Measure& measure) {
  return Deciding(now, before, measure).decide();
}

}  // namespace rackproof::gate
