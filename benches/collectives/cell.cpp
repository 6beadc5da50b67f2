#include "benches/collectives/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <limits>
#include <span>
#include <utility>

#include "benches/kit/buffer.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"

namespace rackproof::collectives {

using reduction::mix;
using reduction::Pattern;
using reduction::Seeds;
namespace {

constexpr std::int64_t kLine = 64;

// What no result is expected to be; its complement in every other batch.
constexpr std::uint64_t kPoison = 0xA5A5A5A5A5A5A5A5;

// How often a batch without lead slots runs its operation before the timed one, so that the caches
// are as in a loop; once is enough for operations that take long.
constexpr int kRehearsals = 8;
constexpr double kLongSeconds = 1e-3;

// Slots of less than a cache line lie close together, so that many of them stay in the nearest one.
std::int64_t padded(std::int64_t bytes) {
  const std::int64_t unit = bytes < kLine ? 8 : kLine;
  return (bytes + unit - 1) / unit * unit;
}

// The kit's clock without its way into seconds, of which a part would lie inside the interval: the
// shortest operations take less than ten times as long.
std::int64_t now_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

/// Where inputs and outputs lie: so many, so far apart.
struct Layout {
  std::int64_t width = 0;  ///< bytes of an element
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
  int inputs = 0;
  int outputs = 0;
};

Layout layout_of(const CellSpec& spec, const Shape& shape, const BatchPlan& plan) {
  Layout layout;
  layout.width = static_cast<std::int64_t>(size_of(spec.dtype));
  layout.in_stride = spec.in_place ? 0 : padded(shape.in_count * layout.width);
  layout.out_stride =
      padded(std::max(shape.out_count, spec.in_place ? shape.in_count : 0) * layout.width);
  layout.inputs = spec.in_place ? 0 : plan.slots;
  // Leaving a barrier apart is a part of what short operations take: one more goes before, into an
  // output of its own, as long as that has room in the caches.
  constexpr std::int64_t kMostBytes = 256 * 1024;
  const bool runs_up =
      plan.lead == 0 && !spec.in_place && layout.in_stride + layout.out_stride <= kMostBytes;
  layout.outputs = plan.slots + (runs_up ? 1 : 0);
  return layout;
}

// The buffers and the running totals of one cell on one rank.
class CellRun {
 public:
  CellRun(Transport& transport, const CellSpec& spec, const MeasuringRule& rule,
          const std::optional<kit::Injection>& injection, kit::ProgressWriter& word)
      : transport_(transport),
        word_(word),
        spec_(spec),
        rule_(rule),
        injection_(injection),
        shape_(shape_of(spec.operation, transport.size(), spec.bytes, size_of(spec.dtype))),
        segments_(expected_output(spec.operation, shape_, transport.rank(), transport.size())),
        plan_(plan_batch(shape_, size_of(spec.dtype))),
        layout_(layout_of(spec, shape_, plan_)),
        seed_(seed_of(spec, rule.seed)) {
    word_.begin(label(spec_), spec_.bytes);
    allocate();
    for (int slot = 0; slot < layout_.inputs; ++slot) {
      pattern(slot).input(transport_.rank(), 0, shape_.in_count, input(slot));
    }
  }

  CellResult run(const Progress& progress) {
    const std::int64_t warmup = (rule_.warmup + plan_.slots - 1) / plan_.slots;
    for (std::int64_t i = 0; i < warmup; ++i) batch(false);
    const double start = kit::now_seconds();
    bool more = true;
    while (more) {
      batch(true);
      shortest_ = std::min(shortest_, seconds_.back());
      std::array<double, 2> agreed{kit::now_seconds() - start, shortest_};
      max_over_ranks(agreed);
      usual_seconds_ = agreed[1];
      const auto taken = static_cast<std::int64_t>(seconds_.size());
      more = taken < rule_.max_iterations &&
             (taken < rule_.iterations || agreed[0] < rule_.min_seconds);
      progress(done_part(rule_, taken, agreed[0]));
    }
    max_over_ranks(seconds_);
    return summary();
  }

