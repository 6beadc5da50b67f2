#include "harness/run/in_flight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rackproof::run {
namespace {

// How long after its deadline and its grace an attempt may take to be told: what KILL does not end
// is given up after 10 s, what has ended is looked after for a moment, and messages take their
// time.
constexpr double kWordSeconds = 30;

}  // namespace

crew::Order order_for(const Pending& pending, const Context& context) {
  const plan::PlacedStep& step = *pending.step;
  const plan::Instance& instance = instance_of(pending);
  const auto member = static_cast<std::size_t>(pending.member);
  crew::Order order;
  order.attempt =
      fmt::format("{}/{}/{}/{}{}/{}", context.request.run_id, context.request.segment, step.step.id,
                  pending.narrows ? "part-" : "", pending.instance, pending.number);
  order.head.step = step.step.id;
  order.head.number = pending.number;
  order.head.confirms = pending.confirms;
  order.head.narrows = pending.narrows;
  order.head.rank = pending.rank;
  order.head.host = context.host_of(pending.rank);
  order.head.subject = instance.subject;
  order.head.bench = step.step.bench;
  order.head.backend = step.step.backend;
  order.head.arguments = step.step.arguments;
  auto& arguments = order.head.arguments;
  if (step.in_rank || step.group) {
    order.head.member = pending.member;
    order.head.members = static_cast<int>(instance.ranks.size());
    if (pending.member == 0) {
      for (const plan::End& end : plan::members_of(instance, context.site)) {
        order.head.ends.emplace_back(end.host, end.device);
      }
    }
  }
  if (step.in_rank) order.attempt += fmt::format("/rank-{}", pending.rank);
  if (step.group) {
    order.group = order.attempt;
    order.attempt += fmt::format("/member-{}", pending.member);
    arguments.insert(arguments.end(), {"--ranks", std::to_string(instance.ranks.size()), "--rank",
                                       std::to_string(pending.member)});
  }
  const std::string device =
      instance.devices.empty() ? instance.subject.device : instance.devices.at(member);
  order.environment = step.step.environment;
  order.head.device = device;
  if (!device.empty()) {
    arguments.insert(arguments.end(), {"--device", device});
    // Before the program starts: a library may wake the driver before the bench has read its
    // arguments, and then every GPU of the node is opened. The bench holds what it got against
    // --device.
    order.environment["CUDA_VISIBLE_DEVICES"] = device;
  }
  order.deadline_seconds = step.step.deadline_seconds;
  order.grace_seconds = step.step.grace_seconds;
  return order;
}

void InFlight::start(const crew::Order& order, const Pending& pending) {
  expect(order, pending);
  context_.crew.start(pending.rank, order);
}

void InFlight::expect(const crew::Order& order, Pending pending) {
  pending.due =
      context_.around.clock.now() + order.deadline_seconds + order.grace_seconds + kWordSeconds;
  pending_[order.attempt] = std::move(pending);
}

std::optional<Pending> InFlight::take(const std::string& attempt) {
  const auto found = pending_.find(attempt);
  if (found == pending_.end()) return std::nullopt;
  std::optional<Pending> taken = std::move(found->second);
  pending_.erase(found);
  return taken;
}

const Pending* InFlight::find(const std::string& attempt) const {
  const auto found = pending_.find(attempt);
  return found == pending_.end() ? nullptr : &found->second;
}

int InFlight::at_steps() const {
  return static_cast<int>(std::count_if(pending_.begin(), pending_.end(), [](const auto& entry) {
    return entry.second.step != nullptr;
  }));
}

bool InFlight::has_group(const std::string& group) const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [&](const auto& entry) { return entry.second.group == group; });
}

std::vector<Pending> InFlight::of_rank(int rank) const {
  std::vector<Pending> out;
  for (const auto& [attempt, pending] : pending_) {
    if (pending.rank == rank) out.push_back(pending);
  }
  return out;
}

void InFlight::forget_rank(int rank) {
  std::erase_if(pending_, [&](const auto& entry) { return entry.second.rank == rank; });
}

void InFlight::cancel(const model::Reason<model::CancelReason>& by) const {
  for (const auto& [attempt, pending] : pending_) context_.crew.cancel(pending.rank, attempt, by);
}

void InFlight::cancel_group(const std::string& group,
                            const model::Reason<model::CancelReason>& by) const {
  for (const auto& [attempt, pending] : pending_) {
    if (pending.group == group) context_.crew.cancel(pending.rank, attempt, by);
  }
}

// A rank may say that it is there long after its warden, its disk or a message was lost.
void InFlight::lose_overdue() {
  std::map<int, std::string> overdue;
  for (const auto& [attempt, pending] : pending_) {
    if (context_.around.clock.now() >= pending.due) overdue.try_emplace(pending.rank, attempt);
  }
  for (const auto& [rank, attempt] : overdue) {
    const std::string why = fmt::format("did not say how {} ended", attempt);
    if (rank == 0) throw warden::WardenError("the warden of rank 0 " + why);
    context_.crew.give_up(rank, why);
  }
}

}  // namespace rackproof::run
