#include <gnu/libc-version.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>
#include <vector>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/stream/arrays.hpp"
#include "benches/stream/race.hpp"
#include "benches/stream/stream.hpp"

namespace rackproof::stream {
namespace {

using contract::Parameters;

template <class Value>
using PerKernel = std::array<Value, kKernelCount>;

std::size_t place(Kernel kernel) { return static_cast<std::size_t>(kernel); }

// The kernels to run on one set of arrays, and the least seconds that each took when it was chosen.
template <class T>
struct Choice {
  PerKernel<KernelSet<T>> sets{};
  PerKernel<double> best{};
  std::int64_t passes = 0;  // over all candidates

  double seconds() const { return best[0] + best[1] + best[2] + best[3]; }
};

// Huge pages that back this process now, in bytes; 0 when the kernel does not say.
std::int64_t huge_page_bytes() {
  std::ifstream in("/proc/self/smaps_rollup");
  std::string word;
  while (in >> word) {
    std::int64_t kib = 0;
    if (word == "AnonHugePages:" && in >> kib) return kib << 10;
  }
  return 0;
}

template <class T>
class Measurement {
 public:
  Measurement(const Settings& settings, const Domain& domain, kit::Session& session)
      : settings_(settings), domain_(domain), session_(session), team_(domain.cpus) {
    SizeRule rule;
    rule.elements = settings.size > 0 ? settings.size / static_cast<std::int64_t>(sizeof(T))
                                      : settings.elements;
    rule.element_bytes = sizeof(T);
    // With a test-only fault nothing is measured, so that arrays may lie in the caches.
    rule.cache_bytes = session.injection() ? 0 : domain.cache_bytes;
    rule.available_bytes = kit::available_memory_bytes();
    rule.clock_resolution = kit::clock_resolution_seconds();
    count_ = static_cast<std::size_t>(choose_elements(rule));
  }

  // The method of the original: ordinary stores, ordinary pages, the loops as the compiler makes
  // them.
  void plain() {
    std::vector<Arrays<T>> arrays;
    arrays.emplace_back(count_, kit::Pages::kDefault, team_);
    const auto choices = compare(arrays, ordinary_sets());
    report("plain", choices.front(), "default", arrays.front());
  }

  // Whatever is fastest, found by trying: every kind of store on ordinary and on huge pages, taken
  // in turns so that a busy moment of the machine meets both. Where only one set of arrays fits, it
  // is the one that asks for huge pages.
  void tuned() {
    std::vector<Arrays<T>> arrays;
    arrays.emplace_back(count_, kit::Pages::kHuge, team_);
    const auto twice = 6.5 * static_cast<double>(count_ * sizeof(T));
    const bool both = static_cast<double>(kit::available_memory_bytes()) > twice;
    if (both) arrays.emplace_back(count_, kit::Pages::kDefault, team_);
    Sets sets = ordinary_sets();
    const auto found = candidates<T>();
    sets.insert(sets.end(), found.nontemporal, found.nontemporal + found.nontemporal_count);
    const auto choices = compare(arrays, sets);
    const bool ordinary_pages = both && choices[1].seconds() < choices[0].seconds();
    if (ordinary_pages) std::swap(arrays[0], arrays[1]);
    arrays.erase(arrays.begin() + 1, arrays.end());
    report("tuned", choices[ordinary_pages ? 1 : 0], ordinary_pages ? "default" : "huge",
           arrays.front());
  }

 private:
  using Sets = std::vector<KernelSet<T>>;

  static Sets ordinary_sets() {
    const auto found = candidates<T>();
    return Sets(found.ordinary, found.ordinary + found.ordinary_count);
  }

  // The fastest set for each kernel on each of `arrays`: the best of a few passes. Each candidate
  // has its turn at least once, however short the time.
  std::vector<Choice<T>> compare(std::vector<Arrays<T>>& arrays, const Sets& sets) {
    constexpr std::int64_t kMostPasses = 5;
    for (Arrays<T>& each : arrays) each.fill(next_seed_++);
    std::vector<Race> races(kKernelCount, Race(sets.size() * arrays.size()));
    const double start = kit::now_seconds();
    std::int64_t passes = 0;
    do {
      for (std::size_t i = 0; i < sets.size() * arrays.size(); ++i) {
        pass(arrays[i % arrays.size()], sets[i / arrays.size()], i, races);
      }
      ++passes;
    } while (passes < kMostPasses && kit::now_seconds() - start < settings_.search_seconds);
    std::vector<Choice<T>> choices;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      choices.push_back(choice_of(i, arrays.size(), sets, races));
      choices.back().passes = passes;
    }
    return choices;
  }

