#include "benches/swing/sensor.hpp"

namespace rackproof::swing {

std::string text_of(Lack lack) {
  switch (lack) {
    case Lack::kNothing:
      return "an energy counter";
    case Lack::kNoCounter:
      return "the kernel shows no energy counter of the processor";
    case Lack::kNotReadable:
      return "this user may not read the energy counters of the processor";
    case Lack::kNoLibrary:
      return "NVML cannot be used";
    case Lack::kNoGpuCounter:
      return "the GPU has no energy counter";
  }
  return "";
}

}  // namespace rackproof::swing
