#include "benches/pairs/nccl_transport.hpp"

#include <fmt/format.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/host_patience.hpp"
#include "benches/pairs/device_area.hpp"

namespace rackproof::pairs {
namespace {

using kit::cuda::DeviceBuffer;
using kit::cuda::Event;
using kit::cuda::Stream;

// Numbers of each member that one exchange of small things carries.
constexpr std::size_t kNumbers = 4096;
constexpr std::size_t kPlaceBytes = 256;
static_assert(kPlaceBytes % sizeof(double) == 0);

class Transporter final : public NcclTransport {
 public:
  Transporter(kit::nccl::Communicator member, const std::string& place, std::int64_t span,
              double patience, Stop stop)
      : area_(span),
        mine_(kNumbers),
        all_(kNumbers * static_cast<std::size_t>(member.size())),
        ready_(2),
        rank_(member.rank()),
        size_(member.size()),
        place_(place),
        patience_(patience),
        host_patience_(patience,
                       [patience](const std::string& what) {
                         kit::nccl::end_process("pairs-nccl", what, patience);
                       }),
        stop_(std::move(stop)) {
    member_.push_back(std::move(member));
    // What is sent to show that one is ready means nothing, and is something all the same.
    kit::cuda::fill_async(ready_.data(), 0, ready_.bytes(), stream_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const std::vector<std::string>& places() const override { return places_; }

  TransportFacts facts() const override {
    std::set<std::string> hosts;
    for (const std::string& place : places_) hosts.insert(place.substr(0, place.find(' ')));
    return {"NCCL", kit::nccl::libraries().at("nccl"),
            hosts.size() == 1 ? std::string("1 node") : fmt::format("{} nodes", hosts.size())};
  }

  void abort() override { member_.front().abort(); }

  void meet_everybody() override {
    std::array<double, kPlaceBytes / sizeof(double)> own{};
    std::memcpy(own.data(), place_.data(), std::min(place_.size(), kPlaceBytes - 1));
    const std::vector<double> all = gather_on_all(own);
    for (int i = 0; i < size_; ++i) {
      std::array<char, kPlaceBytes> text{};
      std::memcpy(text.data(), all.data() + static_cast<std::size_t>(i) * own.size(), kPlaceBytes);
      places_.emplace_back(text.data());
    }
  }

  bool reserve(std::int64_t span) override { return area_.holds(span); }
  void write(std::uint64_t key, const Batch& batch) override { area_.write(key, batch); }
  void poison(std::uint64_t key, const Batch& batch) override { area_.poison(key, batch); }
  Found compare(std::uint64_t key, const Batch& batch) override {
    return area_.compare(key, batch);
  }
  void spoil(const kit::Injection& injection, const Batch& batch) override {
    area_.spoil(injection, batch);
  }

  // The device's own clock, from when a message of one word each way has shown that both are ready.
  // All is queued before that, so launches are not waited for within the interval, as long as the
  // host keeps ahead.
  double pass(Exchange exchange, int peer, bool leads, const Batch& batch) override {
    host_patience_.guard(fmt::format("the first message between rank {} and rank {}", rank_, peer),
                         [&] {
                           for (int i = 0; i < 2; ++i) show_ready(peer);
                         });
    start_.record(stream_);
    if (exchange == Exchange::kPingPong) {
      for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
        if (leads) send(peer, slot, batch);
        receive(peer, slot, batch);
        if (!leads) send(peer, slot, batch);
      }
    } else {
      const bool both = exchange == Exchange::kBothWays;
      RACKPROOF_NCCL(ncclGroupStart());
      for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
        if (both || leads) send(peer, slot, batch);
        if (both || !leads) receive(peer, slot, batch);
      }
      RACKPROOF_NCCL(ncclGroupEnd());
    }
    stop_event_.record(stream_);
    wait(fmt::format("messages between rank {} and rank {}", rank_, peer));
    const double seconds = kit::cuda::seconds_between(start_, stop_event_);
    return exchange == Exchange::kPingPong && !leads ? 0 : seconds;
  }

