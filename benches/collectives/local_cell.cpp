#include "benches/collectives/local_cell.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "benches/collectives/enqueue.hpp"
#include "benches/collectives/local_buffers.hpp"
#include "benches/collectives/local_graph.hpp"
#include "benches/collectives/slot_plan.hpp"
#include "benches/kit/clock.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/reduction/dtypes.hpp"
#include "benches/kit/reduction/patterns.hpp"

namespace rackproof::collectives {

using namespace reduction;
namespace {

using kit::cuda::DeviceBuffer;
using kit::cuda::Event;
using kit::cuda::PinnedBuffer;

// What no result is expected to be; its complement in every other batch.
constexpr int kPoison = 0xA5;
// Samples that are means over many operations: so many have an interval of their median.
constexpr std::int64_t kLeastMeans = 20;

// What one local rank has beside its buffers.
struct LocalState {
  std::vector<Segment> segments;
  DeviceBuffer<DeviceSegment> device_segments;
  std::int64_t longest = 0;
  // Outlives the findings: giving those back waits for the device, which after an abort may not
  // have done the last copy yet.
  PinnedBuffer<SlotFindings> found_here;
  DeviceBuffer<SlotFindings> findings;
  std::vector<Event> events;
  RankFindings total;
};

class LocalRun {
 public:
  LocalRun(kit::nccl::LocalRanks& locals, const GroupLog& log, const CellSpec& spec,
           const MeasuringRule& rule, const std::optional<kit::Injection>& injection)
      : locals_(locals),
        log_(log),
        spec_(spec),
        rule_(rule),
        injection_(injection),
        shape_(shape_of(spec.operation, locals.size(), spec.bytes, size_of(spec.dtype))),
        plan_(plan_slots(shape_, size_of(spec.dtype), spec.in_place, spec.launch)),
        width_(static_cast<std::int64_t>(size_of(spec.dtype))),
        in_stride_(spec.in_place ? 0 : slot_stride(shape_.in_count * width_)),
        out_stride_(
            slot_stride(std::max(shape_.out_count, spec.in_place ? shape_.in_count : 0) * width_)),
        buffers_(locals, spec.registration, in_stride_ * plan_.slots, out_stride_ * plan_.slots,
                 label(spec)) {
    data_.dtype = spec.dtype;
    data_.redop = spec.redop;
    data_.rule = {seed_of(spec, rule.seed), 0, locals.size(),
                  mean_of(spec.dtype, spec.redop, locals.size())};
    locals_.each([&](int local) { states_.push_back(state_of(local)); });
  }

  CellResult run(const Progress& progress) {
    CellResult result;
    locals_.progress().begin(label(spec_), spec_.bytes);
    locals_.progress().ask([this](std::size_t event) {
      return std::all_of(states_.begin(), states_.end(),
                         [&](const LocalState& state) { return state.events[event].done(); });
    });
    locals_.before_abort([this] { graph_.reset(); });
    locals_.guard([&] { result = measured(progress); });
    locals_.before_abort(nullptr);
    return result;
  }

 private:
  LocalState state_of(int local) {
    LocalState state;
    state.segments = expected_output(spec_.operation, shape_, locals_.rank(local), locals_.size());
    std::vector<DeviceSegment> segments;
    for (const Segment& segment : state.segments) {
      segments.push_back({segment.source, segment.index, segment.offset, segment.count});
      state.longest = std::max(state.longest, segment.count);
    }
    const auto slots = static_cast<std::size_t>(plan_.slots);
    if (!segments.empty()) {
      state.device_segments = DeviceBuffer<DeviceSegment>(segments.size());
      kit::cuda::copy_async(state.device_segments.data(), segments.data(),
                            state.device_segments.bytes(), stream_of(local));
      stream_of(local).synchronize();
    }
    state.findings = DeviceBuffer<SlotFindings>(slots);
    state.found_here = PinnedBuffer<SlotFindings>(slots);
    state.events.resize(slots + 1);
    return state;
  }

