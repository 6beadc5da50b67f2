#include "harness/journal/entry_json.hpp"

#include "benches/protocol/json_writer.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::journal {
namespace {

using protocol::JsonWriter;

void put_load(const model::HostLoad& load, JsonWriter& json) {
  if (load == model::HostLoad{}) return;
  json.key("load").begin_object();
  if (load.unknown.empty()) {
    json.key("processors").integer(load.processors).key("seconds").number(load.seconds);
    json.key("busy").number(load.busy).key("own").number(load.own);
    json.key("stolen").number(load.stolen);
    if (load.waited) json.key("waited").number(*load.waited);
  } else {
    json.key("unknown").text(load.unknown);
  }
  json.end_object();
}

void put_place(const char* name, const contract::Place& place, JsonWriter& json) {
  if (place.cell == 0) return;
  json.key(name).begin_object().key("cell").integer(place.cell);
  json.key("iteration").integer(place.iteration);
  if (place.exchange > 0) json.key("exchange").integer(place.exchange);
  json.end_object();
}

void put_progress(const model::Progress& progress, JsonWriter& json) {
  json.key("progress").begin_object().key("operation").text(progress.operation);
  json.key("bytes").integer(progress.bytes);
  put_place("entered", progress.entered, json);
  put_place("completed", progress.completed, json);
  if (progress.span > 1) json.key("span").integer(progress.span);
  json.key("still_seconds").number(progress.still_seconds);
  if (!progress.state.empty()) json.key("state").text(model::to_text(progress.state));
  json.end_object();
}

/// Writes what is in a line behind its kind.
class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_(json) {}

  void operator()(const Open& entry) {
    kind("open");
    json_.key("run").text(entry.run).key("segment").integer(entry.segment);
    json_.key("rank").integer(entry.rank).key("size").integer(entry.size);
    json_.key("local_rank").integer(entry.local_rank).key("host").text(entry.host);
    json_.key("pid").integer(entry.pid).key("version").text(entry.version);
    json_.key("commit").text(entry.commit).key("boot").text(entry.boot);
    json_.key("monotonic_s").number(entry.monotonic_s).key("utc").text(entry.utc);
  }
  void operator()(const Run& entry) {
    kind("run");
    document("tool", entry.tool);
    document("run", entry.run);
    document("suite", entry.suite);
  }
  void operator()(const Repair& entry) { holding("repair", "amends", entry.amends); }
  void operator()(const Kept& entry) {
    kind("kept");
    json_.key("step").text(entry.step).key("done").boolean(entry.done);
    json_.key("subjects").begin_array();
    for (const std::string& subject : entry.subjects) json_.text(subject);
    json_.end_array();
  }
  void operator()(const Causes& entry) { holding("causes", "table", entry.table); }
  void operator()(const Rank& entry) {
    kind("rank");
    json_.key("rank").integer(entry.rank).key("arrived").boolean(entry.arrived);
    if (entry.arrived) json_.key("host").text(entry.host).key("pid").integer(entry.pid);
    if (entry.journal.empty()) return;
    json_.key("local_rank").integer(entry.local_rank).key("journal").text(entry.journal);
  }
  void operator()(const Node& entry) { holding("node", "node", entry.node); }
  void operator()(const Platform& entry) { holding("platform", "table", entry.table); }
  void operator()(const HostPlatform& entry) {
    kind("host_platform");
    json_.key("host").text(entry.host).key("platform").text(entry.platform);
  }
  void operator()(const Bound& entry) { holding("bound", "bound", entry.bound); }
  void operator()(const PlanStep& entry) { holding("plan_step", "step", entry.step); }
  void operator()(const Cell& entry) { holding("cell", "cell", entry.cell); }
  void operator()(const Planned& entry) {
    kind("planned");
    json_.key("steps").integer(entry.steps).key("cells").integer(entry.cells);
  }
  void operator()(const History& entry) { holding("history", "history", entry.history); }
  void operator()(const Finding& entry) { holding("finding", "finding", entry.finding); }
  void operator()(const Step& entry) {
    kind("step");
    json_.key("id").text(entry.id).key("state").text(contract::word(entry.state));
    json_.key("reason").text(model::to_text(entry.reason)).key("t").number(entry.t);
  }
  void operator()(const RollCall& entry) {
    kind("roll_call");
    json_.key("step").text(entry.step).key("missing").begin_array();
    for (const int rank : entry.missing) json_.integer(rank);
    json_.end_array().key("t").number(entry.t);
  }
  void operator()(const RankLost& entry) {
    kind("rank_lost");
    json_.key("rank").integer(entry.rank).key("host").text(entry.host);
    json_.key("why").text(entry.why).key("reached").text(entry.reached).key("t").number(entry.t);
  }
  void operator()(const Stopping& entry) {
    kind("stopping");
    json_.key("reason").text(entry.reason).key("t").number(entry.t).key("utc").text(entry.utc);
  }
  void operator()(const Ended& entry) {
    kind("ended");
    json_.key("completed").boolean(entry.completed);
    json_.key("interrupted").boolean(entry.interrupted);
    json_.key("seconds").number(entry.seconds).key("utc").text(entry.utc);
  }
  void operator()(const Begin& entry) {
    begin(entry.attempt, entry.t, entry.head ? to_json(*entry.head) : "{}", entry.deadline_s,
          entry.pid);
  }
  void operator()(const Out& entry) {
    kind("out");
    json_.key("attempt").text(entry.attempt).key("text").text(entry.text);
    if (!entry.whole) json_.key("partial").boolean(true);
    if (!entry.utf8 || !protocol::is_utf8(entry.text)) json_.key("invalid_utf8").boolean(true);
  }
  void operator()(const End& entry);
  void operator()(const Close& entry) {
    kind("close");
    json_.key("t").number(entry.t).key("utc").text(entry.utc);
    json_.key("reason").text(model::to_text(entry.reason));
  }
  void operator()(const Other& entry) {
    kind(entry.j.c_str());
    json_.key("t").number(entry.t);
  }

