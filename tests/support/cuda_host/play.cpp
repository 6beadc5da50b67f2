#include "tests/support/cuda_host/play.hpp"

#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/streams.hpp"

namespace rackproof::cuda_host {

Play& play() {
  static Play one;
  return one;
}

Counts& counts() {
  static Counts all;
  return all;
}

Stage::Stage() {
  current_device() = 0;
  counts().communicators = 0;
  counts().aborted = 0;
  counts().registrations = 0;
  counts().graphs = 0;
  counts().graph_launches = 0;
  counts().freed_beside_communicators = 0;
}

Stage::~Stage() {
  play() = {};
  machine_to_change() = before_;
}

std::size_t still_held() { return pieces_held() + streams_held(); }

}  // namespace rackproof::cuda_host