 private:
  void max_over_ranks(std::span<double> values) {
    word_.exchange([&] { transport_.max_over_ranks(values); });
  }

  void allocate() {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
    const std::int64_t slots = layout_.outputs;
    const bool countable =
        layout_.in_stride + layout_.out_stride < most / slots / transport_.local_size();
    const std::int64_t need =
        countable ? layout_.inputs * layout_.in_stride + layout_.outputs * layout_.out_stride
                  : most;
    const std::int64_t here = countable ? need * transport_.local_size() : most;
    const std::int64_t available = kit::available_memory_bytes();
    std::array<double, 1> lacking{here > available ? 1.0 : 0.0};
    if (lacking[0] == 0) {
      try {
        in_.emplace_back(
            static_cast<std::size_t>(std::max(layout_.inputs * layout_.in_stride, kLine)));
        out_.emplace_back(static_cast<std::size_t>(layout_.outputs * layout_.out_stride));
      } catch (const kit::DeviceError&) {
        lacking[0] = 1;
      }
    }
    // Said by all or by none: a rank that left alone would leave the others waiting.
    max_over_ranks(lacking);
    if (lacking[0] == 0) return;
    throw kit::Unavailable(fmt::format(
        "{} needs {} bytes of buffers per rank, and a machine of the group has not as much for its "
        "ranks (here: {} ranks, {} bytes available); choose a smaller --end",
        label(spec_), need, transport_.local_size(), available));
  }

  // None where the input lies in the output.
  char* input(int slot) const {
    if (spec_.in_place) return nullptr;
    return static_cast<char*>(in_.front().data()) + slot * layout_.in_stride;
  }
  char* output(int slot) const {
    return static_cast<char*>(out_.front().data()) + slot * layout_.out_stride;
  }

  Pattern pattern(int slot) const {
    const std::uint64_t base = mix(seed_, static_cast<std::uint64_t>(slot));
    return {spec_.dtype, spec_.redop, transport_.size(),
            Seeds{base, mix(base, static_cast<std::uint64_t>(batches_))}};
  }

  void prepare(int slot) const {
    const int poison = static_cast<int>((batches_ % 2 == 0 ? kPoison : ~kPoison) & 0xff);
    if (spec_.in_place || !segments_.empty()) {
      std::memset(output(slot), poison, static_cast<std::size_t>(layout_.out_stride));
    }
    if (!spec_.in_place) return;
    const int rank = transport_.rank();
    const std::int64_t own =
        spec_.operation == Operation::kAllGather ? rank * shape_.count * layout_.width : 0;
    pattern(slot).input(rank, 0, shape_.in_count, output(slot) + own);
  }

  void call(const void* in, void* out) {
    const RedOp redop = spec_.redop.value_or(RedOp::kSum);
    switch (spec_.operation) {
      case Operation::kAllReduce:
        return transport_.all_reduce(in, out, shape_.count, spec_.dtype, redop);
      case Operation::kAllGather:
        return transport_.all_gather(in, out, shape_.count, spec_.dtype);
      case Operation::kReduceScatter:
        return transport_.reduce_scatter(in, out, shape_.count, spec_.dtype, redop);
      case Operation::kBroadcast:
        return transport_.broadcast(in, out, shape_.count, spec_.dtype);
      case Operation::kReduce:
        return transport_.reduce(in, out, shape_.count, spec_.dtype, redop);
      case Operation::kAllToAll:
        return transport_.all_to_all(in, out, shape_.count, spec_.dtype);
      case Operation::kSendRecv:
        return transport_.send_recv(in, out, shape_.count, spec_.dtype);
    }
  }

  // Spots of poison in an output that already holds the right result: what is not written again
  // shows, and the caches stay as the operation left them. They lie elsewhere in each batch.
  void spot() const {
    constexpr std::int64_t kApart = 1024;
    if (segments_.empty()) return;
    const std::int64_t bytes = shape_.out_count * layout_.width;
    const std::uint64_t poison = batches_ % 2 == 0 ? kPoison : ~kPoison;
    for (std::int64_t at = batches_ * kLine % kApart; at + 8 <= bytes; at += kApart) {
      std::memcpy(output(0) + at, &poison, sizeof(poison));
    }
  }

