#include "tests/sim/net.hpp"

#include <algorithm>
#include <utility>

namespace rackproof::sim {

Net::Net(Time& time, int size, Draw draw)
    : time_(time),
      size_(size),
      draw_(draw),
      weather_(static_cast<std::size_t>(size)),
      gone_(static_cast<std::size_t>(size)),
      boxes_(static_cast<std::size_t>(size)) {}

double Net::due(int from, int to, const Weather& a, const Weather& b) {
  double when = time_.now;
  const double delay = std::max(a.delay, b.delay);
  const double reorder = std::max(a.reorder, b.reorder);
  if (delay > 0) when += draw_.between(0, delay);
  if (reorder > 0) return when + draw_.between(0, reorder);
  double& last = last_[static_cast<long>(from) * size_ + to];
  last = std::max(last, when);
  return last;
}

void Net::post(int from, int to, fleet::MessageKind kind, const std::string& body) {
  const Weather& a = weather_.at(static_cast<std::size_t>(from));
  const Weather& b = weather_.at(static_cast<std::size_t>(to));
  if (a.cut || b.cut || gone_[static_cast<std::size_t>(to)]) return;
  const double loss = std::max(a.loss, b.loss);
  if (loss > 0 && draw_.chance(loss)) return;
  Box& box = boxes_[static_cast<std::size_t>(to)];
  const double duplicate = std::max(a.duplicate, b.duplicate);
  if (duplicate > 0 && draw_.chance(0.3)) {
    box.emplace(time_.now + draw_.between(0, duplicate), Letter{from, kind, body});
  }
  box.emplace(due(from, to, a, b), Letter{from, kind, body});
}

std::optional<fleet::Message> Net::collect(int rank) {
  if (!has_mail(rank)) return std::nullopt;
  Box& box = boxes_[static_cast<std::size_t>(rank)];
  Letter letter = std::move(box.begin()->second);
  box.erase(box.begin());
  // What was on its way when a link was cut does not come either.
  if (weather_[static_cast<std::size_t>(rank)].cut ||
      weather_[static_cast<std::size_t>(letter.from)].cut) {
    return collect(rank);
  }
  return fleet::Message{letter.from, letter.kind, std::move(letter.body)};
}

bool Net::has_mail(int rank) const {
  const Box& box = boxes_[static_cast<std::size_t>(rank)];
  return !box.empty() && box.begin()->first <= time_.now;
}

}  // namespace rackproof::sim
