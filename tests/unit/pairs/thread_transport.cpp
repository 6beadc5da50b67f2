#include "tests/unit/pairs/thread_transport.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace rackproof::pairs {

void ThreadTransport::send(int peer, std::int64_t slot, const Batch& batch) {
  const std::uint64_t* from = area_.sent(slot, batch);
  ThreadGroup::Words words(from, from + batch.words());
  const std::lock_guard lock(group_.mutex);
  group_.mail[{rank_, peer}].push_back(std::move(words));
  group_.arrived.notify_all();
}

void ThreadTransport::receive(int peer, std::int64_t slot, const Batch& batch) {
  std::unique_lock lock(group_.mutex);
  auto& box = group_.mail[{peer, rank_}];
  group_.arrived.wait(lock, [&] { return !box.empty(); });
  ThreadGroup::Words words = std::move(box.front());
  box.pop_front();
  const std::int64_t number = group_.sent[{peer, rank_}]++;
  if (group_.fault && !group_.fault(peer, rank_, number, words)) return;
  std::copy(words.begin(), words.end(), area_.received(slot, batch));
}

double ThreadTransport::pass(Exchange exchange, int peer, bool leads, const Batch& batch) {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    const bool first = exchange == Exchange::kBothWays || leads;
    if (first) send(peer, slot, batch);
    if (exchange != Exchange::kOneWay || !leads) receive(peer, slot, batch);
    if (!first && exchange == Exchange::kPingPong) send(peer, slot, batch);
  }
  if (exchange == Exchange::kOneWay && !leads) return 0;
  return group_.seconds(rank_, peer);
}

bool ThreadTransport::everyone(bool yes) {
  group_.yes[static_cast<std::size_t>(rank_)] = yes ? 1 : 0;
  barrier();
  const bool all = std::all_of(group_.yes.begin(), group_.yes.end(), [](char one) { return one; });
  barrier();
  return all;
}

std::vector<double> ThreadTransport::gather(std::span<const double> values) {
  group_.numbers[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
  barrier();
  std::vector<double> all;
  for (const auto& numbers : group_.numbers) {
    if (rank_ == 0) all.insert(all.end(), numbers.begin(), numbers.end());
  }
  barrier();
  return all;
}

void run_group(ThreadGroup& group, const std::function<void(ThreadTransport&)>& body) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(group.size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < group.size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadTransport transport(group, rank);
        body(transport);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace rackproof::pairs
