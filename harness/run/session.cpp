#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/crew/neighbours.hpp"
#include "harness/crew/together.hpp"
#include "harness/document/nearest.hpp"

namespace rackproof::run {

void Session::open(bool record) {
  const std::vector<crew::Arrival> arrivals = context_.crew.gather(crew::kArrivalSeconds);
  if (const std::string why = crew::why_not_together(arrivals); !why.empty())
    throw resume::Refused(why);
  choose_hosts(arrivals);
  place_ranks(arrivals);
  if (record) {
    open_journals();
    clocks_.compare();
  }
  describe_run();
  context_.log.ranks(arrivals, rosters_, context_.around.team.size());
  context_.take_lost();
}

void Session::choose_hosts(const std::vector<crew::Arrival>& arrivals) {
  const resume::Request& request = context_.request;
  left_out_.insert(request.left_out_hosts.begin(), request.left_out_hosts.end());
  if (request.only_hosts.empty()) return;
  std::set<std::string> hosts;
  for (const crew::Arrival& arrival : arrivals) hosts.insert(arrival.host);
  const std::vector<std::string_view> names(hosts.begin(), hosts.end());
  for (const std::string& wanted : request.only_hosts) {
    if (hosts.contains(wanted)) continue;
    throw resume::Refused(fmt::format("{} {}: no host of this job has that name{}",
                                      request.only_hosts_of, wanted,
                                      document::suggestion(wanted, names)));
  }
  const std::set<std::string> wanted(request.only_hosts.begin(), request.only_hosts.end());
  std::set_difference(hosts.begin(), hosts.end(), wanted.begin(), wanted.end(),
                      std::inserter(left_out_, left_out_.end()));
}

void Session::place_ranks(const std::vector<crew::Arrival>& arrivals) {
  std::map<std::string, int> next_local;
  const resume::Request& request = context_.request;
  const std::vector<warden::HostShare> shares = crew::shares_of(arrivals);
  for (const crew::Arrival& arrival : arrivals) {
    crew::Roster roster;
    roster.run = request.run_id;
    roster.segment = request.segment;
    roster.rank = arrival.rank;
    roster.size = context_.around.team.size();
    roster.local_rank = next_local[arrival.host]++;
    roster.directory = request.directory;
    roster.share = shares.at(rosters_.size());
    roster.journal = fmt::format("journals/{:04}-rank-{:05}.jsonl", request.segment, arrival.rank);
    auto& places = left_out_.contains(arrival.host) ? context_.site.left_out : context_.site.ranks;
    places.push_back({arrival.rank, arrival.host, roster.local_rank});
    rosters_.push_back(std::move(roster));
  }
}

void Session::open_journals() {
  const Surroundings& around = context_.around;
  around.store.make_folder("journals");
  around.warden.open_journal(around.store.path(rosters_.front().journal));
  around.warden.share_host(rosters_.front().share);
  context_.log.append(crew::open_entry(rosters_.front(), context_.self, around.clock));
  std::map<int, std::string> first_lines;
  try {
    first_lines = context_.crew.send_rosters({rosters_.begin() + 1, rosters_.end()});
  } catch (const fleet::TeamError& error) {
    throw resume::Refused(error.what());
  }
  std::set<int> visible;
  for (const crew::Roster& roster : rosters_) {
    if (around.store.exists(roster.journal)) visible.insert(roster.rank);
  }
  context_.gathered.begin(std::move(first_lines), std::move(visible));
}

void Session::describe_run() {
  const resume::Request& request = context_.request;
  model::RunInfo run;
  run.id = request.run_id;
  run.began_utc = context_.around.clock.utc();
  run.command = request.command;
  run.launcher = request.launcher;
  run.labels = request.labels;
  run.required = request.required;
  run.extent = request.extent;
  run.accept_unjudged = request.accept_unjudged;
  run.waivers = request.waivers;
  run.left_out_hosts.assign(left_out_.begin(), left_out_.end());
  run.ranks = context_.around.team.size();
  run.segments = request.segment;
  run.platform_choice = request.forced_platform.empty() ? model::PlatformChoice::kRecognised
                                                        : model::PlatformChoice::kForced;
  if (request.amendment) {
    // Before all else: whoever reads on from here knows that what was measured is set back.
    context_.log.append(journal::Repair{request.amendment->amends});
    for (const journal::Kept& kept : request.amendment->kept) context_.log.append(kept);
  }
  context_.log.append(journal::Run{request.tool, run, request.suite.info});
  if (!request.causes.rules.empty()) context_.log.append(journal::Causes{request.causes});
}

void Session::dismiss() {
  context_.crew.dismiss(
      context_.interrupted ? model::CloseReason::kInterrupted : model::CloseReason::kFinished, 10);
}

}  // namespace rackproof::run
