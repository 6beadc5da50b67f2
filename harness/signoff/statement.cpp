#include "harness/signoff/statement.hpp"

#include <algorithm>

#include "benches/protocol/json_writer.hpp"
#include "harness/document/located_json.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::signoff {
namespace {

constexpr const char* kStatementSchema = "rackproof/statement/1";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

bool is_role(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return !text.empty() && text.size() <= kLongest && is_lower(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

bool is_identity(std::string_view text) {
  constexpr std::size_t kLongest = 128;
  return !text.empty() && text.size() <= kLongest && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower(c) || is_upper(c) || is_digit(c) ||
                  std::string_view("@._+-").find(c) != std::string_view::npos;
         });
}

std::string to_text(const Statement& statement) {
  protocol::JsonWriter json;
  json.begin_object();
  json.key("acceptance").text(statement.acceptance);
  const auto add_names = [&json](const char* key, const std::vector<std::string>& names) {
    if (names.empty()) return;
    json.key(key).begin_array();
    for (const std::string& name : names) json.text(name);
    json.end_array();
  };
  add_names("left_out", statement.left_out);
  add_names("left_out_hosts", statement.left_out_hosts);
  json.key("report_sha256").text(statement.report_sha256);
  json.key("role").text(statement.role);
  json.key("run").text(statement.run);
  json.key("schema").text(kStatementSchema);
  json.key("signed_utc").text(statement.signed_utc);
  json.key("signer").text(statement.signer);
  if (!statement.statement.empty()) json.key("statement").text(statement.statement);
  json.key("version").text(statement.version);
  json.end_object();
  return json.take() + "\n";
}

Statement read_statement(const std::string& file, std::string_view text) {
  if (text.size() > kMaxStatementBytes) {
    throw document::ConfigError(file, 0, "", "is longer than any statement");
  }
  constexpr std::size_t kMostValues = 4096;
  const document::Node root = document::parse(file, text, kMostValues);
  const document::Object object(
      document::Field(file, root, ""),
      {"acceptance", "left_out", "left_out_hosts", "report_sha256", "role", "run", "schema",
       "signed_utc", "signer", "statement", "version"});
  if (const auto schema = object.require("schema"); schema.text() != kStatementSchema) {
    schema.fail(std::string("expected ") + kStatementSchema + ", got " + schema.text());
  }
  Statement statement;
  statement.acceptance = object.require("acceptance").text();
  if (const auto steps = object.find("left_out")) {
    for (const document::Field& step : steps->items()) statement.left_out.push_back(step.text());
  }
  if (const auto hosts = object.find("left_out_hosts")) {
    for (const document::Field& host : hosts->items()) {
      statement.left_out_hosts.push_back(host.text());
    }
  }
  statement.report_sha256 = object.require("report_sha256").text();
  statement.role = object.require("role").text();
  statement.run = object.require("run").text();
  statement.signed_utc = object.require("signed_utc").text();
  statement.signer = object.require("signer").text();
  if (const auto said = object.find("statement")) statement.statement = said->text(kMaxTextBytes);
  statement.version = object.require("version").text();
  if (!is_role(statement.role)) object.require("role").fail("is no role");
  if (!is_identity(statement.signer)) object.require("signer").fail("is no identity of a signer");
  if (to_text(statement) != text) {
    throw document::ConfigError(file, 0, "", "is not in canonical form");
  }
  return statement;
}

}  // namespace rackproof::signoff