  // One barrier lets a rank go that then finds the other off its processor; after a few in a row
  // all have been seen running.
  void settle() {
    constexpr int kBarriers = 4;
    for (int i = 0; i < kBarriers; ++i) word_.exchange([&] { transport_.barrier(); });
  }

  void rehearse() {
    const int times = usual_seconds_ > kLongSeconds ? 1 : kRehearsals;
    for (int i = 0; i < times; ++i) word_.exchange([&] { call(input(0), output(0)); });
    spot();
    settle();
    if (layout_.outputs > plan_.slots) word_.exchange([&] { call(input(0), output(plan_.slots)); });
  }

  void batch(bool timed) {
    for (int slot = 0; slot < layout_.inputs; ++slot) {
      pattern(slot).stamp(transport_.rank(), 0, shape_.in_count, input(slot));
    }
    for (int slot = 0; slot < plan_.slots; ++slot) prepare(slot);
    const std::size_t before = seconds_.size();
    seconds_.resize(before + static_cast<std::size_t>(plan_.slots));
    double* times = seconds_.data() + before;
    settle();
    if (plan_.lead == 0 && !spec_.in_place) rehearse();
    for (int slot = 0; slot < plan_.slots; ++slot) {
      const contract::Place place = word_.next_operation();
      word_.enter(place);
      const std::int64_t start = now_nanoseconds();
      call(input(slot), output(slot));
      times[slot] = static_cast<double>(now_nanoseconds() - start) / 1e9;
      word_.complete(place);
    }
    if (timed) {
      seconds_.erase(seconds_.begin() + static_cast<std::ptrdiff_t>(before),
                     seconds_.begin() + static_cast<std::ptrdiff_t>(before) + plan_.lead);
      inject();
    } else {
      seconds_.resize(before);
    }
    for (int slot = 0; slot < plan_.slots; ++slot) verify(slot);
    ++batches_;
  }

  // Once, into the first timed result of the last rank that has one.
  void inject() {
    const bool last = transport_.rank() == transport_.size() - 1;
    const bool here = spec_.operation == Operation::kReduce ? transport_.rank() == kRoot : last;
    if (!injection_ || !here) return;
    kit::flip(*injection_, output(plan_.lead), shape_.out_count, size_of(spec_.dtype));
    injection_.reset();
  }

  void verify(int slot) {
    const Findings found = inspect(segments_, pattern(slot), spec_.dtype, output(slot));
    found_.compared += found.compared;
    found_.wrong += found.wrong;
    if (found.first && !found_.first) {
      found_.first = found.first;
      first_wrong_iteration_ = batches_ * plan_.slots + slot;
    }
  }

  CellResult summary() {
    CellResult result;
    result.shape = shape_;
    result.seconds = std::move(seconds_);
    result.operations = batches_ * plan_.slots;
    word_.exchange([&] {
      unpack(transport_.gather(pack({found_, first_wrong_iteration_})), result);
    });
    return result;
  }

