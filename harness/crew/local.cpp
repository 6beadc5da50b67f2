#include "harness/crew/local.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "benches/protocol/token_line.hpp"
#include "contract/exit_code.hpp"
#include "harness/journal/entry_json.hpp"

namespace rackproof::crew {

Local::Local(warden::Warden& warden, std::string programs, std::string self,
             std::vector<InRank> in_rank)
    : warden_(warden),
      programs_(std::move(programs)),
      self_(std::move(self)),
      in_rank_(std::move(in_rank)) {}

std::string Local::path_of(const std::string& program) const {
  std::string own = programs_ + "/" + program;
  if (allowed_.empty() || access(own.c_str(), F_OK) == 0) return own;
  return allowed_ + "/" + program;
}

bool Local::take(const Order& order) {
  if (!known_.insert(order.attempt).second) return false;
  running_[order.attempt].program = order.head.bench + "-" + order.head.backend;
  return true;
}

void Local::start(const Order& order) {
  if (!take(order)) return;
  const std::string program = order.head.bench + "-" + order.head.backend;
  warden::Launch launch;
  launch.attempt = order.attempt;
  launch.head = journal::to_json(order.head);
  if (order.own_verb.empty()) {
    launch.arguments = {path_of(program), "--json"};
  } else {
    launch.arguments = {self_, order.own_verb};
  }
  launch.arguments.insert(launch.arguments.end(), order.head.arguments.begin(),
                          order.head.arguments.end());
  launch.environment = order.environment;
  if (!order.group.empty()) launch.environment[protocol::kGroupVariable] = order.group;
  launch.stdin_text = order.stdin_text;
  launch.deadline_seconds = order.deadline_seconds;
  launch.grace_seconds = order.grace_seconds;
  launch.starts_others = order.own_verb.empty();
  launch.tells_progress = !order.group.empty();
  warden_.start(launch);
}

void Local::run_in_rank(const Order& order) {
  if (!take(order)) return;
  const std::string program = order.head.bench + "-" + order.head.backend;
  const std::string& nonce = order.attempt;
  warden_.guard(nonce, journal::to_json(order.head), order.deadline_seconds);
  int code = static_cast<int>(contract::ExitCode::kUnavailable);
  for (const InRank& bench : in_rank_) {
    if (bench.program != program) continue;
    code = bench.run(
        order.head.arguments, [&](const std::string& line) { warden_.say(nonce, line); }, nonce,
        warden_.progress_page());
  }
  warden_.release(nonce, code);
}

void Local::cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) {
  if (running_.contains(attempt)) warden_.cancel(attempt, by);
}

std::vector<Ended> Local::wait(double seconds) {
  std::vector<Ended> ended;
  for (warden::Event& event : warden_.wait(seconds)) {
    const auto found = running_.find(event.attempt);
    if (found == running_.end()) continue;
    Running& running = found->second;
    if (const auto entry = journal::read_entry(event.line)) running.transcript.take(*entry);
    if (const auto& token = running.transcript.token(); token && !running.told) {
      running.told = true;
      tokens_.push_back({0, event.attempt, *token});
    }
    running.lines.push_back(std::move(event.line));
    if (!event.last) continue;
    ended.push_back({0, event.attempt, std::move(running.lines), std::move(running.transcript)});
    running_.erase(found);
  }
  return ended;
}

std::vector<GivenToken> Local::take_tokens() { return std::exchange(tokens_, {}); }

std::vector<std::string> Local::running() const {
  std::vector<std::string> out;
  for (const auto& [attempt, running] : running_) out.push_back(attempt);
  return out;
}

std::string Local::phase() const {
  for (const auto& [attempt, running] : running_) {
    if (const auto& phase = running.transcript.phase()) {
      return fmt::format("{}: {}, {:.0f} %", running.program, phase->name, phase->fraction * 100);
    }
  }
  return "";
}

}  // namespace rackproof::crew
