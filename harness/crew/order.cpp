#include "harness/crew/order.hpp"

#include <nlohmann/json.hpp>

#include "benches/protocol/json_writer.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::crew {
namespace {

using nlohmann::json;

// These texts go from one rackproof to another of the same commit: no outsider writes them.
std::string message_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const Order& order) {
  protocol::JsonWriter message;
  message.begin_object().key("attempt").text(order.attempt);
  message.key("head").raw(journal::to_json(order.head)).key("group").text(order.group);
  message.key("stdin").text(order.stdin_text).key("environment").begin_object();
  for (const auto& [name, value] : order.environment) message.key(name).text(value);
  message.end_object().key("deadline").number(order.deadline_seconds);
  message.key("grace").number(order.grace_seconds).key("own_verb").text(order.own_verb);
  return message.end_object().take();
}

Order order_from_text(const std::string& text) {
  const json value = json::parse(text);
  Order order;
  order.attempt = value.at("attempt");
  order.head = journal::head_from_json(value.at("head"));
  order.group = value.at("group");
  order.stdin_text = value.at("stdin");
  order.environment = value.at("environment");
  order.deadline_seconds = value.at("deadline");
  order.grace_seconds = value.at("grace");
  order.own_verb = value.at("own_verb");
  return order;
}

std::string to_text(const Cancel& cancel) {
  return message_text({{"attempt", cancel.attempt}, {"by", model::to_text(cancel.by)}});
}

Cancel cancel_from_text(const std::string& text) {
  const json value = json::parse(text);
  const auto by = value.at("by").get<std::string>();
  return {value.at("attempt"), model::reason_of<model::CancelReason>(by)};
}

std::string to_text(const model::Reason<model::CloseReason>& reason) {
  return model::to_text(reason);
}

model::Reason<model::CloseReason> close_reason_from_text(const std::string& text) {
  return model::reason_of<model::CloseReason>(text);
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

std::string to_text(const GivenToken& told) {
  return message_text({{"rank", told.rank},
                       {"attempt", told.attempt},
                       {"name", told.token.name},
                       {"value", told.token.value}});
}

GivenToken given_token_from_text(const std::string& text) {
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

}  // namespace rackproof::crew
