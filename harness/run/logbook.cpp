#include "harness/run/logbook.hpp"

#include <nlohmann/json.hpp>

#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run {
namespace {

using nlohmann::json;

std::string line_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A line that holds one of the model's documents under a name.
std::string holding(const char* j, const char* name, const std::string& document) {
  return "{\"j\":\"" + std::string(j) + "\",\"" + name + "\":" + document + "}";
}

}  // namespace

Logbook::Logbook(warden::Warden& warden, warden::Clock& clock, double began)
    : warden_(warden), clock_(clock), began_(began) {}

double Logbook::now() const { return clock_.now() - began_; }

void Logbook::write(const std::string& line, bool durable) { warden_.note(line, durable); }

void Logbook::run(const model::ToolInfo& tool, const model::RunInfo& run,
                  const model::SuiteInfo& suite) {
  write("{\"j\":\"run\",\"tool\":" + model::to_json_line(tool) +
        ",\"run\":" + model::to_json_line(run) + ",\"suite\":" + model::to_json_line(suite) + "}");
}

void Logbook::causes(const model::CauseTable& table) {
  write(holding("causes", "table", model::to_json_line(table)));
}

void Logbook::bound(const model::MetricBound& bound) {
  write(holding("bound", "bound", model::to_json_line(bound)));
}

void Logbook::ranks(const std::vector<Arrival>& arrivals, const std::vector<Roster>& rosters,
                    int size) {
  std::map<int, const Arrival*> arrived;
  for (const Arrival& arrival : arrivals) arrived[arrival.rank] = &arrival;
  std::map<int, const Roster*> placed;
  for (const Roster& roster : rosters) placed[roster.rank] = &roster;
  for (int rank = 0; rank < size; ++rank) {
    json line = {{"j", "rank"}, {"rank", rank}, {"arrived", arrived.contains(rank)}};
    if (arrived.contains(rank)) {
      line["host"] = arrived[rank]->host;
      line["pid"] = arrived[rank]->pid;
    }
    if (placed.contains(rank)) {
      line["local_rank"] = placed[rank]->local_rank;
      line["journal"] = placed[rank]->journal;
    }
    write(line_text(line));
  }
}

void Logbook::node(const model::NodeInventory& node) {
  write(holding("node", "node", model::to_json_line(node)));
}

void Logbook::platform(const model::PlatformTable& table) {
  write(holding("platform", "table", model::to_json_line(table)));
}

void Logbook::host_platform(const std::string& host, const std::string& platform) {
  write(line_text({{"j", "host_platform"}, {"host", host}, {"platform", platform}}));
}

void Logbook::plan(const plan::Plan& plan) {
  for (const auto& info : plan.infos) {
    write(holding("plan_step", "step", model::to_json_line(info)));
  }
  for (const auto& cell : plan.cells) write(holding("cell", "cell", model::to_json_line(cell)));
  // Durable: from here on it is known what the run owes.
  write(line_text({{"j", "planned"}, {"steps", plan.infos.size()}, {"cells", plan.cells.size()}}),
        true);
}

void Logbook::history(const model::History& history) {
  write(holding("history", "history", model::to_json_line(history)));
}

void Logbook::step(const std::string& id, model::StepState state,
                   const model::Reason<model::StepReason>& reason) {
  write(line_text({{"j", "step"},
                   {"id", id},
                   {"state", model::word(state)},
                   {"reason", model::to_text(reason)},
                   {"t", now()}}),
        state != model::StepState::kBegun);
}

void Logbook::finding(const model::Finding& finding) {
  write(holding("finding", "finding", model::to_json_line(finding)));
}

void Logbook::roll_call(const std::string& step, const std::vector<int>& missing) {
  write(line_text({{"j", "roll_call"}, {"step", step}, {"missing", missing}, {"t", now()}}));
}

void Logbook::rank_lost(int rank, const std::string& host, const std::string& why,
                        const std::string& reached) {
  write(line_text({{"j", "rank_lost"},
                   {"rank", rank},
                   {"host", host},
                   {"why", why},
                   {"reached", reached},
                   {"t", now()}}),
        true);
}

void Logbook::stopping(const std::string& reason) {
  write(line_text({{"j", "stopping"}, {"reason", reason}, {"t", now()}, {"utc", clock_.utc()}}),
        true);
}

void Logbook::ended(bool completed, bool interrupted) {
  write(line_text({{"j", "ended"},
                   {"completed", completed},
                   {"interrupted", interrupted},
                   {"seconds", now()},
                   {"utc", clock_.utc()}}),
        true);
}

}  // namespace rackproof::run
