#include "benches/copy/memories.hpp"

#include <fmt/format.h>

#include "benches/copy/legs.hpp"
#include "benches/copy/topology.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::copy {

namespace pattern = kit::pattern;

Bound::Bound(const std::vector<int>& cpus) : before_(kit::allowed_cpus()) {
  if (kit::bind_thread(cpus)) return;
  throw kit::Unavailable(
      "the kernel does not let this process run on the processors of a NUMA domain");
}

Bound::~Bound() { kit::bind_thread(before_); }

Memories::Memories(const Machine& machine, const Window& window, std::uint64_t seed)
    : machine_(machine), window_(window), seed_(seed) {
  for (int device = 0; device < machine.site.devices(); ++device) {
    use(ordinal(device));
    const std::int64_t free = kit::cuda::free_bytes();
    if (2 * window_.span() > free) {
      throw kit::UsageError(
          fmt::format("source and destination take {} B on device {}, where {} B are free; choose "
                      "a smaller --size",
                      2 * window_.span(), device, free));
    }
    auto memory = std::make_unique<OnDevice>();
    memory->source = kit::cuda::DeviceBuffer<std::uint64_t>(static_cast<std::size_t>(words()));
    memory->destination = kit::cuda::DeviceBuffer<std::uint64_t>(static_cast<std::size_t>(words()));
    pattern::queue_fill(memory->source.data(), words(), key(device), 0, memory->stream.get());
    memory->stream.synchronize();
    devices_.push_back(std::move(memory));
  }
}

void Memories::enter(int domain) {
  if (host_ && host_->domain == domain) return;
  leave();
  bound_.emplace(machine_.cpus_of(domain));
  require_host_memory(window_.span(), kit::available_memory_bytes());
  OnHost host;
  host.domain = domain;
  host.source = kit::cuda::PinnedBuffer<std::uint64_t>(static_cast<std::size_t>(words()));
  host.destination = kit::cuda::PinnedBuffer<std::uint64_t>(static_cast<std::size_t>(words()));
  pattern::fill(host.source.data(), words(), key(kHost));
  host_ = std::move(host);
}

void Memories::leave() {
  host_.reset();
  bound_.reset();
}

const std::uint64_t* Memories::source(int place) const {
  return place == kHost ? host_.value().source.data() : on(place).source.data();
}

std::uint64_t* Memories::destination(int place) const {
  return place == kHost ? host_.value().destination.data() : on(place).destination.data();
}

void Memories::poison(const Flow& flow) {
  std::uint64_t* const to = destination(flow.to);
  if (flow.to == kHost) return pattern::fill(to, words(), key(flow.from), pattern::kPoison);
  use(ordinal(flow.to));
  const kit::cuda::Stream& stream = on(flow.to).stream;
  pattern::queue_fill(to, words(), key(flow.from), pattern::kPoison, stream.get());
  stream.synchronize();
}

void Memories::spoil(const Flow& flow, const kit::Injection& injection) {
  std::uint64_t* const to = destination(flow.to);
  if (flow.to == kHost) return kit::flip(injection, to, words(), sizeof(std::uint64_t));
  use(ordinal(flow.to));
  std::uint64_t* const one = to + injection.element % words();
  std::uint64_t value = kit::cuda::read_one(one);
  kit::flip({0, injection.bit}, &value, 1, sizeof(value));
  const kit::cuda::Stream& stream = on(flow.to).stream;
  kit::cuda::copy_async(one, &value, sizeof(value), stream);
  stream.synchronize();
}

pattern::Difference Memories::compare(const Flow& flow) {
  const std::uint64_t* const got = destination(flow.to);
  if (flow.to == kHost) return pattern::compare(got, words(), key(flow.from));
  use(ordinal(flow.to));
  return on(flow.to).comparer.compare(got, words(), key(flow.from), on(flow.to).stream);
}

std::uint64_t Memories::key(int place) const {
  return pattern::key_of(seed_, static_cast<std::uint64_t>(place) + 1);
}

int Memories::ordinal(int device) const {
  return machine_.devices[static_cast<std::size_t>(device)].index;
}

}  // namespace rackproof::copy
