#include "tests/support/cuda_host/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/context/fiber.hpp>
#include <ctime>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/running.hpp"
#include "tests/support/cuda_host/shared.hpp"
#include "tests/support/cuda_host/stacks.hpp"

namespace rackproof::cuda_host {
namespace {

namespace context = boost::context;
constexpr std::size_t kWarp = 32;
constexpr std::uint32_t kIntervals = 0xFFF;  // and then from 0 again

struct Thread {
  enum class State { kNew, kReady, kBarrier, kExchange, kWaits, kDone };
  State state = State::kNew;
  uint3 index{};
  Stack stack;
  // What it waits for.
  const void* site = nullptr;
  std::uint32_t mask = 0;
  std::uint64_t mine = 0;
  std::uint64_t got = 0;
  int from = 0;
  std::uint64_t* barrier = nullptr;  // nullptr: for its own bulk copies out
  std::uint32_t parity = 0;
  std::uint32_t left = 0;  // groups of them
  context::fiber fiber;
};

class Block;
thread_local Block* running_block = nullptr;
thread_local Thread* running = nullptr;

class Block {
 public:
  Block(const Grid& grid, const std::function<void()>& body, std::mt19937_64& random)
      : grid_(grid), body_(body), random_(random), shared_(random) {}

  void run(uint3 index);

  // Called by the thread that runs.
  void wait(Thread::State state);
  std::uint32_t number(const Thread& thread) const {
    return static_cast<std::uint32_t>(&thread - threads_.data());
  }
  Member member() const { return {number(*running), interval_}; }
  Stamp stamp() const { return {current_operation()->id, linear_, interval_, number(*running)}; }
  SharedMemory& shared() { return shared_; }
  const Grid& grid() const { return grid_; }
  uint3 index() const { return index_; }

 private:
  void start(Thread& thread);
  context::fiber make_runner();
  void go_on(context::fiber fiber, const Stack& stack);
  void keep(context::fiber&& left);
  void resume(Thread& thread);
  void set_ready(Thread& thread);
  void pass_barrier();
  void exchange_in(std::size_t warp);
  void look_for_copies();
  bool resume_one();
  [[noreturn]] void complain_of_hang();
  void loop();