  CellResult measured(const Progress& progress) {
    if (!spec_.in_place) {
      locals_.each([&](int local) {
        fill(local, Fill::kAll, {buffers_.in(local), in_stride_, plan_.slots});
      });
    }
    explore();
    const std::int64_t warmup = (rule_.warmup + plan_.slots - 1) / plan_.slots;
    for (std::int64_t i = 1; i < warmup; ++i) batch(false);
    const double start = kit::now_seconds();
    bool more = true;
    while (more) {
      batch(true);
      if (plan_.every > 1) batch_one_by_one();
      std::array<double, 1> elapsed{kit::now_seconds() - start};
      locals_.max_over_ranks(elapsed);
      const auto samples = static_cast<std::int64_t>(seconds_.size());
      const std::int64_t least =
          per_sample() == 1 ? rule_.iterations : std::min(rule_.iterations, kLeastMeans);
      more = samples * per_sample() < rule_.max_iterations &&
             (samples < least || elapsed[0] < rule_.min_seconds);
      progress(done_part(rule_, samples * rule_.iterations / least, elapsed[0]));
    }
    locals_.max_over_ranks(seconds_);
    locals_.max_over_ranks(single_seconds_);
    return summary();
  }

  std::int64_t per_sample() const {
    return spec_.launch == Launch::kGraph ? plan_.slots : plan_.every;
  }

  // For the tail, which a mean hides.
  void batch_one_by_one() {
    one_by_one_ = true;
    batch(true);
    one_by_one_ = false;
  }

  // Operations between two events.
  int step() const { return one_by_one_ ? 1 : plan_.every; }

  // The first batch, in which NCCL connects what it needs and says what it chose; always of plain
  // launches, since connecting belongs in no graph.
  void explore() {
    const bool told = locals_.first_rank() == 0 && log_.file.tell_launches(true);
    locals_.first_of_kind(label(spec_), [&] { batch(false); });
    if (spec_.launch == Launch::kGraph) {
      graph_ = std::make_unique<LocalGraph>(locals_, [&] {
        for (int slot = 0; slot < plan_.slots; ++slot) operate(slot);
      });
      batch(false);
    }
    if (!told) return;
    const kit::nccl::Log log = kit::nccl::parse_log(log_.file.text());
    log_.file.tell_launches(false);
    chosen_ = of_operation(log.choices);
    // Connections made for this cell; later ones find them there.
    for (const auto& [kind, count] : log.transports) log_.told.transports[kind] += count;
    if (const auto facts = kit::nccl::to_facts(log); facts.contains("transports")) {
      chosen_["transports"] = facts.at("transports");
    }
  }

  // The alignment is an AllReduce too, of four bytes; the cell's own operations come after it.
  contract::Parameters of_operation(const std::vector<kit::nccl::Choice>& choices) const {
    constexpr std::array<const char*, 7> kNames{
        "AllReduce", "AllGather", "ReduceScatter", "Broadcast", "Reduce", "AlltoAll", "SendRecv"};
    const std::string name = kNames[static_cast<std::size_t>(spec_.operation)];
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
      if (choice->operation == name && (!is_alignment(*choice) || shape_.count * width_ == 4)) {
        return kit::nccl::to_facts(*choice);
      }
    }
    return {};
  }
  static bool is_alignment(const kit::nccl::Choice& choice) {
    return choice.operation == "AllReduce" && choice.bytes == 4;
  }

  void fill(int local, Fill what, const Slots& slots) {
    fill_async(data_, what, locals_.rank(local), shape_.in_count, slots, stream_of(local).get());
  }
  const kit::cuda::Stream& stream_of(int local) const { return locals_.stream(local); }
  InPlaceOffsets offsets(int local) const {
    return spec_.in_place ? in_place_offsets(spec_.operation, shape_, locals_.rank(local))
                          : InPlaceOffsets{};
  }
  char* output(int local, int slot) const {
    return buffers_.out(local) + slot * out_stride_ + offsets(local).out * width_;
  }
  const char* input(int local, int slot) const {
    if (!spec_.in_place) return buffers_.in(local) + slot * in_stride_;
    return buffers_.out(local) + slot * out_stride_ + offsets(local).in * width_;
  }

