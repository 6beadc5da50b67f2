#include "tests/support/cuda_host/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "tests/support/cuda_host/busy.hpp"
#include "tests/support/cuda_host/image.hpp"
#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/support/cuda_host/runtime.hpp"

using namespace rackproof::cuda_host;

namespace {

constexpr std::size_t kMostDevices = 64;
constexpr unsigned kMostThreads = 1024;
constexpr std::size_t kUsualShared = 48 << 10;
constexpr std::size_t kMostShared = 227 << 10;

std::mutex mutex;
std::set<cudaStream_t> streams;
std::map<int, std::unique_ptr<CUstream_st>> default_streams;
std::map<const void*, int> allowed_shared;
std::array<std::atomic<cudaError_t>, kMostDevices> broken{};
std::array<std::atomic<std::int64_t>, kMostDevices> kernels_run{};
std::array<std::atomic<std::int64_t>, kMostDevices> writers_run{};

// True when this kernel or operation of the device is the one that goes wrong.
bool goes_wrong(const Fault& fault, int device, std::int64_t number) {
  return fault.who == device && fault.when == number;
}

// Bit 3 of a byte of what the operation wrote last, from the one on whose turn it is: what came
// later would hide a single one. NCCL's have a fault of their own.
void flip_last(const Operation& operation) {
  char* const at = last_written();
  if (at == nullptr || operation.name == kNcclOperation) return;
  const std::int64_t number = ++writers_run[static_cast<std::size_t>(operation.device)];
  const Fault& flip = machine().flip;
  if (flip.who == operation.device && number >= flip.when) *at ^= 8;
}

int place_of(const Area* area) { return area == nullptr ? kNoPlace : area->device; }

// What a test of this process wants of the operation; true when it may go on.
bool begins(const Operation& operation) {
  static std::mutex one_at_a_time;
  if (!play().begins) return true;
  const std::lock_guard lock(one_at_a_time);
  return play().begins(operation.device, operation.name);
}

double end(const Operation& operation) {
  static std::mutex one_at_a_time;
  if (!play().after && !play().seconds) return 0;
  const Trail& of = trail();
  const Done done{operation.name, operation.device, place_of(of.read), place_of(of.wrote),
                  of.written};
  const std::lock_guard lock(one_at_a_time);
  if (play().after) play().after(done);
  return play().seconds ? play().seconds(done) : 0;
}

// Says for as long as it lives that the device is at work, beside all its other streams.
class Busy {
 public:
  explicit Busy(int device)
      : at_(static_cast<std::size_t>(device)),
        slot_(busy_slot(static_cast<std::size_t>(machine().host), at_)) {
    if (slot_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (working_[at_]++ == 0) slot_->since = busy_clock();
  }
  ~Busy() {
    if (slot_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    if (--working_[at_] > 0) return;
    slot_->total += busy_clock() - slot_->since;
    slot_->since = 0;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline std::array<int, kMostDevices> working_{};
  std::size_t at_;
  BusySlot* slot_;
};

void run(CUstream_st& stream, const Task& task) {
  stream.clock.join(task.seen);
  const std::uint32_t number = next_on_line(stream.line);
  stream.clock.advance(stream.line, number);
  if (task.name.empty()) return task.body();
  if (sticky(stream.device) != cudaSuccess) return;
  const Operation operation{enter_operation(stream.line, number, task.name), stream.device,
                            task.name, &stream.clock};
  current_operation() = &operation;
  if (begins(operation)) {
    const AtWork at_work;
    last_written() = nullptr;
    trail() = {};
    const Busy busy(stream.device);
    task.body();
    flip_last(operation);
    stream.seconds += end(operation);
  }
  current_operation() = nullptr;
}

void work(CUstream_st* stream) {
  std::mt19937_64 random(machine().seed * 31 + stream->line);
  current_device() = stream->device;
  for (;;) {
    Task next;
    {
      std::unique_lock lock(stream->mutex);
      stream->changed.wait(lock, [&] { return stream->quit || !stream->queue.empty(); });
      if (stream->queue.empty()) return;
      next = std::move(stream->queue.front());
      stream->queue.pop_front();
      stream->busy = true;
    }
    if (machine().chaos && random() % 4 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 1500));
    }
    run(*stream, next);
    next = {};
    const std::lock_guard lock(stream->mutex);
    stream->busy = false;
    stream->changed.notify_all();
  }
}

bool fits(const Grid& grid, const void* kernel) {
  const dim3& b = grid.blocks;
  const dim3& t = grid.threads;
  if (b.x == 0 || b.y == 0 || b.z == 0 || t.x == 0 || t.y == 0 || t.z == 0) return false;
  if (std::uint64_t{t.x} * t.y * t.z > kMostThreads || t.z > 64) return false;
  if (b.x > 2'147'483'647U || b.y > 65'535 || b.z > 65'535) return false;
  if (grid.shared <= kUsualShared) return true;
  const std::lock_guard lock(mutex);
  return std::cmp_less_equal(grid.shared, allowed_shared[kernel]);
}

}  // namespace

CUstream_st::CUstream_st(int on) : device(on), line(take_line()), worker(work, this) {
  const std::lock_guard lock(::mutex);
  streams.insert(this);
}

CUstream_st::~CUstream_st() {
  {
    const std::lock_guard lock(mutex);
    quit = true;
    changed.notify_all();
  }
  worker.join();
  give_line(line);
  const std::lock_guard lock(::mutex);
  streams.erase(this);
}

namespace rackproof::cuda_host {

cudaStream_t resolve(cudaStream_t stream) {
  if (stream != nullptr && stream != cudaStreamLegacy) return stream;
  std::unique_ptr<CUstream_st> made;
  {
    const std::lock_guard lock(mutex);
    auto& one = default_streams[current_device()];
    if (one != nullptr) return one.get();
  }
  made = std::make_unique<CUstream_st>(current_device());
  const std::lock_guard lock(mutex);
  auto& one = default_streams[current_device()];
  if (one == nullptr) one = std::move(made);
  return one.get();
}

void submit(cudaStream_t stream, std::string name, std::function<void()> body) {
  cudaStream_t to = resolve(stream);
  Task task{std::move(name), std::move(body), host_clock()};
  if (to->capturing) {
    to->captured.push_back(std::move(task));
    return;
  }
  const std::lock_guard lock(to->mutex);
  to->queue.push_back(std::move(task));
  to->changed.notify_all();
}

void queue_kernel(const void* kernel, const Grid& grid, cudaStream_t stream,
                  std::shared_ptr<const void> arguments, void (*run_thread)(const void*)) {
  cudaStream_t const to = resolve(stream);
  if (sticky(to->device) != cudaSuccess) return void(fail(sticky(to->device)));
  if (machine().code != 0 && machine().code != machine().major) {
    return void(fail(cudaErrorNoKernelImageForDevice));
  }
  if (!fits(grid, kernel)) return void(fail(cudaErrorInvalidConfiguration));
  if (to->device != current_device()) return void(fail(cudaErrorInvalidResourceHandle));
  static std::atomic<std::uint64_t> serial{0};
  const std::uint64_t seed = machine().seed * 7919 + serial++;
  submit(to, "kernel " + name_of_kernel(kernel),
         [kernel, grid, seed, device = to->device, arguments, run_thread] {
           const auto place = static_cast<std::size_t>(device);
           const std::int64_t number = ++kernels_run[place];
           if (goes_wrong(machine().ecc, device, number)) broken[place] = cudaErrorECCUncorrectable;
           if (goes_wrong(machine().fault, device, number)) broken[place] = cudaErrorIllegalAddress;
           if (broken[place] != cudaSuccess) return;
           note_kernel(kernel);
           run_grid(
               grid, [&] { run_thread(arguments.get()); }, seed);
         });
  if (machine().blocking && !to->capturing) wait_for(to);
}

std::size_t streams_held() {
  const std::lock_guard lock(mutex);
  return streams.size() - default_streams.size();
}

int device_of(cudaStream_t stream) { return resolve(stream)->device; }
bool is_capturing(cudaStream_t stream) { return resolve(stream)->capturing; }

void wait_for(cudaStream_t stream) {
  std::unique_lock lock(stream->mutex);
  stream->changed.wait(lock, [&] { return stream->queue.empty() && !stream->busy; });
  host_saw(stream->clock);
  close_memory();
}

void wait_for_all(int device) {
  std::vector<cudaStream_t> all;
  {
    const std::lock_guard lock(mutex);
    all.assign(streams.begin(), streams.end());
  }
  for (cudaStream_t one : all) {
    if (one->device == device) wait_for(one);
  }
}

int& current_device() {
  // Where CUDA_VISIBLE_DEVICES begins, until a device is chosen.
  thread_local int device = visible_device(0);
  return device;
}

cudaError_t& last_error() {
  thread_local cudaError_t code = cudaSuccess;
  return code;
}

cudaError_t fail(cudaError_t code) { return last_error() = code; }

cudaError_t sticky(int device) { return broken[static_cast<std::size_t>(device)]; }

std::vector<cudaStream_t>& captures() {
  thread_local std::vector<cudaStream_t> all;
  return all;
}

bool refused_while_capturing() {
  for (cudaStream_t stream : captures()) stream->capture_is_broken = true;
  if (captures().empty()) return false;
  last_error() = cudaErrorStreamCaptureUnsupported;
  return true;
}

void allow_shared_of(const void* kernel, int bytes) {
  const std::lock_guard lock(mutex);
  allowed_shared[kernel] = bytes;
}

std::size_t most_shared() { return kMostShared; }

}  // namespace rackproof::cuda_host
