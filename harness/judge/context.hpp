#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge {

/// True when `host` is one of the hosts of `subject`.
bool touches(const model::Subject& subject, std::string_view host);

/// The distinct hosts of `subject`.
std::vector<std::string> hosts_of(const model::Subject& subject);

/// The table that all hosts of a subject share; null when they do not, or one has none.
struct Platform {
  const model::PlatformTable* table = nullptr;
  const char* problem = nullptr;  ///< a reason_id when there is no table
  std::string sentence;
};

/// Look-ups over one report. Keeps pointers into it: the report must outlive it, and its attempts,
/// platforms, nodes and steps must not change meanwhile.
class Context {
 public:
  explicit Context(const model::Report& report);

  const model::Report& report() const { return report_; }

  /// Attempts of the cell's step at something that holds the cell's subject or is part of it, in
  /// the order of the report: what goes wrong in one of them concerns the cell.
  std::vector<const model::Attempt*> attempts_of(const model::Cell& cell) const;

  /// The attempt with this nonce; null when there is none or more than one.
  const model::Attempt* attempt(const std::string& nonce) const;

  const model::StepInfo* step(const std::string& id) const;

  /// The member that was the first to spoil the group of `attempt` in its round, as a finding
  /// group-failed of the run tells; nothing when none does.
  std::optional<int> first_to_fail(const model::Attempt& attempt) const;

  /// The inventory of a host; null when there is none.
  const model::NodeInventory* node(const std::string& host) const;

  /// "NVIDIA H200": what the inventory calls a device of a host; empty when it does not say.
  std::string device_name(const std::string& host, const std::string& uuid) const;

  Platform platform_of(const model::Subject& subject) const;

  /// A positive, finite fact: from the table, else of the device when the subject is one (its
  /// host's say nothing of it: a fraction of a processor's peak is none of a GPU's), else the least
  /// over the hosts of the subject. Nothing when one of them does not state it.
  std::optional<double> fact(const model::PlatformTable& table, const model::Subject& subject,
                             const std::string& name) const;

 private:
  std::optional<double> fact_of_host(const model::Subject& subject, const std::string& host,
                                     const std::string& name) const;

  const model::Report& report_;
  std::map<std::string, const model::Attempt*> by_nonce_;
  std::map<std::string, std::vector<std::size_t>> by_step_;
  std::map<std::string, std::vector<std::size_t>> wide_by_step_;  ///< links and groups
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_step_and_host_;
  std::map<std::string, const model::StepInfo*> steps_;
  /// By step, group and number of the round.
  std::map<std::tuple<std::string, std::string, std::int64_t>, int> first_to_fail_;
  std::map<std::string, const model::PlatformTable*> tables_;
  std::map<std::string, const model::NodeInventory*> nodes_;
};

}  // namespace rackproof::judge
