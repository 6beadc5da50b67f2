#include "harness/warden/journal_lines.hpp"

#include "benches/protocol/json_writer.hpp"
#include "reports/model/words.hpp"

namespace rackproof::warden {

using protocol::JsonWriter;

namespace {

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

void put_place(const char* name, const model::Place& place, JsonWriter& json) {
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

}  // namespace

std::string begin_line(const std::string& attempt, double t, const std::string& head,
                       double deadline_seconds, std::int64_t pid) {
  JsonWriter json;
  json.begin_object().key("j").text("begin").key("attempt").text(attempt).key("t").number(t);
  json.key("head").raw(head.empty() ? "{}" : head);
  json.key("deadline_s").number(deadline_seconds).key("pid").integer(pid);
  json.end_object();
  return json.take();
}

std::string out_line(const std::string& attempt, const std::string& text, bool whole) {
  JsonWriter json;
  json.begin_object().key("j").text("out").key("attempt").text(attempt).key("text").text(text);
  if (!whole) json.key("partial").boolean(true);
  if (!protocol::is_utf8(text)) json.key("invalid_utf8").boolean(true);
  json.end_object();
  return json.take();
}

std::string end_line(const std::string& attempt, double t, const EndFacts& facts) {
  JsonWriter json;
  json.begin_object().key("j").text("end").key("attempt").text(attempt).key("t").number(t);
  json.key("seconds").number(facts.seconds);
  if (!facts.spawn_error.empty()) {
    json.key("spawn_error").text(facts.spawn_error);
  } else if (!facts.wedged_state.empty()) {
    json.key("wedged").text(model::to_text(facts.wedged_state));
  } else if (facts.signal != 0) {
    json.key("signal").integer(facts.signal);
  } else {
    json.key("code").integer(facts.exit_code);
  }
  if (!facts.cancelled_by.empty())
    json.key("cancelled_by").text(model::to_text(facts.cancelled_by));
  if (facts.timed_out)
    json.key("timed_out").boolean(true).key("state").text(model::to_text(facts.state));
  if (facts.killed) json.key("killed").boolean(true);
  if (facts.leaked) json.key("leaked").boolean(true);
  if (facts.stragglers > 0) json.key("stragglers").integer(facts.stragglers);
  if (facts.oom_kills > 0) json.key("oom_kills").integer(facts.oom_kills);
  if (facts.dropped_lines > 0) json.key("dropped_lines").integer(facts.dropped_lines);
  json.key("out_bytes").integer(facts.out_bytes).key("err_bytes").integer(facts.err_bytes);
  put_load(facts.load, json);
  if (facts.progress) put_progress(*facts.progress, json);
  json.key("stderr").text(facts.err);
  json.end_object();
  return json.take();
}

std::string close_line(double t, const std::string& utc,
                       const model::Reason<model::CloseReason>& reason) {
  JsonWriter json;
  json.begin_object().key("j").text("close").key("t").number(t).key("utc").text(utc);
  json.key("reason").text(model::to_text(reason)).end_object();
  return json.take();
}

bool is_close_line(std::string_view line) { return line.starts_with("{\"j\":\"close\""); }

bool ends_closed(std::string_view journal) {
  if (!journal.ends_with('\n')) return false;
  journal.remove_suffix(1);
  return is_close_line(journal.substr(journal.rfind('\n') + 1));
}

}  // namespace rackproof::warden
