#include "benches/stream/cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/watch.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"
#include "benches/stream/cuda_kernels.hpp"
#include "benches/stream/cuda_search.hpp"
#include "benches/stream/stream.hpp"

namespace rackproof::stream {
namespace {

namespace cuda = kit::cuda;
using contract::Parameters;

// The four kernels and, after them, the dot product.
constexpr std::size_t kDot = kKernelCount;
constexpr std::size_t kAll = kKernelCount + 1;
template <class Value>
using PerKernel = std::array<Value, kAll>;

const char* name_at(std::size_t place) { return place == kDot ? "dot" : name_of(kKernels[place]); }

int words_at(std::size_t place) { return place == kDot ? 2 : words_of(kKernels[place]); }

struct Choice {
  std::vector<std::vector<Way>> tried;  // by kernel
  std::vector<Found> found;
  const Way& way(std::size_t place) const { return tried[place][found[place].best]; }
};

// A bit of one element of array a, from the host.
template <class T>
void inject(const kit::Injection& fault, const DeviceArrays<T>& arrays) {
  const std::int64_t place = fault.element % arrays.count;
  T value = cuda::read_one(arrays.a + place);
  kit::flip({0, fault.bit}, &value, 1, sizeof(T));
  cuda::copy(arrays.a + place, &value, sizeof(T));
}

template <class T>
class Measurement {
 public:
  Measurement(const CudaSettings& settings, const cuda::Device& device, kit::Session& session)
      : settings_(settings),
        type_(sizeof(T) == 8 ? "double" : "float"),
        device_(device),
        session_(session),
        machine_{device.major, device.l2_bytes, cuda::free_bytes(), device.shared_bytes_per_block},
        watch_(device.uuid),
        count_(static_cast<std::size_t>(choose_cuda_elements(wish(), sizeof(T), machine_))),
        a_(count_),
        b_(count_),
        c_(count_),
        partial_(kDotBlocks),
        result_(1),
        verdict_(1),
        sum_(1),
        arrays_{a_.data(), b_.data(), c_.data(), static_cast<std::int64_t>(count_)} {}

  void plain() {
    report("plain", search({ways_for(machine_).front()}, {dot_ways_for(machine_).front()}));
  }

  void tuned() {
    const Choice choice = search(ways_for(machine_), dot_ways_for(machine_));
    say_search(choice);
    report("tuned", choice);
  }

 private:
  std::int64_t wish() const {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
    return settings_.size > 0 ? (settings_.size + kBytes - 1) / kBytes : settings_.elements;
  }

  void queue(std::size_t place, const Way& way) {
    if (place == kDot) {
      launch_dot(way, arrays_, device_.multiprocessors, partial_.data(), result_.data(),
                 stream_.get());
    } else {
      launch(kKernels[place], way, arrays_, device_.multiprocessors, stream_.get());
    }
  }

  Choice search(const std::vector<Way>& ways, const std::vector<Way>& dot_ways) {
    Choice choice;
    choice.tried.assign(kAll, ways);
    choice.tried[kDot] = dot_ways;
    choice.found = stream::search(choice.tried, settings_.search_turns, [this](const Runs& runs) {
      launch_fill(arrays_, next_seed_++, stream_.get());
      // The first one runs twice, and its first time is dropped: what filling left in the cache is
      // written to memory then.
      std::vector<double> seconds =
          cuda::time_each(stream_, std::ssize(runs) + 1, [&](std::int64_t i) {
            const Run& run = runs[static_cast<std::size_t>(std::max<std::int64_t>(i - 1, 0))];
            queue(run.kernel, run.way);
          });
      seconds.erase(seconds.begin());
      return seconds;
    });
    return choice;
  }

  // So that a choice that was wrong can be seen: what every way reached.
  void say_search(const Choice& choice) {
    for (std::size_t place = 0; place < kAll; ++place) {
      const Found& found = choice.found[place];
      Parameters facts = {{"kernel", name_at(place)},
                          {"type", type_},
                          {"chosen", name_of(choice.way(place))},
                          {"lead", found.lead},
                          {"noise", found.noise}};
      const std::vector<Way>& tried = choice.tried[place];
      for (std::size_t way = 0; way < tried.size(); ++way) {
        facts[name_of(tried[way])] = bytes_of(place) / found.seconds[way];
      }
      session_.note(
          fmt::format("{} of {}: {} ways were tried on {}; the fastest leads by {:.2f} %, "
                      "its times lie {:.2f} % around their median",
                      name_at(place), type_, tried.size(), device_.name, 100 * found.lead,
                      100 * found.noise),
          std::move(facts));
    }
  }

  double bytes_of(std::size_t place) const {
    return static_cast<double>(words_at(place)) * static_cast<double>(count_ * sizeof(T));
  }

