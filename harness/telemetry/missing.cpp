#include "harness/telemetry/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <system_error>

#include "harness/telemetry/column.hpp"

namespace rackproof::telemetry {
namespace {

constexpr std::uint64_t kQuietNan = 0x7ff8000000000000U;
constexpr std::uint64_t kNanBits = 0xfff8000000000000U;

std::string driver_text(std::uint32_t code) {
  // The words of NVML are asked of the library only where it is loaded: a recording is read
  // elsewhere.
  if (code == 3) return "the driver does not support it";
  if (code == 4) return "the driver permits it to root alone";
  if (code == 13) return "the driver has no such function";
  if (code == 15) return "the GPU is lost";
  if (code == 16) return "the GPU needs a reset";
  return fmt::format("the driver gave error {}", code);
}

}  // namespace

const char* to_text(Kind kind) {
  switch (kind) {
    case Kind::kGauge:
      return "gauge";
    case Kind::kCounter:
      return "counter";
    case Kind::kMask:
      return "mask";
  }
  return "gauge";
}

double missing(Why why, std::uint32_t detail) {
  return std::bit_cast<double>(kQuietNan | std::uint64_t{static_cast<std::uint8_t>(why)} << 32U |
                               detail);
}

double refused(int code) {
  // A driver that gives success where it has nothing, or a code that is none.
  return missing(Why::kDriver, static_cast<std::uint32_t>(std::clamp(code, 0, 0xffff)));
}

double sound(double value, double scale) {
  return std::isfinite(value) && value >= 0 ? value * scale : missing(Why::kNonsense);
}

bool is_value(double value) { return std::isfinite(value); }

bool is_not_due(double value) {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(missing(Why::kNotDue));
}

std::string why_missing(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto detail = static_cast<std::uint32_t>(bits);
  if ((bits & kNanBits) == kQuietNan) {
    switch (static_cast<Why>(bits >> 32U & 0xffU)) {
      case Why::kNotDue:
        return "not read at this sample";
      case Why::kSystem:
        return std::system_category().message(static_cast<int>(detail & 0xffffU));
      case Why::kNonsense:
        return "what was read is no such value";
      case Why::kNoAnswer:
        return fmt::format("no answer in {:.3g} s", detail * 1e-3);
      case Why::kDriver:
        return driver_text(detail);
    }
  }
  return "for a reason that this version does not know";
}

}  // namespace rackproof::telemetry
