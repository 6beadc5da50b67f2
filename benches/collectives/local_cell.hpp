#pragma once

#include <optional>

#include "benches/collectives/cell.hpp"
#include "benches/kit/nccl/local_ranks.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/nccl/log_file.hpp"

namespace rackproof::collectives {

/// What NCCL tells of a group.
struct GroupLog {
  kit::nccl::LogFile& file;
  kit::nccl::Log& told;  ///< connections that were made for a cell are added to it
};

/// measure_cell for ranks on GPUs. A batch is, on each device and without the host in between: give
/// each input a new stamp (in place: write it anew), overwrite each output with what no result is,
/// align all ranks, run the operations back to back with an event after every few, and compare
/// every element of every output. Then the host reads the events and what was found, and agrees
/// with the other processes on whether to go on.
///
/// A sample is the device time between two events over the operations between them; with graphs,
/// over those of one launch. Where these are several, batches take turns with some in which an
/// event follows each operation. `log` tells what NCCL chose, in an untimed batch before the
/// others.
CellResult measure_on_local_ranks(kit::nccl::LocalRanks& locals, const GroupLog& log,
                                  const CellSpec& spec, const MeasuringRule& rule,
                                  const std::optional<kit::Injection>& injection,
                                  const Progress& progress);

}  // namespace rackproof::collectives
