#include "tests/support/cuda_host/play.hpp"

#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/streams.hpp"

namespace rackproof::cuda_host {

Play& play() {
  static Play one;
  return one;
}

Stage::~Stage() {
  play() = {};
  machine_to_change() = before_;
}

std::size_t still_held() { return pieces_held() + streams_held(); }

}  // namespace rackproof::cuda_host
