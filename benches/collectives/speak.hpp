#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/bench.hpp"

namespace rackproof::collectives {

/// True when `option` stands among the arguments.
bool asks(const std::vector<std::string>& arguments, std::string_view option);

/// True when the bench is to say records: asked for with --json, or by a harness.
bool wants_records(const std::vector<std::string>& arguments);

/// bench_main, which shows people the cells as nccl-tests does: rows written to descriptor `rows`,
/// a copy of stdout made before the kit or a launcher takes that.
int speak(int argc, char** argv, kit::Bench bench, bool records, int rows);

}  // namespace rackproof::collectives
