#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

std::string_view word(EventSource source) {
  switch (source) {
    case EventSource::kKernel:
      return "kernel";
    case EventSource::kNvml:
      return "nvml";
  }
  return "kernel";
}

EventSource event_source_of(const std::optional<std::string>& told, std::string_view text) {
  const bool nvml = told ? *told == word(EventSource::kNvml) : text.starts_with("NVML: ");
  return nvml ? EventSource::kNvml : EventSource::kKernel;
}

}  // namespace rackproof::telemetry
