#pragma once

#include <cstdint>
#include <string>

namespace rackproof::telemetry {

/// Why a sample has no value in a column.
enum class Why : std::uint8_t {
  kNotDue = 1,    ///< this column is not read at every sample
  kSystem = 2,    ///< the system refused; the detail is errno
  kNonsense = 3,  ///< what was read is no value of this column
  kNoAnswer = 4,  ///< the driver did not answer; the detail is for how many milliseconds so far
  kDriver = 5     ///< the driver refused; the detail is NVML's code
};

/// A value that is none: a NaN that carries the reason, so that it needs no room of its own.
double missing(Why why, std::uint32_t detail = 0);

/// Missing since the driver refused with this code of NVML, or with one that is none.
double refused(int code);
/// A number that the driver gave, in base units; missing where it is negative or not finite.
double sound(double value, double scale);

/// Whether there is a value. An infinity is none either.
bool is_value(double value);
/// Whether the column was left out of this sample on purpose.
bool is_not_due(double value);
/// "no answer in 3 s"; for something that is_value() refuses.
std::string why_missing(double value);

}  // namespace rackproof::telemetry
