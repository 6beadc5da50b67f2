#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/gate/reason.hpp"

namespace rackproof::gate {

/// The longest reason: Slurm's accounting keeps 255 bytes of it (the column is a tinytext).
inline constexpr std::size_t kLongestReason = 200;

/// One line for a scheduler out of sorted findings: "rackproof: gpu-missing: GPU-1a2b, and 2 more".
/// Printable ASCII without quotes, backslashes, dollar signs and the like, at most kLongestReason
/// bytes; empty where nothing decides.
std::string scheduler_reason(const std::vector<Finding>& findings);

/// The name of the node for the scheduler: SLURMD_NODENAME, else the host's without its domain.
/// Nothing when that is no single name: Slurm takes "n[1-9]" and "n1,n2" for many nodes.
std::optional<std::string> node_name(const std::map<std::string, std::string>& environment,
                                     const std::string& host);

/// True for a name that means one node, whatever reads it.
bool is_one_node(const std::string& name);

/// What sets a node aside, word by word, to be started without a shell; [0] is `scontrol`.
std::vector<std::string> drain_command(const std::string& scontrol, const std::string& node,
                                       const std::string& reason);

/// The same as a person would type it.
std::string drain_line(const std::string& node, const std::string& reason);

/// What asks for the state of the node, and whether the answer says that it is set aside already:
/// its reason is somebody's, and stays.
std::vector<std::string> state_command(const std::string& scontrol, const std::string& node);
bool is_drained(const std::string& answer);

}  // namespace rackproof::gate
