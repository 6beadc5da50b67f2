#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/telemetry/column.hpp"
#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

/// Which sample is taken: what is dear to read is not read at each of them.
struct Moment {
  std::uint64_t index = 0;  ///< of the sample, from 0
  bool all = false;         ///< the last one: it reads everything, so that differences are whole

  bool due(unsigned every) const { return all || index % every == 0; }
};

/// Something that is read at each sample and gives some columns.
class Columns {
 public:
  virtual ~Columns() = default;
  /// The same ones as long as this lives.
  virtual const std::vector<Column>& columns() const = 0;
  /// Fills one value for each column; what cannot be read is missing() with its reason. Never
  /// throws and never waits.
  virtual void read(Moment moment, std::span<double> values) = 0;
  /// What has happened since the last call, as far as the reads so far told.
  virtual std::vector<Event> take_events() { return {}; }
};

}  // namespace rackproof::telemetry