  static void pass(Arrays<T>& arrays, const KernelSet<T>& set, std::size_t candidate,
                   std::vector<Race>& races) {
    for (const Kernel kernel : kKernels) {
      Race& race = races[place(kernel)];
      if (race.runs(candidate)) race.took(candidate, arrays.run(kernel, set));
    }
  }

  // Candidates are numbered by set, and within a set by arrays.
  static Choice<T> choice_of(std::size_t arrays, std::size_t count, const Sets& sets,
                             const std::vector<Race>& races) {
    Choice<T> choice;
    for (const Kernel kernel : kKernels) {
      const Race& race = races[place(kernel)];
      std::size_t fastest = 0;
      for (std::size_t set = 1; set < sets.size(); ++set) {
        if (race.best(set * count + arrays) < race.best(fastest * count + arrays)) fastest = set;
      }
      choice.sets[place(kernel)] = sets[fastest];
      choice.best[place(kernel)] = race.best(fastest * count + arrays);
    }
    return choice;
  }

  void report(const std::string& variant, const Choice<T>& choice, const char* pages,
              Arrays<T>& arrays) {
    session_.note(
        fmt::format("{} kernels of domain {}, chosen by measuring", variant, domain_.name),
        facts(choice, pages));
    protocol::Check check = kit::check_of(
        fmt::format("stream.{}.{}.{}", settings_.type, variant, domain_.name),
        fmt::format("every element of a, b and c bit by bit against the recurrence from random "
                    "data, after {} timed iterations",
                    settings_.iterations));
    const PerKernel<std::vector<double>> seconds = time(choice, arrays, check);
    const std::string proof = check.name;
    session_.check(std::move(check));
    const Parameters parameters = {
        {"domain", domain_.name}, {"type", settings_.type}, {"variant", variant}};
    for (const Kernel kernel : kKernels) {
      const auto& times = seconds[place(kernel)];
      demand_clock_steps(kernel, times);
      protocol::Metric metric = kit::metric_of(fmt::format("stream.{}", name_of(kernel)), "B/s",
                                               contract::Better::kMore, proof);
      kit::put_samples(metric, contract::Statistic::kBest, kit::rates(bytes_of(kernel), times));
      metric.parameters = parameters;
      session_.metric(std::move(metric));
    }
  }

  // The timed iterations, without the first. The recurrence grows, so the arrays are checked and
  // filled anew before it would leave the range of T.
  PerKernel<std::vector<double>> time(const Choice<T>& choice, Arrays<T>& arrays,
                                      protocol::Check& check) {
    PerKernel<std::vector<double>> seconds;
    for (std::int64_t done = 0; done < settings_.iterations;) {
      const std::int64_t rounds = std::min(kMostRounds<T>, settings_.iterations - done);
      const std::uint64_t seed = next_seed_++;
      arrays.fill(seed);
      for (std::int64_t round = 0; round < rounds; ++round) {
        for (const Kernel kernel : kKernels) {
          const double time = arrays.run(kernel, choice.sets[place(kernel)]);
          if (done + round > 0) seconds[place(kernel)].push_back(time);
        }
      }
      if (const auto fault = session_.injection()) {
        kit::flip(*fault, arrays.a(), static_cast<std::int64_t>(count_), sizeof(T));
      }
      add(arrays.verify(seed, rounds), check);
      done += rounds;
    }
    return seconds;
  }

  static void add(const Verdict& verdict, protocol::Check& check) {
    check.compared += verdict.compared;
    check.wrong += verdict.wrong;
    kit::decide(check);
    if (verdict.first && !check.first_wrong) {
      check.first_wrong = {fmt::format("{}[{}]", verdict.first->array, verdict.first->index),
                           verdict.first->got, verdict.first->want};
    }
  }