  const Grid& grid_;
  const std::function<void()>& body_;
  std::mt19937_64& random_;
  SharedMemory shared_;
  uint3 index_{};
  std::uint64_t linear_ = 0;
  std::uint32_t interval_ = 0;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::size_t at_barrier_ = 0;
  std::vector<std::uint32_t> ready_;  // those that have waited, and may go on
  std::vector<std::uint32_t> waits_;  // for a bulk copy
  std::vector<std::uint32_t> lanes_;  // of each warp, that are in a shuffle: a mask
  context::fiber back_;
  StackBounds scheduler_;
};

void Block::run(uint3 index) {
  index_ = index;
  linear_ =
      index.x + std::uint64_t{grid_.blocks.x} * (index.y + std::uint64_t{grid_.blocks.y} * index.z);
  const std::size_t count = std::size_t{grid_.threads.x} * grid_.threads.y * grid_.threads.z;
  threads_.clear();
  threads_.resize(count);
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  std::shuffle(order_.begin(), order_.end(), random_);
  next_ = done_ = at_barrier_ = interval_ = 0;
  ready_.clear();
  waits_.clear();
  lanes_.assign((count + kWarp - 1) / kWarp, 0);
  shared_.begin(grid_.shared, count);
  running_block = this;
  loop();
  shared_.end();
  running_block = nullptr;
}

void Block::wait(Thread::State state) {
  Thread* const me = running;
  me->state = state;
  {
    const StackSwitch away(scheduler_);
    // To the scheduler, and here again when it goes on with this one.
    back_ = std::move(back_).resume();
  }
  running = me;
}

void Block::start(Thread& thread) {
  const auto i = number(thread);
  const dim3& of = grid_.threads;
  thread.index = {i % of.x, i / of.x % of.y, i / of.x / of.y};
  thread.state = Thread::State::kReady;
  running = &thread;
  body_();
  thread.state = Thread::State::kDone;
  ++done_;
}

// A fiber that runs threads to their end, one after the other, until one of them waits: from then
// on it is that thread's, and another fiber runs the next.
context::fiber Block::make_runner() {
  return context::fiber(std::allocator_arg, Stacks{}, [this](context::fiber&& caller) {
    scheduler_ = StackSwitch::arrived();
    back_ = std::move(caller);
    const Stack stack = Stacks::bounds();
    while (next_ < order_.size()) {
      // Those that wait may go on before all have begun.
      if (next_ > done_ && random_() % 16 == 0) break;
      Thread& thread = threads_[order_[next_++]];
      thread.stack = stack;
      start(thread);
    }
    running = nullptr;
    StackSwitch::leave(scheduler_);
    return std::move(back_);
  });
}

// Goes on with a fiber until it comes back: with a thread that waits, or at its end.
void Block::go_on(context::fiber fiber, const Stack& stack) {
  {
    const StackSwitch there(bounds_of(stack));
    fiber = std::move(fiber).resume();
  }
  keep(std::move(fiber));
}

void Block::keep(context::fiber&& left) {
  if (!left) return;
  Thread& thread = *running;
  thread.fiber = std::move(left);
  const std::uint32_t me = number(thread);
  switch (thread.state) {
    case Thread::State::kBarrier:
      if (++at_barrier_ + done_ == threads_.size()) pass_barrier();
      break;
    case Thread::State::kExchange:
      lanes_[me / kWarp] |= std::uint32_t{1} << me % kWarp;
      exchange_in(me / kWarp);
      break;
    case Thread::State::kWaits:
      waits_.push_back(me);
      break;
    default:
      ready_.push_back(me);
  }
}

void Block::resume(Thread& thread) {
  running = &thread;
  go_on(std::move(thread.fiber), thread.stack);
  running = nullptr;
  // Who leaves the kernel is one fewer to wait for.
  if (at_barrier_ > 0 && at_barrier_ + done_ == threads_.size()) pass_barrier();
}

void Block::set_ready(Thread& thread) {
  thread.state = Thread::State::kReady;
  ready_.push_back(number(thread));
}

void Block::pass_barrier() {
  const void* site = nullptr;
  for (Thread& thread : threads_) {
    if (thread.state != Thread::State::kBarrier) continue;
    if (site != nullptr && thread.site != site) {
      complain("threads of a block wait at different __syncthreads()");
    }
    site = thread.site;
    set_ready(thread);
  }
  at_barrier_ = 0;
  interval_ = (interval_ + 1) % kIntervals;
}

// When every lane that the mask of the one which came last names is there.
void Block::exchange_in(std::size_t warp) {
  const std::size_t base = warp * kWarp;
  const std::size_t lanes = std::min(kWarp, threads_.size() - base);
  const std::uint32_t whole = lanes == kWarp ? ~0U : (1U << lanes) - 1;
  const Thread& last = *running;
  const std::uint32_t named = last.mask & whole;
  if (const std::uint32_t there = lanes_[warp] & named; there != 0) {
    const Thread& other = threads_[base + static_cast<std::size_t>(std::countr_zero(there))];
    if (other.site != last.site) complain("lanes of a warp meet at different shuffles");
    if (other.mask != last.mask) complain("lanes of a warp name different masks");
  }
  if ((lanes_[warp] & named) != named) return;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((named >> lane & 1) == 0) continue;
    Thread& one = threads_[base + lane];
    const auto from = static_cast<std::size_t>(one.from);
    // From a lane that takes no part: whatever was in the register.
    one.got = from < lanes && (named >> from & 1) != 0 ? threads_[base + from].mine : random_();
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if ((named >> lane & 1) != 0) set_ready(threads_[base + lane]);
  }
  lanes_[warp] &= ~named;
}

void Block::look_for_copies() {
  std::erase_if(waits_, [&](std::uint32_t index) {
    Thread& thread = threads_[index];
    running = &thread;
    const Member who{index, interval_};
    const bool over = thread.barrier != nullptr
                          ? shared_.is_over(thread.barrier, thread.parity, who)
                          : shared_.has_read(thread.left, who);
    if (!over) return false;
    set_ready(thread);
    return true;
  });
  running = nullptr;
}

bool Block::resume_one() {
  if (ready_.empty()) return false;
  std::swap(ready_[random_() % ready_.size()], ready_.back());
  Thread& thread = threads_[ready_.back()];
  ready_.pop_back();
  resume(thread);
  return true;
}

void Block::complain_of_hang() {
  for (std::size_t warp = 0; warp < lanes_.size(); ++warp) {
    for (std::size_t lane = 0; lanes_[warp] != 0 && lane < kWarp; ++lane) {
      const std::size_t index = warp * kWarp + lane;
      if (index >= threads_.size() || threads_[index].state != Thread::State::kDone) continue;
      running = &threads_[index];
      complain("a lane that the mask of a shuffle names has left the kernel");
    }
  }
  complain("every thread of the block waits: it would hang");
}

void Block::loop() {
  while (done_ < threads_.size()) {
    if (random_() % 3 == 0) (void)shared_.finish_one_copy(false);
    if (!waits_.empty()) look_for_copies();
    if (next_ < threads_.size() && (random_() % 2 == 0 || next_ == done_)) {
      context::fiber runner = make_runner();
      go_on(std::move(runner), Stacks::bounds());
      running = nullptr;
      continue;
    }
    if (resume_one() || next_ < threads_.size() || shared_.finish_one_copy(true)) continue;
    complain_of_hang();
  }
}

void touch_in_kernel(const void* address, std::size_t bytes, Touch how) {
  const Thread* const thread = running;
  if (thread == nullptr) return;
  // Its own variables.
  if (address >= thread->stack.first && address < thread->stack.second) return;
  if (running_block->shared().holds(address)) {
    return running_block->shared().touch(address, bytes, running_block->member(), how);
  }
  running_block->shared().require_stored(address, bytes);
  touch(address, bytes, running_block->stamp(), how, true);
}

}  // namespace

