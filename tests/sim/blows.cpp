#include <fmt/format.h>

#include <algorithm>

#include "tests/sim/cluster.hpp"

// What the world does to a cluster.
namespace rackproof::sim {
void Cluster::arm(const Fault& fault) {
  SimRank& one = at(fault.rank);
  if (fault.blow == Blow::kLate) {
    if (fault.rank == 0) return;
    one.arrives_at = began_ + fault.amount;
    strike(fault);
  } else if (fault.blow == Blow::kCutAtCall) {
    one.dies_at_call = fault.call;
    one.dies_with_host = fault.power;
  } else {
    due_.emplace(began_ + fault.at, [this, fault] { strike(fault); });
  }
}

void Cluster::strike(const Fault& fault) {
  SimRank& one = at(fault.rank);
  if (over_ || one.dead) return;
  Befallen& now = ledger_.now();
  const std::string name = name_of(fault.blow);
  note(fmt::format("STRIKES: {} at rank {}, {:.2f}", name, fault.rank, fault.amount));
  ++ledger_.struck[name];
  now.disturbed = true;
  if (fault.blow != Blow::kInterrupt) now.hurt.insert(fault.rank);
  switch (fault.blow) {
    case Blow::kRankCrash:
      return end_rank(one);
    case Blow::kRankHang:
      return freeze(one);
    case Blow::kHostLost:
      return lose_host(one.host);
    case Blow::kWardenHangs:
      return one.warden->stand_still();
    case Blow::kDiskFull:
      disks_[static_cast<std::size_t>(one.host)]->full = true;
      for (const auto& other : ranks_) {
        if (scenario_.shared_disk || other->host == one.host) now.hurt.insert(other->rank);
      }
      return;
    case Blow::kSyncFails:
      disks_[static_cast<std::size_t>(one.host)]->unsyncable.insert(one.warden->path());
      return;
    case Blow::kClockJump:
      now.clock_jumped = true;
      return clocks_[static_cast<std::size_t>(one.host)]->jump(fault.amount);
    case Blow::kInterrupt:
      now.interrupted = true;
      interrupts_ = 1;
      return;
    case Blow::kLinkCut:
    case Blow::kLoss:
    case Blow::kDelay:
    case Blow::kDuplicate:
    case Blow::kReorder:
      return set_weather(fault);
    case Blow::kLate:
    case Blow::kCutAtCall:
      return;
  }
}

void Cluster::set_weather(const Fault& fault) {
  // What befalls rank 0 befalls everybody.
  if (fault.rank == 0) {
    for (const auto& one : ranks_) ledger_.now().hurt.insert(one->rank);
  }
  Weather& weather = net_.weather(fault.rank);
  if (fault.blow == Blow::kLoss) weather.loss = fault.amount;
  if (fault.blow == Blow::kDelay) weather.delay = fault.amount;
  if (fault.blow == Blow::kDuplicate) weather.duplicate = fault.amount;
  if (fault.blow == Blow::kReorder) weather.reorder = fault.amount;
  if (fault.blow != Blow::kLinkCut) return;
  weather.cut = true;
  due_.emplace(time_.now + fault.amount, [&weather] { weather.cut = false; });
}

// Between two things that a rank does, it may be struck.
void Cluster::before_call(SimRank& one) {
  if (one.dead || over_) return;
  ++one.calls;
  if (one.calls != one.dies_at_call) return;
  note(fmt::format("STRIKES: {} at rank {}, call {}", name_of(Blow::kCutAtCall), one.rank,
                   one.calls));
  ++ledger_.struck[name_of(Blow::kCutAtCall)];
  ledger_.now().disturbed = true;
  ledger_.now().hurt.insert(one.rank);
  if (one.dies_with_host) {
    lose_host(one.host);
  } else {
    end_rank(one);
  }
  throw Gone{};
}

void Cluster::end_rank(SimRank& one) {
  if (one.dead || one.left) return;
  one.dead = true;
  ledger_.now().hurt.insert(one.rank);
  if (!over_ && !at(0).warden->has_ended()) ledger_.now().crashed.insert(one.rank);
  if (!one.warden->stands_still()) one.warden->vanish();
  net_.forget(one.rank);
  take_others_along();
}

// The processes, their wardens and what was not durable are gone together.
void Cluster::lose_host(int host) {
  fakes::FakeDisk& disk = *disks_[static_cast<std::size_t>(host)];
  for (const auto& one : ranks_) {
    if (one->host != host || one->dead || one->left) continue;
    one->dead = true;
    ledger_.now().hurt.insert(one->rank);
    one->warden->lose_power();
    net_.forget(one->rank);
    if (!scenario_.shared_disk || one->warden->path().empty()) continue;
    disk.lose_power(one->warden->path(), static_cast<std::size_t>(draw_.below(4000)));
  }
  if (!scenario_.shared_disk) {
    for (const auto& [path, bytes] : disk.files) {
      disk.lose_power(path, static_cast<std::size_t>(draw_.below(4000)));
    }
  }
  take_others_along();
}

void Cluster::freeze(SimRank& one) {
  one.frozen = true;
  ledger_.now().hurt.insert(one.rank);
}

// mpirun ends the others, one after the other, as soon as one is gone.
void Cluster::take_others_along() {
  if (!scenario_.launcher_kills) return;
  for (const auto& one : ranks_) {
    if (one->dead || one->left) continue;
    SimRank& other = *one;
    due_.emplace(time_.now + draw_.between(0.01, 1), [this, &other] {
      if (over_ && other.rank == 0) return;
      end_rank(other);
    });
  }
}

}  // namespace rackproof::sim