  void report(const std::string& variant, const Choice& choice) {
    session_.note(fmt::format("{} kernels on {}, chosen by measuring", variant, device_.name),
                  facts(choice));
    PerKernel<std::vector<double>> seconds;
    protocol::Check check = time_kernels(choice, variant, seconds);
    const std::string proof = check.name;
    session_.check(std::move(check));
    protocol::Check dot = time_dot(choice, variant, seconds[kDot]);
    const std::string dot_proof = dot.name;
    session_.check(std::move(dot));
    session_.note(fmt::format("{} while stream.{} was measured", device_.name, variant),
                  watch_.facts());
    for (std::size_t place = 0; place < kAll; ++place) {
      protocol::Metric metric =
          kit::metric_of(fmt::format("stream.{}", name_at(place)), "B/s", contract::Better::kMore,
                         place == kDot ? dot_proof : proof);
      kit::put_samples(metric, contract::Statistic::kBest,
                       kit::rates(bytes_of(place), seconds[place]));
      metric.parameters = {{"type", type_}, {"variant", variant}};
      metric.subject = kit::device_subject(device_.uuid);
      session_.metric(std::move(metric));
    }
  }

  // The timed iterations, without the first. The recurrence grows, so the arrays are checked and
  // filled anew before it would leave the range of T.
  protocol::Check time_kernels(const Choice& choice, const std::string& variant,
                               PerKernel<std::vector<double>>& seconds) {
    protocol::Check check = kit::check_of(
        fmt::format("stream.{}.{}", type_, variant),
        fmt::format("every element of a, b and c bit by bit against the recurrence from random "
                    "data, on the device, after {} timed iterations",
                    settings_.iterations));
    constexpr auto kPerRound = static_cast<std::int64_t>(kKernelCount);
    for (std::int64_t done = 0; done < settings_.iterations;) {
      const std::int64_t rounds = std::min(kMostRounds<T>, settings_.iterations - done);
      const std::uint64_t seed = next_seed_++;
      launch_fill(arrays_, seed, stream_.get());
      const std::vector<double> times = timed(rounds * kPerRound, [&](std::int64_t i) {
        const auto place = static_cast<std::size_t>(i % kPerRound);
        queue(place, choice.way(place));
      });
      for (std::size_t i = done == 0 ? kKernelCount : 0; i < times.size(); ++i) {
        seconds[i % kKernelCount].push_back(times[i]);
      }
      if (const auto fault = session_.injection()) inject(*fault, arrays_);
      verify(seed, rounds, check);
      done += rounds;
    }
    kit::decide(check);
    return check;
  }

  void verify(std::uint64_t seed, std::int64_t rounds, protocol::Check& check) {
    const std::array<T, 3> factors = {factor_of<T>(0, rounds), factor_of<T>(1, rounds),
                                      factor_of<T>(2, rounds)};
    reset_verdict();
    launch_verify(arrays_, seed, factors[0], factors[1], factors[2], verdict_.data(),
                  stream_.get());
    take_verdict(3, check, [&](std::size_t array, std::uint64_t index) {
      return start_value<T>(seed, index) * factors[array];
    });
  }

  // The sum of each iteration is compared with the one made in integers from the seed; and since a
  // sum is deaf to the last bits of one operand, the operands are compared too.
  protocol::Check time_dot(const Choice& choice, const std::string& variant,
                           std::vector<double>& seconds) {
    constexpr std::int64_t kMostSums = 1024;
    const std::uint64_t seed = next_seed_++;
    launch_dot_fill(arrays_, seed, stream_.get());
    const double wanted = wanted_dot(seed);
    cuda::DeviceBuffer<double> results(kMostSums);
    protocol::Check check = kit::check_of(
        fmt::format("stream.{}.{}.dot", type_, variant),
        fmt::format("the sum of each of {} iterations against the sum in integers, made without "
                    "reading the arrays; and every operand bit by bit after them",
                    settings_.iterations));
    for (std::int64_t done = 0; done < settings_.iterations; done += kMostSums) {
      const std::int64_t sums = std::min(kMostSums, settings_.iterations - done);
      const std::vector<double> times = timed(sums, [&](std::int64_t i) {
        launch_dot(choice.way(kDot), arrays_, device_.multiprocessors, partial_.data(),
                   results.data() + i, stream_.get());
      });
      seconds.insert(seconds.end(), times.begin() + (done == 0 ? 1 : 0), times.end());
      std::vector<double> got(static_cast<std::size_t>(sums));
      cuda::copy(got.data(), results.data(), got.size() * sizeof(double));
      compare_sums(done, got, wanted, check);
    }
    if (const auto fault = session_.injection()) inject(*fault, arrays_);
    reset_verdict();
    launch_dot_verify(arrays_, seed, verdict_.data(), stream_.get());
    take_verdict(2, check, [&](std::size_t array, std::uint64_t index) {
      return dot_value<T>(array == 0 ? seed : ~seed, index);
    });
    kit::decide(check);
    return check;
  }

  double wanted_dot(std::uint64_t seed) {
    cuda::fill_async(sum_.data(), 0, sum_.bytes(), stream_);
    launch_dot_wanted(arrays_.count, seed, sum_.data(), stream_.get());
    stream_.synchronize();
    return static_cast<double>(cuda::read_one(sum_.data()));
  }