  Parameters facts(const Choice<T>& choice, const char* pages) const {
    Parameters facts = {
        {"threads", std::int64_t{team_.threads()}},
        {"bound", team_.bound()},
        {"elements", static_cast<std::int64_t>(count_)},
        {"array_bytes", static_cast<std::int64_t>(count_ * sizeof(T))},
        {"cache_bytes", domain_.cache_bytes},
        {"passes", choice.passes},
        {"pages", std::string(pages)},
        {"huge_page_bytes", huge_page_bytes()},
    };
    for (const Kernel kernel : kKernels) {
      facts[name_of(kernel)] = std::string(choice.sets[place(kernel)].name);
    }
    return facts;
  }

  double bytes_of(Kernel kernel) const {
    return static_cast<double>(words_of(kernel)) * sizeof(T) * static_cast<double>(count_);
  }

  void demand_clock_steps(Kernel kernel, const std::vector<double>& times) const {
    const double least = kClockSteps * kit::clock_resolution_seconds();
    if (kit::smallest(times) >= least) return;
    throw kit::UsageError(fmt::format(
        "{} of {} elements took {} s, less than {} steps of the clock: take more --elements",
        name_of(kernel), count_, kit::smallest(times), kClockSteps));
  }

  const Settings& settings_;
  const Domain& domain_;
  kit::Session& session_;
  Team team_;
  std::size_t count_ = 0;
  std::uint64_t next_seed_ = 0x5EED;
};

template <class T>
void measure_all(const Settings& settings, kit::Session& session,
                 const std::filesystem::path& root) {
  const auto domains = choose_domains(settings, kit::numa_domains(), root);
  const bool plain = settings.variant != "tuned";
  const bool tuned = settings.variant != "plain";
  const double steps = static_cast<double>(domains.size()) * (plain && tuned ? 2 : 1);
  double done = 0;
  for (const Domain& domain : domains) {
    Measurement<T> measurement(settings, domain, session);
    if (domain.cache_bytes == 0) {
      session.note(
          "the kernel does not tell the size of the caches: the rule of four times the "
          "last-level caches could not be checked",
          {{"domain", domain.name}});
    }
    if (plain) {
      session.phase("plain " + domain.name, done++ / steps);
      measurement.plain();
    }
    if (tuned) {
      session.phase("tuned " + domain.name, done++ / steps);
      measurement.tuned();
    }
  }
}

}  // namespace

void declare(kit::Options& options, Settings& settings) {
  constexpr std::int64_t kMost = std::int64_t{1} << 45;
  options.choice("type", settings.type, {"double", "float"}, "element type");
  options.integer("elements", settings.elements, 0, kMost,
                  "elements of each array; 0: the least that the rules of STREAM allow");
  options.bytes("size", settings.size, 1, kMost, "the same as bytes of each array, such as 640M");
  options.integer("iterations", settings.iterations, 2, 1'000'000,
                  "rounds of the four kernels; the first is not counted");
  options.number(
      "search-seconds", settings.search_seconds, 0, 3600,
      "about how long the candidates of a variant are compared; each runs at least once");
  options.integer("threads", settings.threads, 0, 1 << 16,
                  "threads of each domain; 0: one for each physical core");
  options.choice("variant", settings.variant, {"plain", "tuned", "both"},
                 "plain: ordinary stores and pages; tuned: whatever is fastest");
  options.choice("domain", settings.domain, {"node", "numa", "all"},
                 "the whole node, each NUMA domain alone, or both where there are several");
}

std::map<std::string, std::string> libraries() {
  return {{"glibc", gnu_get_libc_version()}, {"openmp", std::to_string(_OPENMP)}};
}

void measure(const Settings& settings, kit::Session& session, const std::filesystem::path& root) {
  if (settings.elements > 0 && settings.size > 0) {
    throw kit::UsageError("--elements and --size say the same thing: give one of them");
  }
  session.note(kLabel);
  if (settings.type == "float") {
    measure_all<float>(settings, session, root);
  } else {
    measure_all<double>(settings, session, root);
  }
}

}  // namespace rackproof::stream
