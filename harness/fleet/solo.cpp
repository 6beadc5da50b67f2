#include <deque>

#include "harness/fleet/team.hpp"

namespace rackproof::fleet {
namespace {

class SoloTeam : public Team {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int /*to*/, MessageKind kind, const std::string& body) override {
    waiting_.push_back({0, kind, body});
  }
  std::optional<Message> receive() override {
    if (waiting_.empty()) return std::nullopt;
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
  }
  void leave(bool /*everyone*/) override {}

 private:
  std::deque<Message> waiting_;
};

}  // namespace

std::unique_ptr<Team> make_solo_team() { return std::make_unique<SoloTeam>(); }

}  // namespace rackproof::fleet
