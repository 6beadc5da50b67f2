#pragma once

#include <barrier>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "benches/pairs/host_area.hpp"
#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// What the members of a group of threads share.
struct ThreadGroup {
  using Words = std::vector<std::uint64_t>;

  explicit ThreadGroup(int ranks) : size(ranks), meet(ranks), numbers(ranks), yes(ranks, 0) {
    for (int i = 0; i < ranks; ++i) places.push_back("thread" + std::to_string(i));
  }

  int size;
  std::barrier<> meet;
  std::vector<std::string> places;
  std::vector<std::vector<double>> numbers;
  std::vector<char> yes;
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::deque<Words>> mail;  ///< from, to
  std::map<std::pair<int, int>, std::int64_t> sent;       ///< messages so far

  /// A fault: called before message `number` of those from one rank to another is put down; may
  /// change the words; false: the message is taken and never written where it should go.
  std::function<bool(int from, int to, std::int64_t number, Words& words)> fault;
  /// Seconds that a batch is said to have taken.
  std::function<double(int from, int to)> seconds = [](int, int) { return 1e-3; };
  int poor = -1;  ///< this rank has no memory
};

/// A rank that is a thread; messages are copied through a queue for each two of them.
class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_.size; }
  TransportFacts facts() const override { return {"threads", "1", "one process"}; }
  const std::vector<std::string>& places() const override { return group_.places; }

  bool reserve(std::int64_t span) override {
    return area_.reserve(span, rank_ == group_.poor ? 0 : std::int64_t{1} << 30);
  }
  void write(std::uint64_t key, const Batch& batch) override { area_.write(key, batch); }
  void poison(std::uint64_t key, const Batch& batch) override { area_.poison(key, batch); }
  Found compare(std::uint64_t key, const Batch& batch) override {
    return area_.compare(key, batch);
  }
  void spoil(const kit::Injection& injection, const Batch& batch) override {
    area_.spoil(injection, batch);
  }
  double pass(Exchange exchange, int peer, bool leads, const Batch& batch) override;
  void barrier() override { group_.meet.arrive_and_wait(); }
  bool everyone(bool yes) override;
  std::vector<double> gather(std::span<const double> values) override;

 private:
  void send(int peer, std::int64_t slot, const Batch& batch);
  void receive(int peer, std::int64_t slot, const Batch& batch);

  ThreadGroup& group_;
  int rank_;
  HostArea area_;
};

/// Runs `body` on every rank of a group at once; the first exception is thrown again here.
void run_group(ThreadGroup& group, const std::function<void(ThreadTransport&)>& body);

}  // namespace rackproof::pairs
