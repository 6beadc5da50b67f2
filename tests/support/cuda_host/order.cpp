#include "tests/support/cuda_host/order.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace rackproof::cuda_host {
namespace {

struct Entered {
  std::uint32_t line = 0;
  std::uint32_t number = 0;
};

// Read at every first touch of a piece of memory: no lock. Names are for complaints alone.
constexpr std::size_t kMost = std::size_t{1} << kOperationBits;
const std::unique_ptr<Entered[]> operations(new Entered[kMost]);
std::mutex mutex;
std::uint32_t last = 0;
std::unordered_map<std::uint32_t, std::string> names;
std::vector<std::uint32_t> numbers;
std::vector<std::size_t> spare;
Clock host;

}  // namespace

void Clock::join(const Clock& other) {
  if (seen_.size() < other.seen_.size()) seen_.resize(other.seen_.size());
  for (std::size_t i = 0; i < other.seen_.size(); ++i) {
    seen_[i] = std::max(seen_[i], other.seen_[i]);
  }
}

void Clock::advance(std::size_t line, std::uint32_t number) {
  if (seen_.size() <= line) seen_.resize(line + 1);
  seen_[line] = number;
}

std::uint32_t enter_operation(std::size_t line, std::uint32_t number, std::string name) {
  const std::lock_guard lock(mutex);
  last = last + 1 == kMost ? 1 : last + 1;
  operations[last] = {static_cast<std::uint32_t>(line), number};
  names[last] = std::move(name);
  return last;
}

bool came_before(std::uint32_t operation, const Clock& clock) {
  const Entered& one = operations[operation];
  return clock.has_seen(one.line, one.number);
}

std::string name_of_operation(std::uint32_t operation) {
  const std::lock_guard lock(mutex);
  const auto found = names.find(operation);
  return found == names.end() ? "an operation" : found->second;
}

const Operation*& current_operation() {
  thread_local const Operation* current = nullptr;
  return current;
}

std::size_t take_line() {
  const std::lock_guard lock(mutex);
  if (!spare.empty()) {
    const std::size_t line = spare.back();
    spare.pop_back();
    return line;
  }
  numbers.push_back(0);
  return numbers.size() - 1;
}

void give_line(std::size_t line) {
  const std::lock_guard lock(mutex);
  spare.push_back(line);
}

std::uint32_t next_on_line(std::size_t line) {
  const std::lock_guard lock(mutex);
  return ++numbers[line];
}

void host_saw(const Clock& clock) {
  const std::lock_guard lock(mutex);
  host.join(clock);
}

Clock host_clock() {
  const std::lock_guard lock(mutex);
  return host;
}

}  // namespace rackproof::cuda_host
