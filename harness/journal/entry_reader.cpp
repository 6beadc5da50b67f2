#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/journal/entry_json.hpp"
#include "harness/journal/progress.hpp"
#include "reports/json/report_json.hpp"
#include "reports/json/strict_json.hpp"
#include "reports/model/words.hpp"

// Lines of every version, and of whoever wrote into a journal by hand.
namespace rackproof::journal {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxProcessors = 1'000'000;

std::string text_at(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

// Where the absence of a text says something else than one that is none.
std::string needed_text(const json& body, const char* name) {
  if (!body.contains(name)) return "";
  std::string text = text_at(body, name);
  if (text.empty()) throw model::BadReport(std::string(name) + ": expected a text");
  return text;
}

std::int64_t whole_at(const json& body, const char* name, std::int64_t otherwise = 0) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

int integer_at(const json& body, const char* name) {
  return static_cast<int>(whole_at(body, name));
}

double number_at(const json& body, const char* name, double otherwise = 0) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number() ? found->get<double>() : otherwise;
}

bool flag_at(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_boolean() && found->get<bool>();
}

template <class E>
model::Reason<E> reason_at(const json& body, const char* name) {
  return model::reason_of<E>(text_at(body, name));
}

std::string document(const json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end()) throw model::BadReport(std::string("no field ") + name);
  return found->dump();
}

// Amounts that cannot be are not left out, or nobody would have disturbed the attempt.
model::HostLoad load_in(const json& body) {
  const auto found = body.find("load");
  if (found == body.end()) return {};
  // Some program waited longer than anybody looked: what is told makes no sense.
  model::HostLoad load{1, 1, 0, 0, 0, 1e6, ""};
  if (!found->is_object()) return load;
  if (found->contains("unknown")) {
    const std::string why = text_at(*found, "unknown");
    return why.empty() ? load : model::HostLoad{0, 0, 0, 0, 0, std::nullopt, why};
  }
  const std::int64_t processors = whole_at(*found, "processors");
  const std::array amounts = {number_at(*found, "seconds", -1), number_at(*found, "busy", -1),
                              number_at(*found, "own", -1), number_at(*found, "stolen", -1),
                              found->contains("waited") ? number_at(*found, "waited", -1) : 0};
  if (processors < 1 || processors > kMaxProcessors ||
      std::any_of(amounts.begin(), amounts.end(), [](double amount) { return amount < 0; })) {
    return load;
  }
  load = {static_cast<int>(processors), amounts[0], amounts[1], amounts[2], amounts[3], {}, ""};
  if (found->contains("waited")) load.waited = amounts[4];
  return load;
}

Entry open_from(const json& body) {
  return Open{text_at(body, "run"),     integer_at(body, "segment"),    integer_at(body, "rank"),
              integer_at(body, "size"), integer_at(body, "local_rank"), text_at(body, "host"),
              whole_at(body, "pid"),    text_at(body, "version"),       text_at(body, "commit"),
              text_at(body, "boot"),    number_at(body, "monotonic_s"), text_at(body, "utc")};
}

Entry run_from(const json& body) {
  return Run{model::tool_from_json(document(body, "tool")),
             model::run_from_json(document(body, "run")),
             model::suite_from_json(document(body, "suite"))};
}

Entry rank_from(const json& body) {
  return Rank{integer_at(body, "rank"), flag_at(body, "arrived"),       text_at(body, "host"),
              whole_at(body, "pid"),    integer_at(body, "local_rank"), text_at(body, "journal")};
}

Entry step_from(const json& body) {
  const std::string word = text_at(body, "state");
  const auto state = contract::enumerator_of<model::StepState>(word);
  if (!state) throw model::BadReport("a step has no state '" + word + "'");
  return Step{text_at(body, "id"), *state, reason_at<model::StepReason>(body, "reason"),
              number_at(body, "t")};
}

Entry roll_call_from(const json& body) {
  RollCall roll{text_at(body, "step"), {}, number_at(body, "t")};
  const auto missing = body.find("missing");
  if (missing == body.end()) return roll;
  const bool numbers =
      missing->is_array() && std::all_of(missing->begin(), missing->end(),
                                         [](const json& rank) { return rank.is_number_integer(); });
  if (!numbers) throw model::BadReport("missing: expected numbers of ranks");
  roll.missing = missing->get<std::vector<int>>();
  return roll;
}

Entry repair_from(const json& body) {
  return Repair{model::amends_from_json(document(body, "amends"))};
}

Entry kept_from(const json& body) {
  Kept kept{text_at(body, "step"), flag_at(body, "done"), {}};
  const auto subjects = body.find("subjects");
  if (subjects == body.end()) return kept;
  const bool texts =
      subjects->is_array() && std::all_of(subjects->begin(), subjects->end(),
                                          [](const json& subject) { return subject.is_string(); });
  if (!texts) throw model::BadReport("subjects: expected texts");
  kept.subjects = subjects->get<std::vector<std::string>>();
  return kept;
}

Entry begin_from(const json& body) {
  Begin begin{text_at(body, "attempt"),
              number_at(body, "t"),
              {},
              number_at(body, "deadline_s"),
              whole_at(body, "pid")};
  const auto head = body.find("head");
  if (head != body.end() && head->is_object()) begin.head = head_from_json(*head);
  return begin;
}