  void barrier() override { (void)everyone(true); }

  bool everyone(bool yes) override {
    const std::array<double, 1> mine{yes ? 1.0 : 0.0};
    const std::vector<double> all = gather_on_all(mine);
    return std::all_of(all.begin(), all.end(), [](double one) { return one == 1; });
  }

  std::vector<double> gather(std::span<const double> values) override {
    std::vector<double> all(rank_ == 0 ? values.size() * static_cast<std::size_t>(size_) : 0);
    for (std::size_t from = 0; from < values.size(); from += kNumbers) {
      const std::size_t count = std::min(kNumbers, values.size() - from);
      const std::vector<double> part = gather_on_all(values.subspan(from, count));
      if (rank_ != 0) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(i * count), count,
                    all.begin() + static_cast<std::ptrdiff_t>(i * values.size() + from));
      }
    }
    return all;
  }

 private:
  ncclComm_t handle() const { return member_.front().get(); }

  void send(int peer, std::int64_t slot, const Batch& batch) {
    RACKPROOF_NCCL(ncclSend(area_.sent(slot, batch), static_cast<std::size_t>(batch.words()),
                            ncclUint64, peer, handle(), stream_.get()));
  }

  void receive(int peer, std::int64_t slot, const Batch& batch) {
    RACKPROOF_NCCL(ncclRecv(area_.received(slot, batch), static_cast<std::size_t>(batch.words()),
                            ncclUint64, peer, handle(), stream_.get()));
  }

  void show_ready(int peer) {
    RACKPROOF_NCCL(ncclGroupStart());
    RACKPROOF_NCCL(ncclSend(ready_.data(), 1, ncclUint64, peer, handle(), stream_.get()));
    RACKPROOF_NCCL(ncclRecv(ready_.data() + 1, 1, ncclUint64, peer, handle(), stream_.get()));
    RACKPROOF_NCCL(ncclGroupEnd());
  }

  // For what has been recorded last.
  void wait(const std::string& what) {
    kit::nccl::await(
        member_,
        [this] {
          if (stop_->load()) throw kit::DeviceError("another member of this process failed");
          return stop_event_.done();
        },
        what, patience_, [this] { abort(); });
  }

  // At most kNumbers, of every member.
  std::vector<double> gather_on_all(std::span<const double> values) {
    std::vector<double> all(values.size() * static_cast<std::size_t>(size_));
    kit::cuda::copy_async(mine_.data(), values.data(), values.size_bytes(), stream_);
    // Bit patterns as they are: a place is no number.
    host_patience_.guard("small results of all ranks", [&] {
      RACKPROOF_NCCL(ncclAllGather(mine_.data(), all_.data(), values.size_bytes(), ncclUint8,
                                   handle(), stream_.get()));
    });
    stop_event_.record(stream_);
    wait("small results of all ranks");
    kit::cuda::copy_async(all.data(), all_.data(), all.size() * sizeof(double), stream_);
    stream_.synchronize();
    return all;
  }

  std::vector<kit::nccl::Communicator> member_;  // one; await takes several
  Stream stream_;
  Event start_;
  Event stop_event_;
  DeviceArea area_;
  DeviceBuffer<double> mine_;
  DeviceBuffer<double> all_;
  DeviceBuffer<std::uint64_t> ready_;
  int rank_;
  int size_;
  std::string place_;
  std::vector<std::string> places_;
  double patience_;
  kit::nccl::HostPatience host_patience_;
  Stop stop_;
};

}  // namespace

std::unique_ptr<NcclTransport> make_nccl_transport(kit::nccl::Communicator member,
                                                   const std::string& place, std::int64_t span,
                                                   double patience, Stop stop) {
  return std::make_unique<Transporter>(std::move(member), place, span, patience, std::move(stop));
}

}  // namespace rackproof::pairs
