#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::recognise {

/// Recognises the table of a node: the most specific (longest chain, then most rules) whose rules
/// all hold. Two equally specific ones: neither, and `ambiguous` names both. Generic tables lose to
/// others. A table without rules is recognised only when it is generic, an abstract one never.
struct Recognition {
  const model::PlatformTable* table = nullptr;
  std::string ambiguous;
};
Recognition recognise(const model::NodeInventory& node,
                      const std::vector<model::PlatformTable>& tables);

/// A rule that a host does not meet, in words: what it asks of which fact, and what the host has.
struct Contradiction {
  std::string host;
  std::string fact;  ///< "gpu.nvml_count"
  std::string want;  ///< "8", "at least 8", "*H100*"
  std::string have;  ///< "7", or "not known (NVML: no such file)"
};

using Facts = std::map<std::string, model::Fact>;

/// True when the fact is known and as the rule asks.
bool holds(const model::FactRule& rule, const Facts& facts);
bool holds(const model::FactRule& rule, const model::NodeInventory& node);

/// A rule that does not hold, in words.
Contradiction contradiction(const model::FactRule& rule, const Facts& facts,
                            const std::string& host);
Contradiction contradiction(const model::FactRule& rule, const model::NodeInventory& node);

/// True for a table that is never recognised and only chosen by name: it has a rule on the fact
/// `platform.selected`, which no inventory has.
bool is_for_selection(const model::PlatformTable& table);

/// Every rule of `table` that does not hold, host by host, but for one on `platform.selected`. A
/// fact that is not known does not meet a rule; a host whose inventory could not be taken at all
/// contradicts nothing.
std::vector<Contradiction> contradictions(const model::PlatformTable& table,
                                          const std::vector<model::NodeInventory>& nodes);

/// Why `table` must not judge `nodes` unless somebody insists: the first contradiction and how many
/// more there are. Empty when there is none.
std::string refusal(const model::PlatformTable& table,
                    const std::vector<model::NodeInventory>& nodes);

/// The table of each host and what is to be said about it.
struct PlatformChoice {
  std::map<std::string, std::string> of_host;
  std::vector<model::Finding> findings;
};

/// True for the findings that a choice can hold: a new choice replaces them.
bool is_choice_finding(const std::string& id);

/// Recognises every node. Says what is ambiguous, which hosts are of another platform than most,
/// and for those that no table of a particular machine fits, which table came nearest and where it
/// fails.
PlatformChoice choose_platforms(const std::vector<model::NodeInventory>& nodes,
                                const std::vector<model::PlatformTable>& tables);

/// `table` for every node, because somebody named it: `how` says who. Says each contradiction.
PlatformChoice force_platform(const std::vector<model::NodeInventory>& nodes,
                              const model::PlatformTable& table, const std::string& how);

}  // namespace rackproof::recognise