  static void compare_sums(std::int64_t done, const std::vector<double>& got, double wanted,
                           protocol::Check& check) {
    check.compared += static_cast<std::int64_t>(got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == wanted) continue;
      if (check.wrong++ > 0) continue;
      check.first_wrong = {
          fmt::format("the sum of iteration {}", done + static_cast<std::int64_t>(i)),
          fmt::format("{}", got[i]), fmt::format("{}", wanted)};
    }
  }

  // Times like cuda::time_each, and looks at the device while it is at work.
  std::vector<double> timed(std::int64_t times, const std::function<void(std::int64_t)>& queue) {
    return cuda::time_each(stream_, times, queue, [this] { watch_.look(); });
  }

  void reset_verdict() {
    const DeviceVerdict clean{0, std::numeric_limits<unsigned long long>::max()};
    cuda::copy(verdict_.data(), &clean, sizeof(clean));
  }

  // Adds what a check of the first `arrays` arrays found; `want` tells what an element should be.
  void take_verdict(std::int64_t arrays, protocol::Check& check,
                    const std::function<T(std::size_t, std::uint64_t)>& want) {
    stream_.synchronize();
    const DeviceVerdict found = cuda::read_one(verdict_.data());
    check.compared += arrays * arrays_.count;
    check.wrong += static_cast<std::int64_t>(found.wrong);
    if (found.wrong == 0 || check.first_wrong) return;
    const auto array = static_cast<std::size_t>(found.first % 3);
    const std::uint64_t index = found.first / 3;
    const std::array<const T*, 3> bases = {arrays_.a, arrays_.b, arrays_.c};
    check.first_wrong = {fmt::format("{}[{}]", "abc"[array], index),
                         fmt::format("{}", cuda::read_one(bases[array] + index)),
                         fmt::format("{}", want(array, index))};
  }

  Parameters facts(const Choice& choice) const {
    Parameters facts = {
        {"elements", arrays_.count},
        {"array_bytes", static_cast<std::int64_t>(count_ * sizeof(T))},
        {"l2_bytes", device_.l2_bytes},
        {"iterations", settings_.iterations},
        {"search_turns", settings_.search_turns},
        {"timer", "device events"},
        {"memory_peak_bytes_per_second", device_.memory_peak()},
    };
    for (std::size_t place = 0; place < kAll; ++place) {
      facts[name_at(place)] = name_of(choice.way(place));
    }
    return facts;
  }

  const CudaSettings& settings_;
  std::string type_;
  const cuda::Device& device_;
  kit::Session& session_;
  CudaMachine machine_;
  cuda::Watch watch_;
  cuda::Stream stream_;
  std::size_t count_;
  cuda::DeviceBuffer<T> a_;
  cuda::DeviceBuffer<T> b_;
  cuda::DeviceBuffer<T> c_;
  cuda::DeviceBuffer<double> partial_;
  cuda::DeviceBuffer<double> result_;
  cuda::DeviceBuffer<DeviceVerdict> verdict_;
  cuda::DeviceBuffer<unsigned long long> sum_;
  DeviceArrays<T> arrays_;
  std::uint64_t next_seed_ = 1;
};

template <class T>
void measure_type(const CudaSettings& settings, const cuda::Device& device, kit::Session& session) {
  Measurement<T> measurement(settings, device, session);
  if (settings.variant != "tuned") measurement.plain();
  if (settings.variant != "plain") measurement.tuned();
}

}  // namespace

void declare_cuda(kit::Options& options, CudaSettings& settings) {
  constexpr std::int64_t kMost = std::int64_t{1} << 45;
  cuda::declare_device(options, settings.device);
  options.choices("type", settings.types, {"double", "float"}, "element types");
  options.integer("elements", settings.elements, 0, kMost,
                  "elements of each array; 0: 2 GiB, at least four times the L2 cache");
  options.bytes("size", settings.size, 1, kMost, "the same as bytes of each array, such as 2G");
  options.integer("iterations", settings.iterations, 2, 1'000'000,
                  "rounds of the kernels; the first is not counted");
  options.integer(
      "search-turns", settings.search_turns, 1, 1000,
      "how often each way of the tuned kernels is tried; four times as often again those "
      "that come close to the fastest");
  options.choice("variant", settings.variant, {"plain", "tuned", "both"},
                 "plain: one element a thread; tuned: whatever is fastest");
}

void measure_cuda(const CudaSettings& settings, kit::Session& session) {
  if (settings.elements > 0 && settings.size > 0) {
    throw kit::UsageError("--elements and --size say the same thing: give one of them");
  }
  const cuda::Device device = cuda::select(settings.device);
  session.device(cuda::to_record(device));
  session.note(kLabel);
  for (const std::string& type : settings.types) {
    if (type == "float") {
      measure_type<float>(settings, device, session);
    } else {
      measure_type<double>(settings, device, session);
    }
  }
}

}  // namespace rackproof::stream
