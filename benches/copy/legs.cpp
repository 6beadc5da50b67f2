#include "benches/copy/legs.hpp"

#include <atomic>
#include <cstddef>
#include <stdexcept>

#include "benches/copy/kernels.hpp"
#include "benches/kit/cuda/check.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::copy {
namespace {

// The queueing that a gate is held for takes milliseconds.
constexpr std::uint64_t kHoldLimit = 10'000'000'000;

const Leg& first_of(const std::vector<Leg>& legs) {
  if (legs.empty()) throw std::logic_error("a race without legs");
  return legs.front();
}

// Opens the gate on every way out: a kernel that still spins would hold up whatever frees memory.
class Opening {
 public:
  explicit Opening(Gate& gate) : gate_(gate) {}
  ~Opening() { gate_.open(); }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  Gate& gate_;
};

}  // namespace

void use(int ordinal) { RACKPROOF_CUDA(cudaSetDevice(ordinal)); }

Gate::Gate() : flags_(2) {
  flags_.data()[0] = 1;
  flags_.data()[1] = 0;
}

void Gate::hold(const kit::cuda::Stream& stream) {
  std::atomic_ref<int>(flags_.data()[0]).store(0);
  queue_hold(flags_.data(), flags_.data() + 1, kHoldLimit, stream.get());
}

void Gate::open() { std::atomic_ref<int>(flags_.data()[0]).store(1); }

void Gate::require_held() const {
  if (std::atomic_ref<int>(flags_.data()[1]).load() == 0) return;
  throw kit::DeviceError(
      "the copies could not be queued within 10 s while a kernel held the stream");
}

Race::Race(const std::vector<Leg>& legs, Engine engine, const Window& window)
    : engine_(engine), window_(window) {
  use(first_of(legs).ordinal);
  released_ = std::make_unique<kit::cuda::Event>();
  finished_ = std::make_unique<kit::cuda::Event>();
  for (const Leg& leg : legs) {
    use(leg.ordinal);  // streams and events belong to the device that is current
    lanes_.push_back(std::make_unique<Lane>());
    lanes_.back()->leg = leg;
  }
}

void Race::queue(const Lane& lane) const {
  const auto* from = reinterpret_cast<const std::byte*>(lane.leg.from);
  auto* to = reinterpret_cast<std::byte*>(lane.leg.to);
  for (std::int64_t i = 0; i < window_.copies; ++i) {
    const std::int64_t at = window_.offset(i);
    if (engine_ == Engine::kCopyEngine) {
      kit::cuda::copy_async(to + at, from + at, static_cast<std::size_t>(window_.bytes),
                            lane.stream);
    } else {
      queue_copy(to + at, from + at, window_.bytes, lane.leg.multiprocessors, lane.stream.get());
    }
  }
}

Race::Times Race::run(bool held) {
  const Lane& first = *lanes_.front();
  {
    const Opening opening(gate_);
    use(first.leg.ordinal);
    if (held) gate_.hold(first.stream);
    released_->record(first.stream);
    for (const auto& lane : lanes_) {
      use(lane->leg.ordinal);
      RACKPROOF_CUDA(cudaStreamWaitEvent(lane->stream.get(), released_->get(), 0));
      lane->start.record(lane->stream);
      queue(*lane);
      lane->stop.record(lane->stream);
    }
    use(first.leg.ordinal);
    for (const auto& lane : lanes_) {
      RACKPROOF_CUDA(cudaStreamWaitEvent(first.stream.get(), lane->stop.get(), 0));
    }
    finished_->record(first.stream);
  }
  for (const auto& lane : lanes_) {
    use(lane->leg.ordinal);
    lane->stream.synchronize();
  }
  use(first.leg.ordinal);
  finished_->synchronize();
  gate_.require_held();
  Times times;
  for (const auto& lane : lanes_) {
    use(lane->leg.ordinal);
    times.seconds.push_back(kit::cuda::seconds_between(lane->start, lane->stop));
  }
  use(first.leg.ordinal);
  times.all = kit::cuda::seconds_between(first.start, *finished_);
  return times;
}

ChaseRun::ChaseRun(int ordinal, const std::uint64_t* ring)
    : ordinal_((use(ordinal), ordinal)), ring_(ring), result_(1) {}

double ChaseRun::run(std::uint64_t start, bool held, Walk& out) {
  use(ordinal_);
  {
    const Opening opening(gate_);
    if (held) gate_.hold(stream_);
    start_.record(stream_);
    queue_walk(ring_, start, result_.data(), stream_.get());
    stop_.record(stream_);
  }
  stream_.synchronize();
  gate_.require_held();
  out = kit::cuda::read_one(result_.data());
  return kit::cuda::seconds_between(start_, stop_);
}

}  // namespace rackproof::copy
