#include "harness/job/probe.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "harness/job/installation.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/warden/process_warden.hpp"
#include "reports/json/strict_json.hpp"

namespace rackproof::job {
namespace {

constexpr double kDescribeSeconds = 10;

void take_description(BenchDescription& description, const std::string& text) {
  try {
    const nlohmann::json said = model::parse_strict(text);
    description.summary = said.value("summary", std::string());
    description.libraries = said.value("libraries", std::map<std::string, std::string>());
    description.unavailable = said.value("unavailable", std::string());
    description.problem.clear();
  } catch (const std::exception&) {
    description.problem = "its description is not JSON";
  }
}

void take_end(BenchDescription& description, const journal::End& end) {
  if (description.problem.empty()) return;
  if (!end.spawn_error.empty()) {
    description.problem = end.spawn_error;
  } else if (!end.err.empty()) {
    description.problem = end.err.substr(0, end.err.find('\n'));
  }
}

}  // namespace

std::vector<BenchDescription> describe_benches(const std::string& folder,
                                               const std::map<std::string, std::string>& set) {
  std::map<std::string, BenchDescription> found;
  const auto warden = warden::fork_warden();
  for (const std::string& name : job::programs_in(folder)) {
    found[name] = {name, "", {}, "it said nothing", ""};
    warden::Launch launch;
    launch.attempt = name;
    launch.arguments = {folder + "/" + name, "--describe"};
    launch.environment = set;
    launch.deadline_seconds = kDescribeSeconds;
    warden->start(launch);
  }
  std::size_t left = found.size();
  while (left > 0) {
    for (const warden::Event& event : warden->wait(1)) {
      const journal::Entry entry = journal::read_entry(event.line).value_or(journal::Other{});
      if (const auto* out = std::get_if<journal::Out>(&entry)) {
        take_description(found[event.attempt], out->text);
      }
      if (!event.last) continue;
      if (const auto* end = std::get_if<journal::End>(&entry)) take_end(found[event.attempt], *end);
      --left;
    }
  }
  warden->close(model::CloseReason::kDescribed);
  std::vector<BenchDescription> out;
  for (auto& [name, description] : found) out.push_back(std::move(description));
  return out;
}

std::string output_of(const std::vector<std::string>& command) {
  const auto warden = warden::fork_warden();
  warden::Launch launch;
  launch.attempt = command.front();
  launch.arguments = command;
  launch.deadline_seconds = kDescribeSeconds;
  warden->start(launch);
  std::string text;
  for (bool over = false; !over;) {
    for (const warden::Event& event : warden->wait(1)) {
      const journal::Entry entry = journal::read_entry(event.line).value_or(journal::Other{});
      if (const auto* out = std::get_if<journal::Out>(&entry)) text += out->text + "\n";
      over = over || event.last;
    }
  }
  warden->close(model::CloseReason::kAsked);
  return text;
}

}  // namespace rackproof::job
