#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/fleet/team.hpp"
#include "tests/sim/clock.hpp"
#include "tests/sim/draw.hpp"

namespace rackproof::sim {

/// What befalls messages from and to one rank.
struct Weather {
  bool cut = false;
  double loss = 0;       ///< probability
  double delay = 0;      ///< seconds, at most
  double duplicate = 0;  ///< seconds until the second copy comes, at most
  double reorder = 0;    ///< seconds by which a message may be overtaken
};

/// The messages between the ranks of a cluster, with all that can befall them. Without weather
/// they come at once and in order.
class Net {
 public:
  Net(Time& time, int size, Draw draw);

  int size() const { return size_; }
  void post(int from, int to, fleet::MessageKind kind, const std::string& body);
  std::optional<fleet::Message> collect(int rank);
  bool has_mail(int rank) const;

  Weather& weather(int rank) { return weather_[static_cast<std::size_t>(rank)]; }
  /// Nothing comes from or to this rank any more: it is gone.
  void forget(int rank) { gone_[static_cast<std::size_t>(rank)] = true; }

 private:
  struct Letter {
    int from = 0;
    fleet::MessageKind kind{};
    std::string body;
  };
  using Box = std::multimap<double, Letter>;  ///< by when it comes

  double due(int from, int to, const Weather& a, const Weather& b);

  Time& time_;
  int size_;
  Draw draw_;
  std::vector<Weather> weather_;
  std::vector<bool> gone_;
  std::vector<Box> boxes_;
  std::unordered_map<long, double> last_;  ///< when the last message of a pair comes
};

/// One rank's end of a Net. `before` is called before each message that is sent.
class NetTeam : public fleet::Team {
 public:
  NetTeam(Net& net, int rank, std::function<void()> before)
      : net_(net), rank_(rank), before_(std::move(before)) {}

  int rank() const override { return rank_; }
  int size() const override { return net_.size(); }
  void send(int to, fleet::MessageKind kind, const std::string& body) override {
    before_();
    net_.post(rank_, to, kind, body);
  }
  std::optional<fleet::Message> receive() override { return net_.collect(rank_); }
  void leave(bool /*everyone*/) override {}

 private:
  Net& net_;
  int rank_;
  std::function<void()> before_;
};

}  // namespace rackproof::sim
