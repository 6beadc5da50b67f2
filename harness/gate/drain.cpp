#include "harness/gate/drain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/model/printable.hpp"

namespace rackproof::gate {
namespace {

// What no shell, no quoting and no list of nodes takes for something else.
bool is_harmless(char letter) {
  constexpr std::string_view kMarks = " .,:;_-+/()%=#@";
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || kMarks.find(letter) != std::string_view::npos;
}

std::string harmless(const std::string& text) {
  std::string out;
  for (const char letter : model::printable(text)) out += is_harmless(letter) ? letter : '_';
  return out;
}

bool is_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' || letter == '.';
}

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  text.resize(most - 3);
  return text + "...";
}

}  // namespace

std::string scheduler_reason(const std::vector<Finding>& findings) {
  const auto decides = [](const Finding& one) { return verdict_of(one.reason) != Verdict::kOk; };
  const auto count = std::count_if(findings.begin(), findings.end(), decides);
  if (count == 0) return "";
  const Finding& first = findings.front();
  const std::string tail = count > 1 ? fmt::format(", and {} more", count - 1) : "";
  std::string text = fmt::format("rackproof: {}: ", contract::word(first.reason));
  // Some sentences name the part themselves.
  if (!first.part.empty() && first.text.find(first.part) == std::string::npos) {
    text += first.part + ": ";
  }
  text += first.text;
  return cut(harmless(text), kLongestReason - tail.size()) + tail;
}

bool is_one_node(const std::string& name) {
  return !name.empty() && name.size() <= 255 && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), is_of_name) && name != "ALL" && name != "all";
}

std::optional<std::string> node_name(const std::map<std::string, std::string>& environment,
                                     const std::string& host) {
  const auto told = environment.find("SLURMD_NODENAME");
  const std::string name = told != environment.end() && !told->second.empty()
                               ? told->second
                               : host.substr(0, host.find('.'));
  if (!is_one_node(name)) return std::nullopt;
  return name;
}

std::vector<std::string> drain_command(const std::string& scontrol, const std::string& node,
                                       const std::string& reason) {
  return {scontrol, "update", "NodeName=" + node, "State=DRAIN", "Reason=" + reason};
}

std::string drain_line(const std::string& node, const std::string& reason) {
  return fmt::format("scontrol update NodeName={} State=DRAIN Reason='{}'", node, reason);
}

std::vector<std::string> state_command(const std::string& scontrol, const std::string& node) {
  return {scontrol, "show", "node", node, "--oneliner"};
}

bool is_drained(const std::string& answer) {
  std::string_view rest = answer;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string_view word = rest.substr(0, end);
    // "State=IDLE+DRAIN"; DRAINING and DRAINED are how other commands say it.
    if (word.starts_with("State=")) return word.find("DRAIN") != std::string_view::npos;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace rackproof::gate