std::string place_in_block() {
  if (running_block == nullptr) return "";
  const uint3 block = running_block->index();
  std::string text = fmt::format(", block ({},{},{})", block.x, block.y, block.z);
  if (running == nullptr) return text;
  const uint3 thread = running->index;
  return text + fmt::format(", thread ({},{},{})", thread.x, thread.y, thread.z);
}

uint3 thread_index() { return running->index; }
uint3 block_index() { return running_block->index(); }
dim3 block_dimensions() { return running_block->grid().threads; }
dim3 grid_dimensions() { return running_block->grid().blocks; }
Running running_thread() {
  return {running_block->shared(), running_block->member(), running_block->stamp()};
}

void wait_for_copies(std::uint64_t* barrier, std::uint32_t parity, std::uint32_t left) {
  running->barrier = barrier;
  running->parity = parity;
  running->left = left;
  running_block->wait(Thread::State::kWaits);
}

int lane() { return static_cast<int>(running_block->number(*running) % kWarp); }

void block_barrier(const void* site) {
  running->site = site;
  running_block->wait(Thread::State::kBarrier);
}

std::uint64_t exchange(std::uint32_t mask, std::uint64_t mine, int from, const void* site) {
  Thread* const me = running;
  if ((mask >> lane() & 1) == 0)
    complain("a lane takes part in a shuffle whose mask does not name it");
  me->mask = mask;
  me->mine = mine;
  me->from = from;
  me->site = site;
  running_block->wait(Thread::State::kExchange);
  return me->got;
}

void* dynamic_shared() { return running_block->shared().dynamic(); }
void* static_shared(const void* site, std::size_t bytes, std::size_t alignment) {
  return running_block->shared().fixed(site, bytes, alignment);
}

std::uint64_t nanoseconds() {
  timespec now{};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const timespec nap{0, 20'000};
  (void)nanosleep(&nap, nullptr);  // whoever asks for the time spins
  const std::int64_t passed = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  return static_cast<std::uint64_t>(passed) * static_cast<std::uint64_t>(machine().timer);
}

void kernel_touch(const void* address, std::size_t bytes, bool writes) {
  touch_in_kernel(address, bytes, writes ? Touch::kWrite : Touch::kRead);
}
void kernel_touch_constant(const void* address, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
    complain(fmt::format("a load of {} B at {}, which is not aligned to as many", bytes, address));
  }
  if (running_block->shared().holds(address)) complain("a load of shared memory as constant");
  touch_in_kernel(address, bytes, Touch::kConstant);
}
void kernel_touch_atomic(const void* address, std::size_t bytes) {
  touch_in_kernel(address, bytes, Touch::kAtomic);
}

void run_grid(const Grid& grid, const std::function<void()>& body, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t count = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  // Blocks in an order that is a permutation: i -> (a i + b) mod count, a prime to count.
  std::uint64_t a = 1 + random() % count;
  while (std::gcd(a, count) != 1) ++a;
  const std::uint64_t b = random() % count;
  Block block(grid, body, random);
  for (std::uint64_t i = 0; i < count; ++i) {
    __extension__ using Wide = unsigned __int128;
    const auto at = static_cast<std::uint64_t>((static_cast<Wide>(a) * i + b) % count);
    block.run({static_cast<unsigned>(at % grid.blocks.x),
               static_cast<unsigned>(at / grid.blocks.x % grid.blocks.y),
               static_cast<unsigned>(at / grid.blocks.x / grid.blocks.y)});
  }
}

}  // namespace rackproof::cuda_host
