#include "benches/collectives/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::collectives {

using reduction::dtype_of;
using reduction::mix;
using reduction::redop_of;
using reduction::text_of;
namespace {

constexpr std::size_t kKeptSamples = 1000;
constexpr double kPhaseSeconds = 0.5;

// The enumerators for `words`, none of them twice.
template <class Kind, class Find>
std::vector<Kind> parse(const std::vector<std::string>& words, std::string_view option,
                        Find&& find) {
  std::vector<Kind> kinds;
  std::set<std::string> seen;
  for (const std::string& one : words) {
    const auto kind = find(one);
    if (!kind) throw kit::UsageError(fmt::format("--{}: \"{}\" is not known", option, one));
    if (!seen.insert(one).second) {
      throw kit::UsageError(fmt::format("--{} names {} twice", option, one));
    }
    kinds.push_back(*kind);
  }
  if (kinds.empty()) throw kit::UsageError(fmt::format("--{} names nothing", option));
  return kinds;
}

std::vector<Operation> operations_of(const Config& config, int ranks) {
  const bool all = config.operations.empty();
  std::vector<Operation> chosen;
  for (const Operation operation :
       parse<Operation>(all ? operation_words() : config.operations, "ops", operation_of)) {
    if (config.in_place && !config.repertoire.in_place_form(operation)) {
      if (all) continue;
      throw kit::UsageError(fmt::format("--in-place has no meaning for {}", word(operation)));
    }
    if (ranks == 1 && operation == Operation::kBroadcast) continue;
    chosen.push_back(operation);
  }
  return chosen;
}

std::vector<std::int64_t> sizes_of(const Config& config) {
  if (config.begin > config.end) {
    throw kit::UsageError(
        fmt::format("--begin {} is larger than --end {}", config.begin, config.end));
  }
  std::vector<std::int64_t> sizes{config.begin};
  while (sizes.back() <= config.end / config.factor) {
    sizes.push_back(sizes.back() * config.factor);
  }
  return sizes;
}

void require_exact(Dtype dtype, RedOp redop, int ranks) {
  if (has_exact_result(dtype, redop, ranks)) return;
  throw kit::UsageError(fmt::format(
      "{} of {} over {} ranks has no exact result in that type: leave out one of the two",
      word(redop), word(dtype), ranks));
}

std::string check_name(const CellSpec& spec) {
  std::string name = fmt::format("{}.{}.{}", word(spec.operation), spec.bytes, word(spec.dtype));
  if (spec.redop) name += fmt::format(".{}", word(*spec.redop));
  if (spec.in_place) name += ".in_place";
  if (spec.launch != Launch::kPlain) name += fmt::format(".{}", word(spec.launch));
  if (spec.registration != Registration::kNone) {
    name += fmt::format(".{}", word(spec.registration));
  }
  return name;
}

contract::Parameters parameters_of(const CellSpec& spec, int ranks) {
  contract::Parameters parameters{{"bytes", spec.bytes},
                                  {"dtype", std::string(word(spec.dtype))},
                                  {"ranks", std::int64_t{ranks}}};
  if (spec.redop) parameters["redop"] = std::string(word(*spec.redop));
  if (spec.in_place) parameters["in_place"] = true;
  if (spec.launch != Launch::kPlain) parameters["launch"] = std::string(word(spec.launch));
  if (spec.registration != Registration::kNone) {
    parameters["register"] = std::string(word(spec.registration));
  }
  return parameters;
}

void say_check(const CellSpec& spec, const CellResult& result, kit::Session& session) {
  protocol::Check check = kit::check_of(
      check_name(spec),
      fmt::format("every element of every output of {} operations ({} of them timed), compared bit "
                  "by bit with the exact result",
                  result.operations,
                  static_cast<std::int64_t>(result.seconds.size()) * result.per_sample +
                      static_cast<std::int64_t>(result.single_seconds.size())),
      result.compared, result.wrong);
  if (result.first_wrong) {
    const WrongPlace& place = *result.first_wrong;
    const std::string source = place.element.source == kAllRanks
                                   ? std::string("a reduction over all ranks")
                                   : fmt::format("from rank {}", place.element.source);
    check.first_wrong =
        protocol::FirstWrong{fmt::format("rank {}, element {} of the output ({}), operation {}",
                                         place.rank, place.element.index, source, place.iteration),
                             text_of(place.element.got, spec.dtype),
                             text_of(place.element.want, spec.dtype), place.rank};
    if (place.element.source != kAllRanks) check.first_wrong->from = place.element.source;
  }
  session.check(std::move(check));
}

// The clock counts nanoseconds; what subtraction adds below that is no measurement.
std::vector<double> whole_nanoseconds(std::vector<double> seconds) {
  for (double& value : seconds) value = std::max(1.0, std::round(value * 1e9)) / 1e9;
  return seconds;
}

protocol::Metric metric_of(const CellSpec& spec, int ranks, std::string_view name) {
  protocol::Metric metric = kit::metric_of(fmt::format("{}.{}", word(spec.operation), name), "s",
                                           contract::Better::kLess, check_name(spec));
  metric.parameters = parameters_of(spec, ranks);
  metric.subject = kit::group_subject();
  return metric;
}

void say_result(const CellSpec& spec, const CellResult& result, int ranks, kit::Session& session) {
  const std::vector<double> seconds = whole_nanoseconds(thinned(result.seconds, kKeptSamples));
  protocol::Metric time = metric_of(spec, ranks, "time");
  kit::put_samples(time, contract::Statistic::kMedian, seconds);
  // The tail of means is none: where no operation was timed alone it is not known.
  const std::vector<double> singles =
      result.per_sample == 1 ? seconds
                             : whole_nanoseconds(thinned(result.single_seconds, kKeptSamples));
  protocol::Metric tail = metric_of(spec, ranks, "latency_p99");
  if (!singles.empty()) kit::put_samples(tail, contract::Statistic::kP99, singles);
  protocol::Metric bus = metric_of(spec, ranks, "busbw");
  bus.unit = std::string("B/s");
  bus.better = contract::Better::kMore;
  const double bytes =
      static_cast<double>(result.shape.size_bytes) * bus_factor(spec.operation, ranks);
  std::vector<double> rates = kit::rates(bytes, seconds);
  for (double& rate : rates) rate = std::round(rate);
  kit::put_samples(bus, contract::Statistic::kMedian, std::move(rates));

  const double algbw = algorithm_bandwidth(result.shape, time.value);
  contract::Parameters facts = time.parameters;
  facts["op"] = std::string(word(spec.operation));
  facts["size"] = result.shape.size_bytes;
  facts["count"] = result.shape.count;
  facts["time"] = time.value;
  if (!singles.empty()) facts["p99"] = tail.value;
  facts["algbw"] = std::round(algbw);
  facts["busbw"] = std::round(algbw * bus_factor(spec.operation, ranks));
  facts["wrong"] = result.wrong;
  facts["iterations"] = static_cast<std::int64_t>(result.seconds.size());
  if (result.per_sample > 1) facts["operations_per_sample"] = result.per_sample;
  facts.insert(result.chosen.begin(), result.chosen.end());
  std::string text =
      fmt::format("{}: {:.2f} us, algbw {:.3f} GB/s, busbw {:.3f} GB/s", label(spec),
                  time.value * 1e6, algbw / 1e9, algbw * bus_factor(spec.operation, ranks) / 1e9);
  if (result.shape.size_bytes != spec.bytes) {
    text += fmt::format(", measured at {} B, the nearest size that {} ranks can share",
                        result.shape.size_bytes, ranks);
  }
  // What the library chose stands with the number: a baseline can demand it.
  time.conditions = tail.conditions = bus.conditions = result.chosen;
  session.metric(std::move(time));
  if (!singles.empty()) session.metric(std::move(tail));
  if (ranks > 1) session.metric(std::move(bus));
  session.note(std::move(text), std::move(facts));
}

class HostGroup final : public Group {
 public:
  HostGroup(Transport& transport, kit::ProgressWriter& word) : transport_(transport), word_(word) {}