  void begin(const std::string& attempt, double t, std::string_view head, double deadline_s,
             std::int64_t pid) {
    kind("begin");
    json_.key("attempt").text(attempt).key("t").number(t).key("head").raw(head);
    json_.key("deadline_s").number(deadline_s).key("pid").integer(pid);
  }

 private:
  void kind(const char* j) { json_.key("j").text(j); }
  template <class T>
  void document(const char* name, const T& value) {
    json_.key(name).raw(model::to_json_line(value));
  }
  template <class T>
  void holding(const char* j, const char* name, const T& value) {
    kind(j);
    document(name, value);
  }

  JsonWriter& json_;
};

void Writer::operator()(const End& entry) {
  kind("end");
  json_.key("attempt").text(entry.attempt).key("t").number(entry.t);
  json_.key("seconds").number(entry.seconds);
  if (!entry.spawn_error.empty()) {
    json_.key("spawn_error").text(entry.spawn_error);
  } else if (!entry.wedged_state.empty()) {
    json_.key("wedged").text(model::to_text(entry.wedged_state));
  } else if (entry.signal != 0) {
    json_.key("signal").integer(entry.signal);
  } else {
    json_.key("code").integer(entry.exit_code);
  }
  if (!entry.cancelled_by.empty()) {
    json_.key("cancelled_by").text(model::to_text(entry.cancelled_by));
  }
  if (entry.timed_out) {
    json_.key("timed_out").boolean(true).key("state").text(model::to_text(entry.state));
  }
  if (entry.killed) json_.key("killed").boolean(true);
  if (entry.leaked) json_.key("leaked").boolean(true);
  if (entry.leftovers > 0) json_.key("stragglers").integer(entry.leftovers);
  if (entry.oom_kills > 0) json_.key("oom_kills").integer(entry.oom_kills);
  if (entry.dropped_lines > 0) json_.key("dropped_lines").integer(entry.dropped_lines);
  json_.key("out_bytes").integer(entry.out_bytes).key("err_bytes").integer(entry.err_bytes);
  put_load(entry.load, json_);
  if (entry.progress) put_progress(*entry.progress, json_);
  json_.key("stderr").text(entry.err);
}

}  // namespace

std::string to_json(const Entry& entry) {
  JsonWriter json;
  json.begin_object();
  std::visit(Writer(json), entry);
  json.end_object();
  return json.take();
}

std::string begin_line(const std::string& attempt, double t, std::string_view head,
                       double deadline_s, std::int64_t pid) {
  JsonWriter json;
  json.begin_object();
  Writer(json).begin(attempt, t, head.empty() ? "{}" : head, deadline_s, pid);
  json.end_object();
  return json.take();
}

std::string to_json(const Head& head) {
  JsonWriter json;
  json.begin_object();
  json.key("step").text(head.step).key("number").integer(head.number);
  json.key("rank").integer(head.rank).key("host").text(head.host);
  json.key("bench").text(head.bench).key("backend").text(head.backend);
  json.key("arguments").begin_array();
  for (const std::string& argument : head.arguments) json.text(argument);
  json.end_array().key("subject").raw(model::to_json_line(head.subject));
  if (!head.device.empty()) json.key("device").text(head.device);
  if (head.members > 0) {
    json.key("member").integer(head.member).key("members").integer(head.members);
  }
  if (head.confirms) json.key("confirms").boolean(true);
  if (head.narrows) json.key("narrows").boolean(true);
  if (!head.ends.empty()) {
    json.key("ends").begin_array();
    for (const auto& [host, device] : head.ends) {
      json.begin_array().text(host).text(device).end_array();
    }
    json.end_array();
  }
  json.end_object();
  return json.take();
}

bool is_close_line(std::string_view line) { return line.starts_with("{\"j\":\"close\""); }

bool ends_closed(std::string_view journal) {
  if (!journal.ends_with('\n')) return false;
  journal.remove_suffix(1);
  return is_close_line(journal.substr(journal.rfind('\n') + 1));
}

}  // namespace rackproof::journal
