#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::warden {

/// Names what a child does not get of its caller's environment, for the inventory to record.
inline constexpr const char* kDroppedVariable = "RACKPROOF_DROPPED";
/// What the caller's CUDA_VISIBLE_DEVICES was, for the inventory to record.
inline constexpr const char* kHiddenVariable = "RACKPROOF_VISIBLE_DEVICES";

/// True for a variable that a child must not inherit: a launcher's own (a child that sees them
/// takes itself for a rank), thread counts and bindings and what hides GPUs (a child must see the
/// whole machine, or what it is placed on), what changes its arithmetic, and what brings foreign
/// code into a program.
bool is_stripped(std::string_view name);

/// True for those of them that bring foreign code into a program: LD_PRELOAD and its like.
bool is_hook(std::string_view name);

/// True for those of them that change what is measured without a trace in the number: which GPUs
/// there are, and with which units a library computes.
bool changes_results(std::string_view name);

/// The folders of a library path that may be searched: absolute, there, and not open to writing by
/// everybody.
std::string trusted_folders(std::string_view path);

/// Brings this process's environment into order before children inherit from it: LD_LIBRARY_PATH
/// keeps its trusted folders only, and kDroppedVariable and kHiddenVariable tell what children will
/// not get. Looks at folders, so it belongs before the first child, not between two of them.
void settle_environment();

/// The environment of a child as NAME=VALUE: ours without what is_stripped() names, with `set` on
/// top.
std::vector<std::string> child_environment(char** ours,
                                           const std::map<std::string, std::string>& set);

}  // namespace rackproof::warden