  int rank() const override { return transport_.rank(); }
  int size() const override { return transport_.size(); }
  TransportFacts facts() const override { return transport_.facts(); }
  CellResult measure_cell(const CellSpec& spec, const MeasuringRule& rule,
                          const std::optional<kit::Injection>& injection,
                          const Progress& progress) override {
    return collectives::measure_cell(transport_, spec, rule, injection, progress, word_);
  }

 private:
  Transport& transport_;
  kit::ProgressWriter& word_;
};

void say_group(const Group& transport, const Config& config, kit::Session& session) {
  const TransportFacts facts = transport.facts();
  session.note(fmt::format("{} {}, {} rank{}, {}", facts.library, facts.version, transport.size(),
                           transport.size() == 1 ? "" : "s", facts.path),
               {{"library", facts.library},
                {"library_version", facts.version},
                {"path", facts.path},
                {"ranks", std::int64_t{transport.size()}},
                {"seed", config.seed}});
  if (transport.size() == 1) {
    session.note(
        "one rank alone: nothing leaves it, so there is no bus bandwidth, and broadcast is left "
        "out; " +
        facts.more_ranks);
  }
}

}  // namespace

void declare(kit::Options& options, Config& config) {
  options.choices("ops", config.operations, operation_words(), "operations; all when not said");
  options.choices("dtypes", config.dtypes, config.repertoire.dtype_words(), "element types");
  options.choices("redops", config.redops, config.repertoire.redop_words(), "reductions");
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 44;
  options.bytes("begin", config.begin, 1, kMostBytes, "smallest size, in nccl-tests' meaning");
  options.bytes("end", config.end, 1, kMostBytes, "largest size");
  options.integer("factor", config.factor, 2, 1 << 20, "from one size to the next");
  options.integer("iterations", config.iterations, 1, 10'000'000,
                  "timed iterations of a size, at least");
  options.integer("max-iterations", config.max_iterations, 1, 10'000'000,
                  "timed iterations of a size, at most");
  options.number("min-seconds", config.min_seconds, 0, 3600,
                 "time to measure and check a size for, unless --max-iterations comes first");
  options.integer("warmup", config.warmup, 0, 1'000'000, "iterations of a size before the timed");
  options.flag("in-place", config.in_place, "let the input lie in the output buffer");
  options.integer("seed", config.seed, 0, std::int64_t{1} << 52, "of the inputs");
}

