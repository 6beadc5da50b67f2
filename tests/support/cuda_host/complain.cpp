#include "tests/support/cuda_host/complain.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/order.hpp"

namespace rackproof::cuda_host {

void complain(const std::string& what) {
  static std::mutex once;
  once.lock();  // for good: one complaint ends the program
  const Operation* const operation = current_operation();
  const std::string where = place_in_block();
  fmt::print(stderr, "cuda_host: {}{}: {}\n",
             operation == nullptr ? std::string("the host") : operation->name, where, what);
  (void)std::fflush(stderr);
  std::abort();
}

}  // namespace rackproof::cuda_host