  void prepare(int local) {
    const int poison = (batches_ % 2 == 0 ? kPoison : ~kPoison) & 0xff;
    kit::cuda::fill_async(buffers_.out(local), poison,
                          static_cast<std::size_t>(out_stride_ * plan_.slots), stream_of(local));
    if (spec_.in_place) {
      char* const first = buffers_.out(local) + offsets(local).in * width_;
      fill(local, Fill::kAll, {first, out_stride_, plan_.slots});
    } else {
      fill(local, Fill::kStamps, {buffers_.in(local), in_stride_, plan_.slots});
    }
  }

  void operate(int slot) {
    locals_.together([&](int local) {
      enqueue(locals_, local, spec_.operation, input(local, slot), output(local, slot),
              shape_.count, spec_.dtype, spec_.redop.value_or(RedOp::kSum));
    });
  }

  void mark(std::size_t event) {
    locals_.each([&](int local) {
      states_[static_cast<std::size_t>(local)].events[event].record(stream_of(local));
    });
  }

  // Whether the event with this number comes after so many slots.
  bool is_marked(int slot) const {
    return step() == 1 || (slot >= plan_.lead && (slot - plan_.lead) % step() == 0);
  }

  void foretell(kit::nccl::LocalProgress& told) const {
    if (locals_.is_first_of_kind()) {
      // A host that waits inside NCCL for a connection does not look: its device may be further.
      told.exchange();
      return told.operations(plan_.slots);
    }
    told.exchange(0);
    if (graph_) return told.operations(plan_.slots, 1);
    told.batch(plan_.slots, [this](int slot) { return is_marked(slot); });
  }

  void operate_all() {
    foretell(locals_.progress());
    locals_.align();
    mark(0);
    if (graph_) {
      graph_->launch();
      mark(1);
      return;
    }
    for (int slot = 0; slot < plan_.slots; ++slot) {
      operate(slot);
      if (is_marked(slot + 1)) mark(static_cast<std::size_t>(slot) + 1);
    }
  }

  void batch(bool timed) {
    data_.rule.batch = static_cast<std::uint64_t>(batches_);
    locals_.each([&](int local) { prepare(local); });
    operate_all();
    if (timed) inject();
    locals_.each([&](int local) { verify(local); });
    locals_.wait(label(spec_));
    if (timed) take_times();
    for (int local = 0; local < locals_.count(); ++local) add_findings(local);
    ++batches_;
  }

  // Each interval as the slowest local rank had it.
  void take_times() {
    if (graph_) {
      seconds_.push_back(longest(0, 1) / static_cast<double>(plan_.slots));
      return;
    }
    for (int slot = plan_.lead; slot < plan_.slots; slot += step()) {
      const auto from = static_cast<std::size_t>(slot);
      const auto to = from + static_cast<std::size_t>(step());
      (one_by_one_ ? single_seconds_ : seconds_).push_back(longest(from, to) / step());
    }
  }

  double longest(std::size_t from, std::size_t to) const {
    double seconds = 0;
    for (const LocalState& state : states_) {
      seconds = std::max(seconds, kit::cuda::seconds_between(state.events[from], state.events[to]));
    }
    return seconds;
  }

  // Once, into the first timed result of the last rank that has one.
  void inject() {
    const int rank = spec_.operation == Operation::kReduce ? kRoot : locals_.size() - 1;
    const int local = rank - locals_.first_rank();
    if (!injection_ || local < 0 || local >= locals_.count()) return;
    locals_.wait(label(spec_));
    const std::int64_t element = injection_->element % shape_.out_count;
    char* const at = output(local, plan_.lead) + element * width_;
    std::array<char, sizeof(std::uint64_t)> bytes{};
    kit::cuda::copy(bytes.data(), at, static_cast<std::size_t>(width_));
    kit::flip({0, injection_->bit}, bytes.data(), 1, static_cast<std::size_t>(width_));
    const kit::cuda::Stream& stream = stream_of(local);
    kit::cuda::copy_async(at, bytes.data(), static_cast<std::size_t>(width_), stream);
    stream.synchronize();
    injection_.reset();
  }