std::vector<CellSpec> cells_of(const Config& config, int ranks) {
  const auto dtypes = parse<Dtype>(config.dtypes, "dtypes", dtype_of);
  const auto redops = parse<RedOp>(config.redops, "redops", redop_of);
  const auto sizes = sizes_of(config);
  const auto launch = launch_of(config.launch);
  const auto registration = registration_of(config.registration);
  if (!launch || !registration) {
    throw kit::UsageError(
        fmt::format("\"{}\" is not known", launch ? config.registration : config.launch));
  }
  std::vector<CellSpec> cells;
  for (const Operation operation : operations_of(config, ranks)) {
    std::vector<std::optional<RedOp>> kinds{std::nullopt};
    if (reduces(operation)) kinds.assign(redops.begin(), redops.end());
    for (const Dtype dtype : dtypes) {
      for (const auto& redop : kinds) {
        if (redop) require_exact(dtype, *redop, ranks);
        for (const std::int64_t bytes : sizes) {
          cells.push_back(
              {operation, dtype, redop, bytes, config.in_place, *launch, *registration});
        }
      }
    }
  }
  return cells;
}

std::vector<double> thinned(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<double> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t from = i * values.size() / most;
    const std::size_t to = (i + 1) * values.size() / most;
    kept.push_back(values[from + mix(values.size(), i) % (to - from)]);
  }
  return kept;
}

void measure(Group& group, const Config& config, kit::Session& session) {
  if (config.iterations > config.max_iterations) {
    throw kit::UsageError(fmt::format("--iterations {} is more than --max-iterations {}",
                                      config.iterations, config.max_iterations));
  }
  const std::vector<CellSpec> cells = cells_of(config, group.size());
  if (cells.empty()) {
    throw kit::Unavailable("broadcast moves nothing in a group of one rank: start two or more");
  }
  const MeasuringRule rule{config.warmup, config.iterations, config.max_iterations,
                           config.min_seconds, static_cast<std::uint64_t>(config.seed)};
  const bool speaks = group.rank() == 0;
  if (speaks) say_group(group, config, session);
  double last_phase = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto total = static_cast<double>(cells.size());
    const auto phase = [&](double part) {
      session.phase(label(cells[i]), (static_cast<double>(i) + part) / total);
      last_phase = kit::now_seconds();
    };
    phase(0);
    const CellResult result =
        group.measure_cell(cells[i], rule, session.injection(), [&](double part) {
          if (kit::now_seconds() - last_phase >= kPhaseSeconds) phase(part);
        });
    if (!speaks) continue;
    say_check(cells[i], result, session);
    say_result(cells[i], result, group.size(), session);
  }
  session.phase("done", 1);
}

void measure(Transport& transport, const Config& config, kit::Session& session) {
  HostGroup group(transport, session.progress());
  measure(group, config, session);
}

}  // namespace rackproof::collectives
