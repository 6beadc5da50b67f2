#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// True when `host` is one of the hosts of `subject`.
bool touches(const model::Subject& subject, std::string_view host);

/// The distinct hosts of `subject`, sorted.
std::vector<std::string_view> hosts_of(const model::Subject& subject);

/// How many they are.
std::size_t host_count(const model::Subject& subject);

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
  const model::NodeInventory* node(std::string_view host) const;

  /// The first rank of the run that went missing on one of the subject's hosts, or null.
  const model::RankInfo* missing_rank(const model::Subject& subject) const;

  /// The finding that one of the subject's hosts was set aside, or null.
  const model::Finding* set_aside(const model::Subject& subject) const;

  /// What the kernel or a driver told while the attempt ran, of a fault of what it worked on; null
  /// when nothing.
  const model::Event* fault_in(const model::Attempt& attempt) const;

  /// "NVIDIA H200": what the inventory calls a device of a host; empty when it does not say.
  std::string_view device_name(std::string_view host, std::string_view uuid) const;

  /// What report.bounds says of a metric.
  const std::vector<const model::MetricBound*>& bounds_of(const std::string& metric) const;

  /// What the run claims to be fast at.
  const std::vector<model::Claim>& claims() const { return claims_; }

  Platform platform_of(const model::Subject& subject) const;

  /// A positive, finite fact: from the table, else of the device when the subject is one (its
  /// host's say nothing of it: a fraction of a processor's peak is none of a GPU's), else the least
  /// over the hosts of the subject. Nothing when one of them does not state it.
  std::optional<double> fact(const model::PlatformTable& table, const model::Subject& subject,
                             const std::string& name) const;

  /// The least over all GPUs of the hosts of the subject, for what is between several of them.
  /// Nothing when one of them does not state it, or not as a positive, finite number.
  std::optional<double> fact_of_devices(const model::Subject& subject,
                                        const std::string& name) const;

  /// What the inventory says of the device that is the subject; empty where it does not.
  std::string device_text(const model::Subject& subject, const std::string& name) const;

 private:
  /// Of the device that is the subject; null where the inventory does not name it.
  const std::optional<contract::Scalar>* device_fact(const model::Subject& subject,
                                                     const std::string& name) const;
  std::optional<double> fact_of_host(const model::Subject& subject, std::string_view host,
                                     const std::string& name) const;

  /// Of two texts of the report.
  struct Pair {
    std::string_view first;
    std::string_view second;
    bool operator==(const Pair&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      const std::hash<std::string_view> hash;
      return hash(pair.first) * 31 + hash(pair.second);
    }
  };
  template <class T>
  using ByText = std::unordered_map<std::string_view, T>;
  template <class T>
  using ByPair = std::unordered_map<Pair, T, Hash>;

  const model::Report& report_;
  ByText<const model::Attempt*> by_nonce_;
  ByText<std::vector<std::size_t>> wide_by_step_;      ///< links and groups
  ByPair<std::vector<std::size_t>> by_step_and_host_;  ///< devices and nodes
  ByText<const model::StepInfo*> steps_;
  /// By step, group and number of the round.
  std::map<std::tuple<std::string, std::string, std::int64_t>, int> first_to_fail_;
  ByText<const model::PlatformTable*> table_of_host_;
  ByText<const model::NodeInventory*> nodes_;
  ByText<const model::RankInfo*> missing_ranks_;  ///< by host
  ByText<const model::Finding*> set_aside_;       ///< by host
  ByText<const model::Event*> faults_;            ///< by nonce
  ByPair<std::string> device_names_;              ///< by host and UUID
  ByText<std::vector<const model::MetricBound*>> bounds_;
  std::vector<model::Claim> claims_;
};

}  // namespace rackproof::evidence
