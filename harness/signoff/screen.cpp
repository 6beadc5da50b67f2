#include "harness/signoff/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/protocol/json_writer.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::signoff {
namespace {

constexpr const char* kScreenSchema = "rackproof/verification/1";

const char* word(State state) {
  switch (state) {
    case State::kHolds:
      return "holds";
    case State::kFails:
      return "FAILS";
    case State::kOpen:
      return "open";
  }
  return "";
}

std::ptrdiff_t count(const Screen& screen, State state) {
  return std::count_if(screen.checks.begin(), screen.checks.end(),
                       [state](const Check& check) { return check.state == state; });
}

}  // namespace

bool Screen::holds() const { return count(*this, State::kFails) == 0; }

std::string to_text(const Screen& screen) {
  std::string out = model::printable(screen.report) + "\n";
  if (!screen.what.empty()) out += model::printable(screen.what) + "\n";
  out += "sha256 " + screen.sha256 + "\n\n";
  for (const Check& check : screen.checks) {
    out += fmt::format("  {:<6} {:<11} {}\n", word(check.state), check.about,
                       model::printable(check.text));
  }
  out += "\n";
  if (!screen.holds()) {
    return out + fmt::format("NOT VERIFIED: {} of {} do not hold; its verdict counts for nothing\n",
                             count(screen, State::kFails), screen.checks.size());
  }
  const auto open = count(screen, State::kOpen);
  out += open == 0 ? std::string("verified\n")
                   : fmt::format("verified; {} could not be checked here\n",
                                 open == 1 ? "1 item" : std::to_string(open) + " items");
  // A report of a rejected rack is verified as well as one of an accepted one.
  return out + model::printable(screen.verdict) + (screen.verdict.empty() ? "" : "\n");
}

std::string to_json(const Screen& screen) {
  protocol::JsonWriter json;
  json.begin_object();
  if (!screen.acceptance.empty()) json.key("acceptance").text(screen.acceptance);
  json.key("proofs").begin_array();
  for (const Check& check : screen.checks) {
    json.begin_object().key("about").text(check.about);
    json.key("state").text(check.state == State::kFails ? "fails" : word(check.state));
    json.key("text").text(check.text).end_object();
  }
  json.end_array().key("report").text(screen.report).key("schema").text(kScreenSchema);
  json.key("sha256").text(screen.sha256).key("verified").boolean(screen.holds()).end_object();
  return json.take() + "\n";
}

}  // namespace rackproof::signoff
