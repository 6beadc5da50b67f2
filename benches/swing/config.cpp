#include "benches/swing/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "benches/kit/errors.hpp"
#include "benches/swing/beats.hpp"

namespace rackproof::swing {
namespace {

constexpr double kLowest = 0.01;
constexpr double kHighest = 50;

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> parts_of(std::string_view word) {
  std::vector<std::string_view> parts;
  for (std::size_t colon = word.find(':'); colon != std::string_view::npos;
       colon = word.find(':')) {
    parts.push_back(word.substr(0, colon));
    word.remove_prefix(colon + 1);
  }
  parts.push_back(word);
  return parts;
}

[[noreturn]] void refuse_plant(const std::string& word) {
  throw kit::UsageError(
      fmt::format("--plant {}: expected clock:RANK:MILLISECONDS, late:RANK:MILLISECONDS, "
                  "throttle:RANK or power-limit:RANK",
                  word));
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void add_pair(std::vector<Run>& runs, const Config& config, const Run& run, bool spread_first) {
  for (const bool second : {false, true}) {
    Run one = run;
    one.in_phase = second == spread_first;
    if (has(config.phases, one.in_phase ? "in-phase" : "spread")) runs.push_back(one);
  }
}

void declare(kit::Options& options, Config& config) {
  options.list("frequencies", config.frequencies, "beats a second of the square wave, in Hz");
  options.number("seconds", config.seconds, 0.01, 86400, "how long each frequency is run");
  options.number("duty", config.duty, 0.1, 0.9, "share of a beat for which the load is on");
  options.integer("rounds", config.rounds, 1, 1000, "how often all is run");
  options.choices("phases", config.phases, {"in-phase", "spread"},
                  "all ranks at once, or one after the other over a beat");
  options.choice("clocks", config.clocks, {"aligned", "own"},
                 "edges at agreed instants, or at those that the clock of each rank shows");
  options.integer("exchanges", config.exchanges, 1, 100'000,
                  "questions for the time of each rank, of which the shortest counts");
  options.number("start-fraction", config.start_fraction, 1e-6, 1,
                 "share of the ranks that swings first; twice as many each time until all do");
  options.number("stage-seconds", config.stage_seconds, 0.01, 86400,
                 "how long each of these takes");
  options.number("ramp", config.ramp, 0, 86400,
                 "seconds of a single ramp up, as long at the top, and down again; 0: none");
  options.choice("on-limit", config.on_limit, {"stop", "go-on"},
                 "where power is limited or braked while all swing in phase");
  options.integer("seed", config.seed, 0, std::int64_t{1} << 52, "of operands and phases");
  options.text("page", config.page,
               "file for a page that draws the power of each run over its schedule");
  options.list("plant", config.plant,
               "test only: clock:RANK:MS, late:RANK:MS, throttle:RANK, power-limit:RANK");
  options.text("kernel-files", config.kernel_files,
               "test only: a folder with a sys of its own, to read sensors and counters from");
}

}  // namespace

Plants plants_of(const std::vector<std::string>& words, std::int64_t ranks) {
  Plants plants;
  for (const std::string& word : words) {
    const auto parts = parts_of(word);
    if (parts.size() < 2) refuse_plant(word);
    const auto rank = number<std::int64_t>(parts[1]);
    if (!rank || *rank < 0) refuse_plant(word);
    if (*rank >= ranks) {
      throw kit::UsageError(fmt::format("--plant {}: expected a rank below {}", word, ranks));
    }
    const auto milliseconds =
        parts.size() == 3 ? number<double>(parts[2]) : std::optional<double>();
    if (parts[0] == "clock" && milliseconds) {
      plants.clock[*rank] = *milliseconds / 1000;
    } else if (parts[0] == "late" && milliseconds && *milliseconds > 0) {
      plants.late[*rank] = *milliseconds / 1000;
    } else if (parts[0] == "throttle" && parts.size() == 2) {
      plants.throttle.insert(*rank);
    } else if (parts[0] == "power-limit" && parts.size() == 2) {
      plants.power_limit.insert(*rank);
    } else {
      refuse_plant(word);
    }
  }
  return plants;
}

std::vector<double> frequencies_of(const std::vector<std::string>& words) {
  std::vector<double> frequencies;
  for (const std::string& word : words) {
    const auto frequency = number<double>(word);
    if (!frequency || !(*frequency >= kLowest && *frequency <= kHighest)) {
      throw kit::UsageError(fmt::format("--frequencies {}: expected numbers of hertz from {} to {}",
                                        word, kLowest, kHighest));
    }
    if (std::find(frequencies.begin(), frequencies.end(), *frequency) != frequencies.end()) {
      throw kit::UsageError(fmt::format("--frequencies {}: expected each one once", word));
    }
    frequencies.push_back(*frequency);
  }
  if (frequencies.empty()) throw kit::UsageError("--frequencies: expected at least one");
  return frequencies;
}

std::string title_of(const Run& run, std::int64_t ranks) {
  switch (run.kind) {
    case Run::Kind::kStage:
      return fmt::format("{} of {} ranks in phase at {} Hz", run.swinging, ranks, run.frequency);
    case Run::Kind::kSquare:
      return fmt::format("{} Hz {}, round {}", run.frequency,
                         run.in_phase ? "in phase" : "with phases spread", run.round);
    case Run::Kind::kRamp:
      return fmt::format("ramp of {} s, round {}", run.seconds, run.round);
  }
  return "";
}

std::vector<Run> runs_of(const Config& config, std::int64_t ranks) {
  const std::vector<double> frequencies = frequencies_of(config.frequencies);
  const double slowest = *std::min_element(frequencies.begin(), frequencies.end());
  std::vector<Run> runs;
  for (const std::int64_t swinging : stages(config.start_fraction, ranks)) {
    if (swinging == ranks || !has(config.phases, "in-phase")) continue;
    runs.push_back({Run::Kind::kStage, slowest, true, 1, swinging, config.stage_seconds});
  }
  for (std::int64_t round = 1; round <= config.rounds; ++round) {
    bool spread_first = round % 2 == 0;
    for (const double frequency : frequencies) {
      add_pair(runs, config, {Run::Kind::kSquare, frequency, true, round, ranks, config.seconds},
               spread_first);
      spread_first = !spread_first;
    }
    if (config.ramp == 0) continue;
    runs.push_back({Run::Kind::kRamp, kRampSlots, true, round, ranks, config.ramp});
  }
  return runs;
}

std::string fault_of(const Config& config) {
  std::vector<std::string> faults = config.plant;
  if (config.kernel_files != Config().kernel_files) {
    faults.push_back("kernel-files:" + config.kernel_files);
  }
  return fmt::format("{}", fmt::join(faults, ","));
}

void declare_host(kit::Options& options, Config& config) {
  declare(options, config);
  options.integer("threads", config.threads, 0, 65536,
                  "threads of each rank; 0: one for each physical core that is its own");
}

void declare_cuda(kit::Options& options, Config& config) {
  declare(options, config);
  options.text(
      "device", config.device,
      "GPU of each rank; without it the first rank of a host has the first one, and so on");
  options.integer("size", config.size, 64, 65536,
                  "rows and columns of the products that are the load");
}

}  // namespace rackproof::swing
