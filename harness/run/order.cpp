#include "harness/run/order.hpp"

#include <nlohmann/json.hpp>

#include "reports/model/report_json.hpp"

namespace rackproof::run {
namespace {

using nlohmann::json;

// These texts go from one rackproof to another of the same commit: no outsider writes them.
std::string message_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const Order& order) {
  return message_text({{"nonce", order.head.nonce},
                       {"head", wire::head_json(order.head, order.ends)},
                       {"group", order.group},
                       {"stdin", order.stdin_text},
                       {"environment", order.environment},
                       {"deadline", order.deadline_seconds},
                       {"grace", order.grace_seconds},
                       {"own_verb", order.own_verb}});
}

Order order_from_text(const std::string& text) {
  const json value = json::parse(text);
  const json head = json::parse(value.at("head").get<std::string>());
  Order order;
  order.head.nonce = value.at("nonce");
  order.head.step = head.at("step");
  order.head.number = head.at("number");
  order.head.confirms = head.value("confirms", false);
  order.head.rank = head.at("rank");
  order.head.member = head.value("member", 0);
  order.head.members = head.value("members", 0);
  order.head.host = head.at("host");
  order.head.bench = head.at("bench");
  order.head.backend = head.at("backend");
  order.head.arguments = head.at("arguments");
  order.head.subject = model::subject_from_json(head.at("subject").dump());
  order.ends = head.value("ends", wire::Ends());
  order.group = value.at("group");
  order.stdin_text = value.at("stdin");
  order.environment = value.at("environment");
  order.deadline_seconds = value.at("deadline");
  order.grace_seconds = value.at("grace");
  order.own_verb = value.at("own_verb");
  return order;
}

std::string to_text(const Arrival& arrival) {
  return message_text({{"rank", arrival.rank},
                       {"host", arrival.host},
                       {"pid", arrival.pid},
                       {"version", arrival.version},
                       {"commit", arrival.commit},
                       {"boot", arrival.boot},
                       {"machine", arrival.machine},
                       {"process_space", arrival.process_space},
                       {"files", arrival.files}});
}

Arrival arrival_from_text(const std::string& text) {
  const json value = json::parse(text);
  // The one text that may come from another version, which is then refused by name: what one of
  // them does not know yet may be missing.
  return {value.at("rank"),
          value.at("host"),
          value.at("pid"),
          value.at("version"),
          value.at("commit"),
          value.value("boot", std::string()),
          value.value("machine", std::string()),
          value.value("process_space", std::string()),
          value.value("files", std::map<std::string, std::string>())};
}

std::string to_text(const Roster& roster) {
  return message_text({{"run", roster.run},
                       {"segment", roster.segment},
                       {"rank", roster.rank},
                       {"size", roster.size},
                       {"local_rank", roster.local_rank},
                       {"directory", roster.directory},
                       {"journal", roster.journal},
                       {"neighbours", roster.share.ranks},
                       {"looks", roster.share.looks},
                       {"blind", roster.share.blind}});
}

Roster roster_from_text(const std::string& text) {
  const json value = json::parse(text);
  return {value.at("run"),        value.at("segment"),
          value.at("rank"),       value.at("size"),
          value.at("local_rank"), value.at("directory"),
          value.at("journal"),    {value.at("neighbours"), value.at("looks"), value.at("blind")}};
}

std::string to_text(const Told& told) {
  return message_text({{"rank", told.rank},
                       {"attempt", told.attempt},
                       {"name", told.token.name},
                       {"value", told.token.value}});
}

Told told_from_text(const std::string& text) {
  const json value = json::parse(text);
  return {value.at("rank"), value.at("attempt"), {value.at("name"), value.at("value")}};
}

std::string to_text(const Ended& ended) {
  return message_text({{"rank", ended.rank}, {"attempt", ended.attempt}, {"lines", ended.lines}});
}

Ended ended_from_text(const std::string& text) {
  const json value = json::parse(text);
  return {value.at("rank"), value.at("attempt"), value.at("lines")};
}

}  // namespace rackproof::run
