#include "tests/fakes/bench_script.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace rackproof::fakes {
namespace {

using contract::Scalar;
using nlohmann::json;
using protocol::Metric;

// Of its speed, while something else of the machine takes its turn.
constexpr double kPartInSpike = 0.75;

// What nobody expects a number of: one that a machine can have.
double plausible(const Metric& metric) {
  if (metric.name == "collectives.bringup") return 1;
  if (metric.unit == "W") return 100;
  return metric.better == contract::Better::kLess ? 1e-5 : 1e10;
}

std::string text_of(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return std::to_string(std::get<double>(value));
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

bool names(const json& entry, const char* field, const std::string& have) {
  return !entry.contains(field) || matches(entry.at(field).get<std::string>(), have);
}

// Links have no order.
bool names_both(const json& entry, const std::string& near, const std::string& far) {
  return (names(entry, "device", near) && names(entry, "peer", far)) ||
         (entry.contains("peer") && names(entry, "device", far) && names(entry, "peer", near));
}

bool names_members(const json& entry, int near, int far) {
  if (!entry.contains("members")) return true;
  const auto members = entry.at("members").get<std::array<int, 2>>();
  return members == std::array{near, far} || members == std::array{far, near};
}

/// Straight lines between the points, by the logarithm of the bytes.
double at_bytes(const json& points, double bytes) {
  const double x = std::log(bytes);
  double before = std::log(points.front().at(0).get<double>());
  double value = points.front().at(1).get<double>();
  for (const json& point : points) {
    const double here = std::log(point.at(0).get<double>());
    const double next = point.at(1).get<double>();
    if (x <= here) {
      return here > before ? value + (next - value) * std::max(0.0, (x - before) / (here - before))
                           : next;
    }
    before = here;
    value = next;
  }
  return value;
}

std::uint64_t hash_of(const std::string& text, std::uint64_t seed) {
  std::uint64_t hash = 14695981039346656037ULL ^ seed;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return hash;
}

/// How often this process's command was started on this host before. No two do so at once.
std::uint64_t earlier_starts(const std::string& script, const std::string& command) {
  const std::filesystem::path folder = script + ".starts";
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / std::to_string(hash_of(command, 0));
  std::ofstream(path, std::ios::app) << '.';
  return std::filesystem::file_size(path) - 1;
}

}  // namespace

std::int64_t bytes_of(const std::string& text) {
  const std::string units = "KMGT";
  const std::size_t unit = units.find(text.back());
  return std::stoll(text) << (unit == std::string::npos ? 0 : 10 * (unit + 1));
}

BenchLine::BenchLine(int argc, char** argv) {
  const std::string path = argv[0];
  program = path.substr(path.rfind('/') + 1);
  const std::size_t dash = program.rfind('-');
  bench = program.substr(0, dash);
  backend = dash == std::string::npos ? "" : program.substr(dash + 1);
  for (int i = 1; i < argc; ++i) arguments.emplace_back(argv[i]);
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i].starts_with("--")) values_[arguments[i].substr(2)] = arguments[i + 1];
  }
}

std::string BenchLine::text(const std::string& option, const std::string& otherwise) const {
  const auto found = values_.find(option);
  return found == values_.end() ? otherwise : found->second;
}

std::vector<std::string> BenchLine::words(const std::string& option,
                                          const std::string& otherwise) const {
  std::vector<std::string> out;
  std::istringstream list(text(option, otherwise));
  for (std::string word; std::getline(list, word, ',');) out.push_back(word);
  return out;
}

std::int64_t BenchLine::bytes(const std::string& option, std::int64_t otherwise) const {
  const std::string value = text(option);
  return value.empty() ? otherwise : bytes_of(value);
}

std::int64_t BenchLine::number(const std::string& option, std::int64_t otherwise) const {
  const std::string value = text(option);
  return value.empty() ? otherwise : std::stoll(value);
}

BenchScript::BenchScript(const BenchLine& line) : line_(line) {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  host_ = name;
  const char* const path = std::getenv("SCRIPTED_BENCH_FILE");
  if (path == nullptr) throw std::runtime_error("SCRIPTED_BENCH_FILE names no script");
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string(path) + ": cannot be read");
  script_ = json::parse(file).at("bench");
  std::string command = host_ + " " + line.program;
  for (const std::string& argument : line.arguments) command += " " + argument;
  earlier_ = earlier_starts(path, command);
}

bool BenchScript::applies(const Json& entry, const Metric& metric, const BenchPlace& place) const {
  if (!names(entry, "host", host_) || !names(entry, "program", line_.program) ||
      !names(entry, "metric", metric.name) || !names_both(entry, place.device, place.peer) ||
      !names_members(entry, place.member, place.peer_member)) {
    return false;
  }
  if (!entry.contains("parameters")) return true;
  for (const auto& [key, wanted] : entry.at("parameters").items()) {
    const auto have = metric.parameters.find(key);
    if (have == metric.parameters.end() || !matches(text_of(wanted), text_of(have->second))) {
      return false;
    }
  }
  return true;
}

const BenchScript::Json* BenchScript::first(const char* list, const Metric& metric,
                                            const BenchPlace& place) const {
  if (!script_.contains(list)) return nullptr;
  for (const json& entry : script_.at(list)) {
    if (applies(entry, metric, place)) return &entry;
  }
  return nullptr;
}

