#include "harness/job/installation.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "benches/protocol/version.hpp"
#include "harness/config/installed.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/files.hpp"
#include "harness/support/parallel.hpp"

namespace rackproof::job {
namespace {

constexpr std::size_t kDigits = 16;

// The same for every process of this start of the kernel, whatever its container says otherwise.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::string process_space() {
  char name[64] = {};
  const ssize_t length = readlink("/proc/self/ns/pid", name, sizeof name - 1);
  return length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "";
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

std::map<std::string, std::string> hash_benches(const std::string& folder) {
  const std::vector<std::string> names = programs_in(folder);
  std::vector<std::string> digests(names.size());
  support::on_all_cores(names.size(), [&](std::size_t i) {
    digests[i] = support::digest_of_file(folder + "/" + names[i]);
  });
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = std::move(digests[i]);
  return out;
}

std::string own_host() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

std::map<std::string, std::string> installed_files(
    const config::Paths& paths, const std::map<std::string, std::string>& benches) {
  std::map<std::string, std::string> out;
  for (const auto& [kind, folder] :
       {std::pair("suites/", paths.suites), std::pair("platforms/", paths.platforms)}) {
    for (const std::string& name : support::names_in(folder, ".json")) {
      out[kind + name + ".json"] =
          support::digest_of_file(folder + "/" + name + ".json").substr(0, kDigits);
    }
  }
  for (const auto& [name, digest] : benches) {
    out["programs/" + name] = digest.substr(0, kDigits);
  }
  return out;
}

crew::Arrival arrival_of(int rank) {
  crew::Arrival arrival{rank, own_host(), getpid(), std::string(protocol::version()),
                        std::string(protocol::commit())};
  arrival.boot = boot_id();
  arrival.process_space = process_space();
  utsname system{};
  if (uname(&system) == 0) arrival.machine = system.machine;
  return arrival;
}

crew::Arrival arrival_of_first(int rank, const Program& program,
                               const std::map<std::string, std::string>& benches) {
  crew::Arrival arrival = arrival_of(rank);
  arrival.files = installed_files(program.paths, benches);
  return arrival;
}

}  // namespace rackproof::job
