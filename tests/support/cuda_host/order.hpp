#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What happens before what. Every stream is a line, on which operations follow each other; an event
// that is waited for, and the host when it waits, order operations of different lines. Two
// operations that nothing orders must not touch the same memory, unless both read.
namespace rackproof::cuda_host {

/// How far somebody has seen of each line.
class Clock {
 public:
  void join(const Clock& other);
  void advance(std::size_t line, std::uint32_t number);
  bool has_seen(std::size_t line, std::uint32_t number) const {
    return line < seen_.size() && seen_[line] >= number;
  }

 private:
  std::vector<std::uint32_t> seen_;
};

/// A kernel, copy or call of a library while it runs on a stream.
struct Operation {
  std::uint32_t id = 0;  ///< 1 and up; see kOperationBits
  int device = 0;
  std::string name;
  const Clock* clock = nullptr;
};

/// Ids begin again after so many.
inline constexpr int kOperationBits = 22;

/// Enters an operation on a line, on which it is number `number`.
std::uint32_t enter_operation(std::size_t line, std::uint32_t number, std::string name);
/// True when the operation came before whoever has this clock.
bool came_before(std::uint32_t operation, const Clock& clock);
/// "kernel fill_kernel<double>"
std::string name_of_operation(std::uint32_t operation);

/// The operation that this thread executes; nullptr in the host's own code.
const Operation*& current_operation();

/// A line that no stream has now, and its return.
std::size_t take_line();
void give_line(std::size_t line);
/// The number of the next operation on a line.
std::uint32_t next_on_line(std::size_t line);

/// What the host's threads have waited for, all of them together: what orders them among each other
/// is not seen.
void host_saw(const Clock& clock);
Clock host_clock();

}  // namespace rackproof::cuda_host
