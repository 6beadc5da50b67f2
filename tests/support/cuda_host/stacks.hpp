#pragma once

#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

// Stacks of the threads of a block, and what the address sanitizer has to be told of them: without
// it that is nothing.
namespace rackproof::cuda_host {

/// From its lowest address to behind its highest.
using Stack = std::pair<const char*, const char*>;

// Stacks with a guard page, used again: a block of a thousand threads that wait needs as many.
struct Stacks {
  static constexpr std::size_t kBytes = 64 * 1024;

  static std::vector<boost::context::stack_context>& spare() {
    thread_local std::vector<boost::context::stack_context> all;
    return all;
  }
  static boost::context::stack_context& last() {
    thread_local boost::context::stack_context one;
    return one;
  }
  static boost::context::stack_context allocate() {
    if (spare().empty())
      return last() = boost::context::protected_fixedsize_stack(kBytes).allocate();
    last() = spare().back();
    spare().pop_back();
    return last();
  }
  // Of the one that was given last.
  static Stack bounds() {
    const auto* const top = static_cast<const char*>(last().sp);
    return {top - last().size, top};
  }
  static void deallocate(boost::context::stack_context& one) { spare().push_back(one); }
};

struct StackBounds {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

inline StackBounds bounds_of(const Stack& stack) {
  return {stack.first, static_cast<std::size_t>(stack.second - stack.first)};
}

/// Lives on a stack while another one is used: from before the change to it until after the change
/// back.
class StackSwitch {
 public:
#if defined(__SANITIZE_ADDRESS__)
  explicit StackSwitch(StackBounds to) {
    __sanitizer_start_switch_fiber(&kept_, to.bottom, to.size);
  }
  ~StackSwitch() { __sanitizer_finish_switch_fiber(kept_, nullptr, nullptr); }
#else
  explicit StackSwitch(StackBounds /*to*/) {}
#endif
  StackSwitch(const StackSwitch&) = delete;
  StackSwitch& operator=(const StackSwitch&) = delete;

  /// First of all on a new stack; the one that it was called from.
  static StackBounds arrived() {
    StackBounds from;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.size);
#endif
    return from;
  }
  /// Last of all on a stack that nobody comes back to.
  static void leave([[maybe_unused]] StackBounds to) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, to.bottom, to.size);
#endif
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  void* kept_ = nullptr;
#endif
};

}  // namespace rackproof::cuda_host
