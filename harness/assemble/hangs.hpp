#pragma once

#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// Adds a finding for each try at a step of all ranks, or of a group, that was ended at its
/// deadline and of which no finding tells: with benches inside the ranks rank 0 is ended like all
/// others, and nobody is left who could compare how far each of them was.
void note_hangs(model::Report& report);

}  // namespace rackproof::assemble