double BenchScript::centre(const Metric& metric, const BenchPlace& place) const {
  const json* const entry = first("centres", metric, place);
  const double any = plausible(metric);
  if (entry == nullptr) return any;
  if (entry->contains("value")) return entry->at("value").get<double>();
  if (!entry->contains("points")) return any;
  const auto bytes = metric.parameters.find("bytes");
  if (bytes == metric.parameters.end()) throw std::runtime_error("points need a metric with bytes");
  return at_bytes(entry->at("points"), static_cast<double>(std::get<std::int64_t>(bytes->second)));
}

double BenchScript::factor(const Metric& metric, const BenchPlace& place) const {
  double all = 1;
  for (const json& entry : script_.value("factors", json::array())) {
    if (applies(entry, metric, place)) all *= entry.at("factor").get<double>();
  }
  return metric.better == contract::Better::kLess ? 1 / all : all;
}

double BenchScript::stray(const std::string& shape, std::mt19937_64& random) {
  if (shape == "heavy-tails") {
    // Of variance one; what a machine does once in ten thousand samples, no fault.
    constexpr double kMost = 10;
    std::student_t_distribution<double> heavy(3);
    return std::clamp(heavy(random) / std::sqrt(3.0), -kMost, kMost);
  }
  // No measurement lies beyond three deviations: a script asks for noise, not for faults.
  std::normal_distribution<double> normal(0, 1);
  return std::clamp(normal(random), -3.0, 3.0);
}

std::vector<double> BenchScript::samples(const Metric& metric, const BenchPlace& place,
                                         std::size_t count) const {
  std::string name = host_ + "/" + line_.program + "/" + place.device + "/" + place.peer + "/" +
                     std::to_string(place.member) + "/" + std::to_string(place.peer_member) + "/" +
                     metric.name;
  for (const auto& [key, value] : metric.parameters) name += "/" + key + "=" + text_of(value);
  std::mt19937_64 random(hash_of(name, script_.value("seed", std::uint64_t{1})));
  const bool less = metric.better == contract::Better::kLess;
  const auto slowed = [less](double level, double part) {
    return less ? level / part : level * part;
  };
  double level = centre(metric, place) * factor(metric, place) *
                 (1 + script_.value("spread", 0.0) * stray("normal", random));
  // What one part has of its kind it has in all that it does.
  std::mt19937_64 of_part(
      hash_of(host_ + "/" + place.device, script_.value("seed", std::uint64_t{1})));
  level = slowed(level, 1 + script_.value("part_spread", 0.0) * stray("normal", of_part));
  // Noise is another one each time that it is measured.
  if (earlier_ > 0) {
    random.seed(
        hash_of(name + "#" + std::to_string(earlier_), script_.value("seed", std::uint64_t{1})));
  }
  const std::string shape = script_.value("shape", "normal");
  const json* const spiky = first("spikes", metric, place);
  std::bernoulli_distribution spike(spiky == nullptr ? 0 : spiky->at("share").get<double>());
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = level * (1 + script_.value("noise", 0.0) * stray(shape, random));
    values.push_back(spike(random) ? slowed(value, kPartInSpike) : value);
  }
  return values;
}

contract::Parameters BenchScript::conditions(const Metric& metric, const BenchPlace& place) const {
  contract::Parameters out;
  const json* const entry = first("conditions", metric, place);
  if (entry == nullptr) return out;
  for (const auto& [key, value] : entry->at("conditions").items()) {
    if (value.is_number_integer()) {
      out[key] = value.get<std::int64_t>();
    } else if (value.is_boolean()) {
      out[key] = value.get<bool>();
    } else {
      out[key] = text_of(value);
    }
  }
  return out;
}

bool BenchScript::is_wrong(const std::string& metric, const BenchPlace& place) const {
  Metric named;
  named.name = metric;
  return first("wrong", named, place) != nullptr;
}

std::optional<int> BenchScript::exit_code(const BenchPlace& place) const {
  const json* const entry = first("exits", {}, place);
  return entry == nullptr ? std::nullopt : std::optional(entry->at("code").get<int>());
}

double BenchScript::delay_seconds(const BenchPlace& place) const {
  const json* const entry = first("delays", {}, place);
  return entry == nullptr ? 0 : entry->at("seconds").get<double>();
}

void BenchScript::move_ports() const {
  namespace fs = std::filesystem;
  const json idle = script_.value("idle_adapters", json::array());
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  // One write of one length, since other members do the same and the recorder reads meanwhile.
  char text[32];
  const int length =
      std::snprintf(text, sizeof text, "%019lld\n", now.tv_sec * 1'000'000'000LL + now.tv_nsec);
  std::error_code none;
  for (const auto& adapter : fs::directory_iterator("/sys/class/infiniband", none)) {
    const std::string name = adapter.path().filename();
    if (std::find(idle.begin(), idle.end(), name) != idle.end()) continue;
    const fs::path counter = adapter.path() / "ports" / "1" / "counters" / "port_xmit_data";
    const int file = open(counter.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) continue;
    const bool written = pwrite(file, text, static_cast<std::size_t>(length), 0) == length;
    close(file);
    if (!written) throw std::runtime_error("cannot write " + counter.string());
  }
}

}  // namespace rackproof::fakes