  void verify(int local) {
    LocalState& state = states_[static_cast<std::size_t>(local)];
    if (state.segments.empty()) return;
    for (std::size_t slot = 0; slot < state.found_here.size(); ++slot) {
      state.found_here.data()[slot] = {0, kNoneWrong};
    }
    const kit::cuda::Stream& stream = stream_of(local);
    kit::cuda::copy_async(state.findings.data(), state.found_here.data(), state.findings.bytes(),
                          stream);
    verify_async(data_, state.device_segments.data(), static_cast<int>(state.segments.size()),
                 state.longest, {output(local, 0), out_stride_, plan_.slots}, state.findings.data(),
                 stream.get());
    kit::cuda::copy_async(state.found_here.data(), state.findings.data(), state.findings.bytes(),
                          stream);
  }

  void add_findings(int local) {
    LocalState& state = states_[static_cast<std::size_t>(local)];
    if (state.segments.empty()) return;
    Findings& total = state.total.found;
    for (int slot = 0; slot < plan_.slots; ++slot) {
      const SlotFindings& found = state.found_here.data()[slot];
      for (const Segment& segment : state.segments) total.compared += segment.count;
      total.wrong += static_cast<std::int64_t>(found.wrong);
      if (found.wrong == 0 || total.first) continue;
      total.first = look_at(local, slot, static_cast<std::int64_t>(found.first));
      state.total.iteration = batches_ * plan_.slots + slot;
    }
  }

  // What is there and what should be, by the host's own computation.
  WrongElement look_at(int local, int slot, std::int64_t index) const {
    const LocalState& state = states_[static_cast<std::size_t>(local)];
    const auto segment = std::find_if(
        state.segments.begin(), state.segments.end(),
        [&](const Segment& one) { return index >= one.offset && index < one.offset + one.count; });
    const std::uint64_t base = mix(data_.rule.seed, static_cast<std::uint64_t>(slot));
    const Pattern pattern(spec_.dtype, spec_.redop, locals_.size(),
                          {base, mix(base, data_.rule.batch)});
    std::uint64_t got = 0;
    std::uint64_t want = 0;
    kit::cuda::copy(&got, output(local, slot) + index * width_, static_cast<std::size_t>(width_));
    pattern.expected(segment->source, segment->index + index - segment->offset, 1, &want);
    return {index, segment->source, bits_at(&got, 0, spec_.dtype), bits_at(&want, 0, spec_.dtype)};
  }

  CellResult summary() {
    std::vector<std::vector<double>> rows;
    for (const LocalState& state : states_) rows.push_back(pack(state.total));
    CellResult result;
    result.shape = shape_;
    result.seconds = std::move(seconds_);
    result.per_sample = per_sample();
    result.single_seconds = std::move(single_seconds_);
    result.operations = batches_ * plan_.slots;
    result.chosen = chosen_;
    unpack(locals_.gather(rows), result);
    return result;
  }

  kit::nccl::LocalRanks& locals_;
  GroupLog log_;
  const CellSpec& spec_;
  const MeasuringRule& rule_;
  std::optional<kit::Injection> injection_;
  Shape shape_;
  BatchPlan plan_;
  std::int64_t width_;
  std::int64_t in_stride_;
  std::int64_t out_stride_;
  LocalBuffers buffers_;
  SlotData data_;
  std::vector<LocalState> states_;
  std::unique_ptr<LocalGraph> graph_;
  std::vector<double> seconds_;
  std::vector<double> single_seconds_;
  bool one_by_one_ = false;
  std::int64_t batches_ = 0;
  contract::Parameters chosen_;
};

}  // namespace

CellResult measure_on_local_ranks(kit::nccl::LocalRanks& locals, const GroupLog& log,
                                  const CellSpec& spec, const MeasuringRule& rule,
                                  const std::optional<kit::Injection>& injection,
                                  const Progress& progress) {
  return LocalRun(locals, log, spec, rule, injection).run(progress);
}

}  // namespace rackproof::collectives
