#include "tests/support/cuda_host/machine.hpp"

#include "tests/support/cuda_host/play.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <variant>

namespace rackproof::cuda_host {
namespace {

constexpr const char* kVariable = "RACKPROOF_CUDA_HOST";
// A harness takes what begins with its own name from the environment of what it starts.
constexpr const char* kFile = "CUDA_HOST_PLAY";
constexpr int kMostHosts = 256;

using Place = std::variant<int*, std::size_t*, bool*, Fault*>;

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  fmt::print(stderr, "{}: '{}': {}\n", kVariable, word, why);
  std::_Exit(2);
}

std::int64_t number(std::string_view text, std::string_view word) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop == text.data()) refuse(word, "expected a number");
  int shift = 0;
  if (stop != end) {
    shift = *stop == 'K' ? 10 : *stop == 'M' ? 20 : *stop == 'G' ? 30 : 0;
    if (shift != 0) ++stop;
  }
  if (stop != end) refuse(word, "expected a number, with K, M or G behind it for sizes");
  return value << shift;
}

Fault fault(std::string_view text, std::string_view word) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) refuse(word, "expected WHO:WHEN");
  return {static_cast<int>(number(text.substr(0, colon), word)),
          number(text.substr(colon + 1), word)};
}

void put(const Place& place, std::string_view value, bool given, std::string_view word) {
  if (auto* const flag = std::get_if<bool*>(&place)) {
    **flag = !given || number(value, word) != 0;
    return;
  }
  if (!given) refuse(word, "expected a value");
  if (auto* const whole = std::get_if<int*>(&place)) {
    **whole = static_cast<int>(number(value, word));
  } else if (auto* const size = std::get_if<std::size_t*>(&place)) {
    **size = static_cast<std::size_t>(number(value, word));
  } else {
    *std::get<Fault*>(place) = fault(value, word);
  }
}

void take(std::string_view words, Machine& all) {
  const std::map<std::string_view, Place> places = {
      {"host", &all.host},
      {"devices", &all.devices},
      {"major", &all.major},
      {"minor", &all.minor},
      {"code", &all.code},
      {"multiprocessors", &all.multiprocessors},
      {"mig", &all.mig},
      {"memory", &all.memory},
      {"l2", &all.l2},
      {"seed", &all.seed},
      {"driver", &all.driver},
      {"algorithms", &all.algorithms},
      {"refusing", &all.refusing},
      {"chaos", &all.chaos},
      {"peers", &all.peers},
      {"blocking", &all.blocking},
      {"timer", &all.timer},
      {"ecc", &all.ecc},
      {"fault", &all.fault},
      {"alloc", &all.alloc},
      {"flip", &all.flip},
      {"slow", &all.slow},
      {"wrong", &all.wrong},
      {"hang", &all.hang},
      {"die", &all.die},
      {"lost", &all.lost},
      {"stop", &all.stop},
  };
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const auto equals = word.find('=');
    const auto found = places.find(word.substr(0, equals));
    if (found == places.end()) refuse(word, "no such word");
    const bool given = equals != std::string_view::npos;
    put(found->second, given ? word.substr(equals + 1) : "", given, word);
  }
}

// Lines of HOST PROGRAM WORDS, where the first two are globs: of those that fit, one after the
// other.
void take_file(const char* path, Machine& all) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").filename();
  std::ifstream file(path);
  if (!file) refuse(path, "cannot be read");
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string of_host;
    std::string of_program;
    std::string words;
    std::string more;
    if (!(parts >> of_host >> of_program >> words) || parts >> more) {
      refuse(line, "expected HOST PROGRAM WORDS");
    }
    if (fnmatch(of_host.c_str(), host, 0) != 0) continue;
    if (fnmatch(of_program.c_str(), program.c_str(), 0) == 0) take(words, all);
  }
}

Machine read() {
  Machine all;
  if (const char* const words = std::getenv(kVariable)) take(words, all);
  if (const char* const file = std::getenv(kFile)) take_file(file, all);
  if (all.devices < 0 || all.devices > 64) refuse("devices", "expected 0 to 64");
  if (all.host < 0 || all.host >= kMostHosts) refuse("host", "expected 0 to 255");
  return all;
}

}  // namespace

Machine& machine_to_change() {
  static Machine all = read();
  return all;
}

const Machine& machine() { return machine_to_change(); }

std::array<unsigned char, 16> uuid_of(bool instance, int index) {
  std::array<unsigned char, 16> bytes{};
  bytes.front() = instance ? 0x19 : 0xc9;
  bytes[9] = static_cast<unsigned char>(machine().host);
  bytes.back() = static_cast<unsigned char>(index);
  return bytes;
}

std::string uuid_text(bool instance, int index) {
  std::string text = instance ? "MIG" : "GPU";
  int place = 0;
  for (const unsigned char byte : uuid_of(instance, index)) {
    if (place == 0 || place == 4 || place == 6 || place == 8 || place == 10) text += '-';
    text += fmt::format("{:02x}", byte);
    ++place;
  }
  return text;
}

}  // namespace rackproof::cuda_host
