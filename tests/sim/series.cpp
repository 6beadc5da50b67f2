#include "tests/sim/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <stdexcept>

namespace rackproof::sim {
namespace {

constexpr std::size_t kShown = 3;

template <class Number>
Number number_of(const std::string& option, const std::string& text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < 1) {
    throw std::invalid_argument(option + " " + text + ": expected a whole number from 1");
  }
  return number;
}

std::string table_of(const std::map<std::string, long>& counts) {
  std::string out;
  for (const auto& [name, count] : counts) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name);
  }
  return out;
}

std::string command_of(const Options& options, std::uint64_t seed) {
  return fmt::format("tests/sim/simulate --campaigns 1 --seed {} --ranks {}{} --trace", seed,
                     options.sizes.most_ranks, options.sizes.always ? " --always" : "");
}

void print_tally(const Tally& tally, double seconds) {
  fmt::print("campaigns   {}, with {} virtual ranks in sum and {} at most, in {:.1f} s\n",
             tally.campaigns, tally.ranks, tally.most_ranks, seconds);
  fmt::print("resumed     {} times, refused {} times; {} compared with the uninterrupted run\n",
             tally.resumed, tally.refused, tally.compared);
  fmt::print("live        {} reports are those of their lines or files, byte for byte\n",
             tally.live - tally.live_differ);
  fmt::print("reports     {}; none in {} campaigns\n", table_of(tally.acceptances),
             tally.without_report);
  fmt::print("cells       {}\n", table_of(tally.verdicts));
  fmt::print("with a pass {} campaigns\n", tally.with_pass);
  fmt::print("struck      {}\n", table_of(tally.struck));
  fmt::print("violated    {} campaigns\n", tally.violated);
}

void print_violation(const Options& options, std::uint64_t seed, const Result& result) {
  fmt::print("seed {}:\n", seed);
  const std::size_t shown = options.tracing ? result.violations.size() : kShown;
  for (std::size_t i = 0; i < std::min(shown, result.violations.size()); ++i) {
    fmt::print("  VIOLATED: {}\n", result.violations[i]);
  }
  if (result.violations.size() > shown) {
    fmt::print("  and {} more\n", result.violations.size() - shown);
  }
  fmt::print("  replay: {}\n", command_of(options, seed));
  std::fflush(stdout);
}

// A series that saw nothing proves nothing.
bool saw_enough(const Tally& tally) {
  return tally.campaigns < 1000 ||
         (tally.with_pass * 4 > tally.campaigns && tally.acceptances.contains("accepted") &&
          tally.acceptances.contains("rejected") && tally.acceptances.contains("incomplete") &&
          tally.struck.size() >= all_deeds().size() + kBlows && tally.compared > 0 &&
          tally.live * 2 > tally.campaigns);
}

}  // namespace

std::string usage() {
  std::string mutants;
  for (const std::string& name : mutant_names()) mutants += " " + name;
  return "usage: simulate [--campaigns N] [--seed S] [--ranks MAX] [--always] [--trace] [--mutant "
         "NAME]\n  --always: each campaign has MAX ranks, not one in a thousand\n  --mutant: one "
         "of" +
         mutants + "\n";
}

Options options_of(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--trace") {
      options.tracing = true;
    } else if (option == "--always") {
      options.sizes.always = true;
    } else if (i + 1 == arguments.size()) {
      throw std::invalid_argument(option + ": not known, or its value is missing");
    } else if (option == "--campaigns") {
      options.campaigns = number_of<long>(option, arguments[++i]);
    } else if (option == "--seed") {
      options.seed = number_of<std::uint64_t>(option, arguments[++i]);
    } else if (option == "--ranks") {
      options.sizes.most_ranks = number_of<int>(option, arguments[++i]);
    } else if (option == "--mutant") {
      options.mutant_name = arguments[++i];
      options.mutant = mutant_of(options.mutant_name);
    } else {
      throw std::invalid_argument(option + ": not known");
    }
  }
  return options;
}

int run_series(const Options& options) {
  const auto began = std::chrono::steady_clock::now();
  Tally tally;
  for (long i = 0; i < options.campaigns; ++i) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
    const Scenario scenario = draw_scenario(seed, options.sizes);
    const Result result = run_campaign(scenario, options.mutant, options.tracing);
    tally.add(result.tally);
    if (options.tracing) fmt::print("{}{}", to_text(scenario), result.trace);
    if (result.violations.empty()) continue;
    print_violation(options, seed, result);
    if (options.mutant == Mutant::kNone) continue;
    fmt::print("{} is seen in campaign {}\n", options.mutant_name, i + 1);
    return 0;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  print_tally(tally, took.count());
  if (options.mutant != Mutant::kNone) {
    fmt::print("{} is not seen\n", options.mutant_name);
    return 1;
  }
  if (!saw_enough(tally)) fmt::print("these campaigns saw too little to prove anything\n");
  return tally.violated == 0 && saw_enough(tally) ? 0 : 1;
}

}  // namespace rackproof::sim
