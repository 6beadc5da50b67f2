#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "harness/fleet/launch_command.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

// A launcher's command in the first line, a hostfile in the others. The file is read whatever it
// is; the command is refused in words, or it is a command that goes on without one of the hosts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const std::size_t end = std::min(text.find('\n'), text.size());
  const auto listed = fleet::parse_hostfile(text.substr(end));
  for (const fleet::HostRanks& host : listed) {
    fuzz::expect(!host.host.empty() && host.ranks >= 0, "a name and no negative number of slots");
  }
  try {
    const auto command = fleet::parse_launch(words_of(text.substr(0, end)));
    fuzz::expect(!command.directory.empty(), "a directory");
    const fleet::HostRanks gone{"node1", 2};
    const auto words =
        fleet::continue_without(command, {{"node2", 2}}, {gone}, {gone.host}, listed);
    const auto resume = std::find(words.begin(), words.end(), "--resume");
    fuzz::expect(resume != words.end() && words.end() - resume > 1, "it resumes the run");
    fuzz::expect(std::find(words.begin(), words.end(), "--without") != words.end(),
                 "the lost host is named");
  } catch (const fleet::BadLaunch& refused) {
    fuzz::expect(!std::string(refused.what()).empty(), "a reason");
  }
  return 0;
}
