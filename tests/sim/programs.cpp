#include <fmt/format.h>

#include <stdexcept>

#include "harness/journal/entry_json.hpp"
#include "tests/fakes/act.hpp"
#include "tests/sim/cluster.hpp"

// What the programs of a cluster do.
namespace rackproof::sim {
namespace {

/// A collective that takes longer may outlast somebody's patience.
constexpr double kLongRound = 15;

std::vector<std::string> parts_of(const std::string& nonce) {
  std::vector<std::string> parts(1);
  for (const char c : nonce) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool is_own_end(const std::string& end_line) {
  return end_line.find("\"cancelled_by\"") == std::string::npos &&
         end_line.find("\"timed_out\"") == std::string::npos;
}

std::string_view last_line(std::string_view bytes) {
  if (bytes.empty()) return bytes;
  const std::size_t before = bytes.rfind('\n', bytes.size() - 2);
  return bytes.substr(before == std::string_view::npos ? 0 : before + 1);
}

}  // namespace

std::string text_of(const model::Subject& subject) {
  return fmt::format("{}|{}|{}", subject.host, subject.device, subject.group);
}

fakes::Performance Cluster::survey(const SimRank& one, const warden::Launch& launch) {
  if (scenario_.failing_survey && one.host == scenario_.hosts - 1) {
    ++ledger_.struck["survey-fails"];
    return {};
  }
  model::NodeInventory node;
  node.host = fakes::head_of(launch).host;
  node.facts["cpu.model"] = {contract::Scalar(std::string("simulated")), "sim", ""};
  for (int device = 0; device < scenario_.devices; ++device) {
    node.devices.push_back({fmt::format("GPU-{}-{}", one.host, device), device, {}});
  }
  return fakes::inventory(node);
}

fakes::Performance Cluster::start(SimRank& one, const warden::Launch& launch) {
  const model::Attempt head = fakes::head_of(launch);
  if (head.bench == "inventory") return survey(one, launch);
  if (head.bench == "doctor") {
    fakes::Performance listener = fakes::Act(launch).done();
    listener.facts.load = taken(scenario_.is_busy(one.host) ? 0.3 : 0);
    return listener;
  }
  Happened happened;
  happened.nonce = launch.attempt;
  happened.step = head.step;
  happened.subject = text_of(head.subject);
  happened.segment = segment_;
  happened.number = head.number;
  happened.narrows = head.narrows;
  happened.member = head.member;
  happened.members = head.members;
  happened.rank = one.rank;
  happened.host = one.host;
  happened.deed = deed_of(scenario_, head.step, happened.subject, head.member, head.number,
                          segment_, head.member == 0);
  Part part = part_of(scenario_, head.step, happened.subject, head.member, head.number);
  part.device = head.subject.device;
  note(
      fmt::format("rank {} starts {}: {}", one.rank, launch.attempt, facts_of(happened.deed).name));
  ++ledger_.struck[facts_of(happened.deed).name];
  fakes::Performance performance = perform(happened.deed, part, launch);
  attempt_at_[launch.attempt] = ledger_.attempts.size();
  ledger_.attempts.push_back(std::move(happened));
  return performance;
}

// A bench inside the ranks says in a moment what it has to say; rank 0 waits for all others.
int Cluster::run_in_rank(SimRank& one, const std::function<void(const std::string&)>& say,
                         const std::string& nonce) {
  const std::vector<std::string> parts = parts_of(nonce);
  if (parts.size() != 6) throw std::logic_error("a nonce of another form: " + nonce);
  Happened happened;
  happened.nonce = nonce;
  happened.step = parts[2];
  happened.subject = "||world";
  happened.segment = segment_;
  happened.number = std::stoi(parts[4]);
  happened.member = one.rank;
  happened.members = scenario_.ranks();
  happened.rank = one.rank;
  happened.host = one.host;
  happened.deed = deed_of(scenario_, happened.step, happened.subject, happened.member,
                          happened.number, segment_, one.rank == 0);
  const Part part =
      part_of(scenario_, happened.step, happened.subject, happened.member, happened.number);
  note(fmt::format("rank {} runs {}: {}", one.rank, nonce, facts_of(happened.deed).name));
  ++ledger_.struck[facts_of(happened.deed).name];
  journal::Head head;
  head.bench = "ring";
  head.backend = "mpi";
  head.rank = one.rank;
  warden::Launch launch;
  launch.attempt = nonce;
  launch.head = journal::to_json(head);
  const fakes::Performance performance = perform(happened.deed, part, launch);
  attempt_at_[nonce] = ledger_.attempts.size();
  ledger_.attempts.push_back(std::move(happened));
  const std::string round = parts[2] + "/" + parts[4];
  in_rank_done_[round].insert(one.rank);
  if (one.rank == 0) {
    const double until = time_.now + part.seconds;
    const double began = time_.now;
    while (time_.now < until) sleep(0.25);
    await_members(round);
    // In the simulation the others are not held in the collective: they may lose patience.
    if (time_.now - began > kLongRound) {
      for (const auto& other : ranks_) ledger_.now().hurt.insert(other->rank);
    }
  }
  for (const fakes::Line& line : performance.lines) say(line.text);
  one.warden->set_guard_load(performance.facts.load);
  return static_cast<int>(performance.facts.exit_code);
}

// Nobody leaves a collective before all are in it: rank 0 hangs there until its warden ends it.
void Cluster::await_members(const std::string& round) {
  const config::Step& step = scenario_.step(round.substr(0, round.find('/')));
  const double until = time_.now + step.deadline_seconds + 1;
  const auto all = static_cast<std::size_t>(scenario_.ranks());
  while (in_rank_done_[round].size() < all && time_.now < until) sleep(0.25);
}

void Cluster::take_line(const SimRank& one, const std::string& attempt, const std::string& line,
                        bool last, const std::string& journal) {
  const auto found = attempt_at_.find(attempt);
  if (found == attempt_at_.end()) return;
  Happened& happened = ledger_.attempts[found->second];
  const fakes::FakeDisk& disk = *disks_[static_cast<std::size_t>(one.host)];
  const auto file = disk.files.find(journal);
  // In the file the line ends in a seal.
  const std::string said = line.substr(0, line.size() - 1);
  const bool written = file != disk.files.end() && last_line(file->second).starts_with(said);
  const std::size_t at = written ? file->second.size() : 0;
  happened.journal = journal;
  if (last) {
    note(fmt::format("rank {} ended {}{}", one.rank, attempt, written ? "" : ", not written"));
    happened.own_end = is_own_end(line);
    happened.end_at = at;
    happened.end_line = said;
  } else if (facts_of(happened.deed).wrong &&
             line.find(R"(\"passed\":false)") != std::string::npos) {
    happened.wrong_at = at;
    happened.wrong_line = said;
  }
}

}  // namespace rackproof::sim