Entry end_from(const json& body) {
  End end;
  end.attempt = text_at(body, "attempt");
  end.t = number_at(body, "t");
  end.seconds = number_at(body, "seconds");
  end.spawn_error = needed_text(body, "spawn_error");
  end.wedged_state = model::reason_of<model::ProcessState>(needed_text(body, "wedged"));
  end.cancelled_by = model::reason_of<model::CancelReason>(needed_text(body, "cancelled_by"));
  end.signal = integer_at(body, "signal");
  if (body.contains("signal") && end.signal == 0) throw model::BadReport("signal: expected one");
  end.exit_code = whole_at(body, "code");
  end.timed_out = flag_at(body, "timed_out");
  end.killed = flag_at(body, "killed");
  end.state = reason_at<model::ProcessState>(body, "state");
  end.leaked = flag_at(body, "leaked");
  end.leftovers = integer_at(body, "stragglers");
  end.oom_kills = whole_at(body, "oom_kills");
  end.dropped_lines = whole_at(body, "dropped_lines");
  end.out_bytes = whole_at(body, "out_bytes");
  end.err_bytes = whole_at(body, "err_bytes");
  end.err = text_at(body, "stderr");
  end.load = load_in(body);
  end.progress = progress_in(body);
  return end;
}

using Reader = Entry (*)(const json& body);

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"open", open_from},
      {"run", run_from},
      {"repair", repair_from},
      {"kept", kept_from},
      {"causes",
       [](const json& b) -> Entry {
         return Causes{model::cause_table_from_json(document(b, "table"))};
       }},
      {"rank", rank_from},
      {"node",
       [](const json& b) -> Entry { return Node{model::node_from_json(document(b, "node"))}; }},
      {"platform",
       [](const json& b) -> Entry {
         return Platform{model::platform_from_json(document(b, "table"))};
       }},
      {"host_platform",
       [](const json& b) -> Entry {
         return HostPlatform{text_at(b, "host"), text_at(b, "platform")};
       }},
      {"bound",
       [](const json& b) -> Entry { return Bound{model::bound_from_json(document(b, "bound"))}; }},
      {"plan_step",
       [](const json& b) -> Entry { return PlanStep{model::step_from_json(document(b, "step"))}; }},
      {"cell",
       [](const json& b) -> Entry { return Cell{model::cell_from_json(document(b, "cell"))}; }},
      {"planned",
       [](const json& b) -> Entry {
         return Planned{whole_at(b, "steps", -1), whole_at(b, "cells", -1)};
       }},
      {"history",
       [](const json& b) -> Entry {
         return History{model::history_from_json(document(b, "history"))};
       }},
      {"finding",
       [](const json& b) -> Entry {
         return Finding{model::finding_from_json(document(b, "finding"))};
       }},
      {"step", step_from},
      {"roll_call", roll_call_from},
      {"rank_lost",
       [](const json& b) -> Entry {
         return RankLost{integer_at(b, "rank"), text_at(b, "host"), text_at(b, "why"),
                         text_at(b, "reached"), number_at(b, "t")};
       }},
      {"stopping",
       [](const json& b) -> Entry {
         return Stopping{text_at(b, "reason"), number_at(b, "t"), text_at(b, "utc")};
       }},
      {"ended",
       [](const json& b) -> Entry {
         return Ended{flag_at(b, "completed"), flag_at(b, "interrupted"), number_at(b, "seconds"),
                      text_at(b, "utc")};
       }},
      {"begin", begin_from},
      {"out",
       [](const json& b) -> Entry {
         return Out{text_at(b, "attempt"), text_at(b, "text"), !flag_at(b, "partial"),
                    !flag_at(b, "invalid_utf8")};
       }},
      {"end", end_from},
      {"close",
       [](const json& b) -> Entry {
         return Close{number_at(b, "t"), text_at(b, "utc"),
                      reason_at<model::CloseReason>(b, "reason")};
       }},
  };
  return all;
}

}  // namespace

Head head_from_json(const json& body) {
  Head head;
  head.step = text_at(body, "step");
  head.number = integer_at(body, "number");
  head.rank = integer_at(body, "rank");
  head.member = integer_at(body, "member");
  head.members = integer_at(body, "members");
  head.confirms = flag_at(body, "confirms");
  head.narrows = flag_at(body, "narrows");
  head.host = text_at(body, "host");
  head.bench = text_at(body, "bench");
  head.backend = text_at(body, "backend");
  if (const auto list = body.find("arguments"); list != body.end() && list->is_array()) {
    for (const json& argument : *list) {
      if (argument.is_string()) head.arguments.push_back(argument.get<std::string>());
    }
  }
  // Older heads say it in their arguments alone.
  head.device =
      body.contains("device") ? text_at(body, "device") : model::device_among(head.arguments);
  if (const auto subject = body.find("subject"); subject != body.end()) {
    head.subject = model::subject_from_json(subject->dump());
  }
  if (const auto ends = body.find("ends"); ends != body.end() && ends->is_array()) {
    for (const json& end : *ends) {
      const bool two =
          end.is_array() && end.size() == 2 && end[0].is_string() && end[1].is_string();
      head.ends.emplace_back(two ? end[0].get<std::string>() : "",
                             two ? end[1].get<std::string>() : "");
    }
  }
  return head;
}

std::optional<json> parse_line(std::string_view line) {
  try {
    json body = model::parse_strict(line);
    if (!body.is_object()) return std::nullopt;
    const auto kind = body.find("j");
    if (kind == body.end() || !kind->is_string()) return std::nullopt;
    return body;
  } catch (const model::BadJson&) {
    return std::nullopt;
  }
}

Entry entry_from_json(const json& line) {
  const std::string kind = text_at(line, "j");
  const auto reader = readers().find(kind);
  if (reader == readers().end()) return Other{kind, number_at(line, "t")};
  return reader->second(line);
}

std::optional<Entry> read_entry(std::string_view line) {
  const auto body = parse_line(line);
  if (!body) return std::nullopt;
  return entry_from_json(*body);
}

}  // namespace rackproof::journal
