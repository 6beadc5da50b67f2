#include "harness/cli/probe.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "harness/journal/entry_json.hpp"
#include "harness/support/digest.hpp"
#include "harness/warden/process_warden.hpp"
#include "reports/model/strict_json.hpp"

namespace rackproof::cli {
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

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (access(entry.path().c_str(), X_OK) == 0 && entry.is_regular_file(error)) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<BenchDescription> describe_benches(const std::string& folder,
                                               const std::map<std::string, std::string>& set) {
  std::map<std::string, BenchDescription> found;
  const auto warden = warden::fork_warden();
  for (const std::string& name : programs_in(folder)) {
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

std::map<std::string, std::string> hash_benches(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& name : programs_in(folder)) {
    out[name] = support::digest_of_file(folder + "/" + name);
  }
  return out;
}

}  // namespace rackproof::cli
