#include "harness/cli/probe.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "harness/cli/program.hpp"
#include "harness/journal/entry_json.hpp"
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

std::string digest_of_file(const std::string& path) {
  const auto require = [&path](bool done) {
    if (!done) throw std::runtime_error(path + ": no SHA-256 of it could be made");
  };
  std::ifstream file(path, std::ios::binary);
  // The digest of nothing would be the same for each program that may be started and not read.
  if (!file) throw UsageError(path + ": cannot be read: " + std::generic_category().message(errno));
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  require(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    require(EVP_DigestUpdate(context.get(), buffer.data(), count) == 1);
  }
  if (file.bad()) {
    throw UsageError(path + ": cannot be read: " + std::generic_category().message(errno));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1);
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::map<std::string, std::string> hash_benches(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& name : programs_in(folder)) {
    out[name] = digest_of_file(folder + "/" + name);
  }
  return out;
}

}  // namespace rackproof::cli