  Transport& transport_;
  kit::ProgressWriter& word_;
  const CellSpec& spec_;
  const MeasuringRule& rule_;
  std::optional<kit::Injection> injection_;
  Shape shape_;
  std::vector<Segment> segments_;
  BatchPlan plan_;
  Layout layout_;
  double shortest_ = std::numeric_limits<double>::max();  // last of a batch
  double usual_seconds_ = 0;                              // the same on all ranks
  std::uint64_t seed_;
  std::vector<kit::RawBuffer> in_;
  std::vector<kit::RawBuffer> out_;
  std::vector<double> seconds_;
  std::int64_t batches_ = 0;
  Findings found_;
  std::int64_t first_wrong_iteration_ = 0;
};

}  // namespace

std::string label(const CellSpec& spec) {
  std::string text = fmt::format("{} {} B {}", word(spec.operation), spec.bytes, word(spec.dtype));
  if (spec.redop) text += fmt::format(" {}", word(*spec.redop));
  if (spec.in_place) text += " in place";
  if (spec.launch != Launch::kPlain) text += fmt::format(" {}", word(spec.launch));
  if (spec.registration != Registration::kNone) {
    text += fmt::format(" {}", word(spec.registration));
  }
  return text;
}

std::uint64_t seed_of(const CellSpec& spec, std::uint64_t seed) {
  seed = mix(seed, static_cast<std::uint64_t>(spec.operation));
  seed = mix(seed, static_cast<std::uint64_t>(spec.dtype));
  seed = mix(seed, spec.redop ? static_cast<std::uint64_t>(*spec.redop) + 1 : 0);
  return mix(seed, static_cast<std::uint64_t>(spec.bytes));
}

std::vector<double> pack(const RankFindings& findings) {
  const WrongElement mine = findings.found.first.value_or(WrongElement{});
  const auto low = [](std::uint64_t bits) { return static_cast<double>(bits & 0xffffffffU); };
  const auto high = [](std::uint64_t bits) { return static_cast<double>(bits >> 32); };
  return {static_cast<double>(findings.found.compared),
          static_cast<double>(findings.found.wrong),
          static_cast<double>(findings.iteration),
          static_cast<double>(mine.index),
          static_cast<double>(mine.source),
          low(mine.got),
          high(mine.got),
          low(mine.want),
          high(mine.want)};
}

void unpack(const std::vector<double>& all, CellResult& result) {
  const auto joined = [](double lower, double upper) {
    return static_cast<std::uint64_t>(lower) | static_cast<std::uint64_t>(upper) << 32;
  };
  const auto ranks = static_cast<int>(all.size() / kFindingsFields);
  for (int rank = 0; rank < ranks; ++rank) {
    const double* of = all.data() + static_cast<std::size_t>(rank) * kFindingsFields;
    result.compared += static_cast<std::int64_t>(of[0]);
    result.wrong += static_cast<std::int64_t>(of[1]);
    if (of[1] == 0 || result.first_wrong) continue;
    result.first_wrong = WrongPlace{rank,
                                    static_cast<std::int64_t>(of[2]),
                                    {static_cast<std::int64_t>(of[3]), static_cast<int>(of[4]),
                                     joined(of[5], of[6]), joined(of[7], of[8])}};
  }
}

double done_part(const MeasuringRule& rule, std::int64_t taken, double elapsed) {
  const double by_count =
      static_cast<double>(taken) / static_cast<double>(std::max<std::int64_t>(1, rule.iterations));
  const double by_time = rule.min_seconds > 0 ? elapsed / rule.min_seconds : 1;
  const double by_limit = static_cast<double>(taken) / static_cast<double>(rule.max_iterations);
  return std::clamp(std::max(std::min(by_count, by_time), by_limit), 0.0, 1.0);
}

BatchPlan plan_batch(const Shape& shape, std::size_t element_bytes) {
  // What the slots of a batch may take together, so that a rotation over several buffers finds them
  // in the same caches as a loop over one pair would.
  constexpr std::int64_t kSlotBytes = 16 * 1024;
  constexpr std::int64_t kMostSlots = 512;
  constexpr std::int64_t kLeastSlots = 4;
  constexpr std::int64_t kMostLead = 8;
  const auto element = static_cast<std::int64_t>(element_bytes);
  const std::int64_t pair = padded(shape.in_count * element) + padded(shape.out_count * element);
  const std::int64_t slots = std::min(kSlotBytes / pair, kMostSlots);
  if (slots < kLeastSlots) return {};
  return {static_cast<int>(slots), static_cast<int>(std::min(kMostLead, slots / 2))};
}

CellResult measure_cell(Transport& transport, const CellSpec& spec, const MeasuringRule& rule,
                        const std::optional<kit::Injection>& injection, const Progress& progress,
                        kit::ProgressWriter& word) {
  return CellRun(transport, spec, rule, injection, word).run(progress);
}

}  // namespace rackproof::collectives
