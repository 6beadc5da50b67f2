#include "harness/fleet/launch_command.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace rackproof::fleet {
namespace {

using Texts = std::vector<std::string>;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::optional<LaunchCommand::Kind> kind_of(const std::string& argument) {
  const std::string name = base_name(argument);
  if (name == "srun") return LaunchCommand::Kind::kSrun;
  for (const char* known : {"mpirun", "mpiexec", "orterun"}) {
    if (name == known) return LaunchCommand::Kind::kMpirun;
  }
  return std::nullopt;
}

std::optional<int> whole_number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// An option where it stands: "--host a", "--host=a" or "-n4".
struct Found {
  std::size_t at = 0;
  std::size_t words = 1;
  std::string before;  ///< of the value, in the same word: "--host=", "-n"
  std::string value;
};

// The only short option with a text behind it that is looked for.
constexpr const char* kOut = "-o";

std::optional<Found> find_option(const Texts& words, const Texts& names) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string& name : names) {
      if (words[i] == name && i + 1 < words.size()) return Found{i, 2, "", words[i + 1]};
      const bool is_long = name.starts_with("--");
      const bool holds_text = is_long || name == kOut;
      const std::string before = is_long ? name + "=" : name;
      if (words[i].size() <= before.size() || !words[i].starts_with(before)) continue;
      const std::string value = words[i].substr(before.size());
      // "-np" is no "-n" with the value "p".
      if (holds_text || (name.size() == 2 && whole_number(value)))
        return Found{i, 1, before, value};
    }
  }
  return std::nullopt;
}

void set_value(Texts& words, const Found& found, const std::string& value) {
  words[found.at + found.words - 1] = found.before + value;
}

void remove(Texts& words, const Texts& names) {
  while (const auto found = find_option(words, names)) {
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(found->at);
    words.erase(at, at + static_cast<std::ptrdiff_t>(found->words));
  }
}

void lower_count(Texts& words, const Texts& names, int by) {
  const auto found = find_option(words, names);
  if (!found) return;
  if (const auto count = whole_number(found->value)) {
    set_value(words, *found, std::to_string(std::max(1, *count - by)));
  }
}

const Texts kHostOptions = {"--host", "-host", "-H"};
const Texts kHostfileOptions = {"--hostfile", "-hostfile", "--machinefile", "-machinefile"};
const Texts kRankOptions = {"-n", "-np", "--n", "--np"};

std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

bool is_same_host(const std::string& a, const std::string& b) {
  return a == b || short_name(a) == short_name(b);
}

bool contains(const std::vector<HostRanks>& hosts, const std::string& host) {
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](const HostRanks& one) { return is_same_host(one.host, host); });
}

