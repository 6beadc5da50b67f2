#include "benches/pairs/mpi_transport.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstring>

#include "benches/kit/clock.hpp"
#include "benches/kit/host.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/kit/mpi/world.hpp"
#include "benches/pairs/host_area.hpp"

namespace rackproof::pairs {
namespace {

using kit::mpi::require;

constexpr int kData = 1;
constexpr int kReady = 2;
constexpr int kArrived = 3;

class MpiTransport final : public Transport {
 public:
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const std::vector<std::string>& places() const override { return places_; }

  TransportFacts facts() const override {
    const auto library = kit::mpi::library();
    return {library.begin()->first, library.begin()->second, world_.path()};
  }

  bool reserve(std::int64_t span) override {
    return area_.reserve(span, kit::available_memory_bytes() / world_.local_size());
  }
  void write(std::uint64_t key, const Batch& batch) override { area_.write(key, batch); }
  void poison(std::uint64_t key, const Batch& batch) override { area_.poison(key, batch); }
  Found compare(std::uint64_t key, const Batch& batch) override {
    return area_.compare(key, batch);
  }
  void spoil(const kit::Injection& injection, const Batch& batch) override {
    area_.spoil(injection, batch);
  }

  double pass(Exchange exchange, int peer, bool leads, const Batch& batch) override {
    switch (exchange) {
      case Exchange::kPingPong:
        return ping_pong(peer, leads, batch);
      case Exchange::kOneWay:
        return leads ? send_all(peer, batch) : receive_all(peer, batch);
      case Exchange::kBothWays:
        break;
    }
    return both_ways(peer, batch);
  }

  void barrier() override { require(MPI_Barrier(group_), "MPI_Barrier"); }

  bool everyone(bool yes) override {
    int all = yes ? 1 : 0;
    require(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, group_), "MPI_Allreduce");
    return all == 1;
  }

  std::vector<double> gather(std::span<const double> values) override {
    const auto count = static_cast<int>(values.size());
    std::vector<double> all(rank_ == 0 ? values.size() * static_cast<std::size_t>(size_) : 0);
    require(MPI_Gather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, group_),
            "MPI_Gather");
    return all;
  }

 private:
  static int count_of(const Batch& batch) { return static_cast<int>(batch.words()); }

  void trade_nothing(int peer, int tag) {
    require(MPI_Sendrecv(nullptr, 0, MPI_BYTE, peer, tag, nullptr, 0, MPI_BYTE, peer, tag, group_,
                         MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  }

  // After one such exchange the later of the two goes on at once, the other a way later; after a
  // few both have been seen running.
  void meet(int peer) {
    constexpr int kTimes = 3;
    for (int i = 0; i < kTimes; ++i) trade_nothing(peer, kReady);
  }

  void send(int peer, std::int64_t slot, const Batch& batch) {
    require(MPI_Send(area_.sent(slot, batch), count_of(batch), MPI_UINT64_T, peer, kData, group_),
            "MPI_Send");
  }

  void receive(int peer, std::int64_t slot, const Batch& batch) {
    require(MPI_Recv(area_.received(slot, batch), count_of(batch), MPI_UINT64_T, peer, kData,
                     group_, MPI_STATUS_IGNORE),
            "MPI_Recv");
  }

  double ping_pong(int peer, bool leads, const Batch& batch) {
    meet(peer);
    const double start = kit::now_seconds();
    for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
      if (leads) {
        send(peer, slot, batch);
        receive(peer, slot, batch);
      } else {
        receive(peer, slot, batch);
        send(peer, slot, batch);
      }
    }
    return leads ? kit::now_seconds() - start : 0;
  }

  void post_receives(int peer, const Batch& batch) {
    for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
      requests_.push_back(MPI_REQUEST_NULL);
      require(MPI_Irecv(area_.received(slot, batch), count_of(batch), MPI_UINT64_T, peer, kData,
                        group_, &requests_.back()),
              "MPI_Irecv");
    }
  }

  void post_sends(int peer, const Batch& batch) {
    for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
      requests_.push_back(MPI_REQUEST_NULL);
      require(MPI_Isend(area_.sent(slot, batch), count_of(batch), MPI_UINT64_T, peer, kData, group_,
                        &requests_.back()),
              "MPI_Isend");
    }
  }

  void finish() {
    require(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
    requests_.clear();
  }

  // The receiver is ready before the sender begins, and says when it has everything.
  double receive_all(int peer, const Batch& batch) {
    post_receives(peer, batch);
    meet(peer);
    finish();
    require(MPI_Send(nullptr, 0, MPI_BYTE, peer, kArrived, group_), "MPI_Send");
    return 0;
  }

  double send_all(int peer, const Batch& batch) {
    meet(peer);
    const double start = kit::now_seconds();
    post_sends(peer, batch);
    finish();
    require(MPI_Recv(nullptr, 0, MPI_BYTE, peer, kArrived, group_, MPI_STATUS_IGNORE), "MPI_Recv");
    return kit::now_seconds() - start;
  }

  double both_ways(int peer, const Batch& batch) {
    post_receives(peer, batch);
    meet(peer);
    const double start = kit::now_seconds();
    post_sends(peer, batch);
    finish();
    trade_nothing(peer, kArrived);
    return kit::now_seconds() - start;
  }

  kit::mpi::World world_;
  MPI_Comm group_ = world_.group();
  int rank_ = world_.rank();
  int size_ = world_.size();
  std::vector<std::string> places_ = world_.processor_names();
  HostArea area_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport() { return std::make_unique<MpiTransport>(); }

}  // namespace rackproof::pairs