Texts split(const std::string& text, char at) {
  Texts parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

std::string join(const Texts& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

std::string with_slots(const HostRanks& host) {
  return host.ranks > 0 ? host.host + ":" + std::to_string(host.ranks) : host.host;
}

Texts names_of(const std::vector<HostRanks>& hosts) {
  Texts names;
  for (const HostRanks& host : hosts) names.push_back(host.host);
  return names;
}

/// What is left of a list when every host that is gone is named in it; else the hosts that stay, by
/// the names that they call themselves.
Texts hosts_left(const std::vector<HostRanks>& listed, const std::vector<HostRanks>& staying,
                 const std::vector<HostRanks>& gone) {
  Texts left;
  for (const HostRanks& host : listed) {
    if (!contains(gone, host.host)) left.push_back(with_slots(host));
  }
  const bool all_named = std::all_of(
      gone.begin(), gone.end(), [&](const HostRanks& host) { return contains(listed, host.host); });
  if (all_named && !left.empty()) return left;
  left.clear();
  for (const HostRanks& host : staying) left.push_back(with_slots(host));
  return left;
}

std::vector<HostRanks> parse_hosts(const std::string& value) {
  std::vector<HostRanks> hosts;
  for (const std::string& entry : split(value, ',')) {
    const std::size_t colon = entry.rfind(':');
    const auto slots =
        colon == std::string::npos ? std::nullopt : whole_number(entry.substr(colon + 1));
    hosts.push_back(slots ? HostRanks{entry.substr(0, colon), *slots} : HostRanks{entry, 0});
  }
  return hosts;
}

void rewrite_mpirun(Texts& options, const std::vector<HostRanks>& staying,
                    const std::vector<HostRanks>& gone, std::vector<HostRanks> listed, int fewer) {
  if (const auto host = find_option(options, kHostOptions)) listed = parse_hosts(host->value);
  remove(options, kHostOptions);
  remove(options, kHostfileOptions);
  lower_count(options, kRankOptions, fewer);
  const Texts host = {"--host", join(hosts_left(listed, staying, gone))};
  options.insert(options.begin(), host.begin(), host.end());
}

void rewrite_srun(Texts& options, const std::vector<HostRanks>& staying,
                  const std::vector<HostRanks>& gone, int fewer) {
  lower_count(options, {"--ntasks", "-n"}, fewer);
  lower_count(options, {"--nodes", "-N"}, static_cast<int>(gone.size()));
  if (const auto list = find_option(options, {"--nodelist", "-w"})) {
    // It may say node[1-8]: what it stands for is known by name.
    set_value(options, *list, join(names_of(staying)));
  }
  if (const auto excluded = find_option(options, {"--exclude", "-x"})) {
    set_value(options, *excluded, excluded->value + "," + join(names_of(gone)));
  } else {
    options.insert(options.begin(), "--exclude=" + join(names_of(gone)));
  }
}

}  // namespace

LaunchCommand parse_launch(const Texts& arguments) {
  LaunchCommand command;
  const auto launcher = std::find_if(arguments.begin(), arguments.end(),
                                     [](const auto& word) { return kind_of(word).has_value(); });
  if (launcher == arguments.end()) {
    throw BadLaunch("expected mpirun, mpiexec or srun with its options, then rackproof run");
  }
  command.kind = *kind_of(*launcher);
  auto program = std::next(launcher);
  while (program != arguments.end() &&
         !(base_name(*program).starts_with("rackproof") && std::next(program) != arguments.end() &&
           *std::next(program) == "run")) {
    ++program;
  }
  if (program == arguments.end()) {
    throw BadLaunch("there is no 'rackproof run' behind " + *launcher);
  }
  command.prefix.assign(arguments.begin(), std::next(launcher));
  command.options.assign(std::next(launcher), program);
  command.program = *program;
  command.run.assign(program + 2, arguments.end());
  if (std::find(arguments.begin(), arguments.end(), ":") != arguments.end()) {
    throw BadLaunch("several programs in one job (':') cannot be continued: name one");
  }
  const auto directory = find_option(command.run, {"--out", kOut, "--resume"});
  if (!directory)
    throw BadLaunch(
        "name the run directory with --out DIR: its journals tell what became of the run");
  command.directory = directory->value;
  if (const auto compress = find_option(command.run, {"--compress"})) {
    command.compress = compress->value;
  }
  return command;
}

std::vector<HostRanks> parse_hostfile(const std::string& text) {
  std::vector<HostRanks> hosts;
  for (const std::string& line : split(text, '\n')) {
    std::istringstream words(line.substr(0, line.find('#')));
    HostRanks host;
    if (!(words >> host.host)) continue;
    for (std::string word; words >> word;) {
      if (word.starts_with("slots=")) host.ranks = whole_number(word.substr(6)).value_or(0);
    }
    hosts.push_back(host);
  }
  return hosts;
}

std::string hostfile_of(const LaunchCommand& command) {
  if (command.kind != LaunchCommand::Kind::kMpirun) return "";
  const auto found = find_option(command.options, kHostfileOptions);
  return found ? found->value : "";
}

Texts continue_without(const LaunchCommand& command, const std::vector<HostRanks>& staying,
                       const std::vector<HostRanks>& gone, const Texts& without,
                       const std::vector<HostRanks>& listed) {
  Texts options = command.options;
  int fewer = 0;
  for (const HostRanks& host : gone) fewer += host.ranks;
  if (!gone.empty()) {
    if (command.kind == LaunchCommand::Kind::kMpirun) {
      rewrite_mpirun(options, staying, gone, listed, fewer);
    } else {
      rewrite_srun(options, staying, gone, fewer);
    }
  }
  Texts words = command.prefix;
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {command.program, "run", "--resume", command.directory});
  for (const std::string& host : without) words.insert(words.end(), {"--without", host});
  for (const char* kept :
       {"--time-budget", "--allow-programs", "--compress", "--hook", "--hook-timeout", "--color"}) {
    if (const auto found = find_option(command.run, {kept})) {
      words.insert(words.end(), {kept, found->value});
    }
  }
  return words;
}

}  // namespace rackproof::fleet
