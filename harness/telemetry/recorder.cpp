#include "harness/telemetry/recorder.hpp"

#include <sys/statvfs.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <utility>

#include "harness/inventory/file_tree.hpp"
#include "harness/telemetry/host_columns.hpp"
#include "harness/telemetry/kernel_log.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

// Of the interval: the rest is for the host's columns and for being late.
constexpr double kPatience = 0.7;
// What the recorder tells of itself.
constexpr std::size_t kOwnColumns = 2;
constexpr double kShareOfDisk = 0.1;
constexpr double kSpareSamples = 100;

std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double cpu_seconds() { return static_cast<double>(nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) * 1e-9; }

std::string host_name() {
  utsname names{};
  return ::uname(&names) == 0 ? static_cast<const char*>(names.nodename) : "unknown-host";
}

// Never more than is needed, and never so much that others lack it: results are worth more than
// samples.
std::size_t room_for(const RecorderOptions& options, const About& about) {
  auto bytes = static_cast<double>(options.most_bytes);
  if (options.longest_seconds > 0) {
    const auto head = static_cast<double>(head_words(about, 0, 0).size());
    const auto slot = static_cast<double>(kSlotHead + about.columns.size());
    const double samples = options.longest_seconds / options.interval_seconds + kSpareSamples;
    bytes = std::min(bytes, 8 * (head + slot * samples));
  }
  struct statvfs disk {};
  const std::string folder = std::filesystem::path(options.path).parent_path().string();
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &disk) == 0) {
    bytes = std::min(bytes, kShareOfDisk * static_cast<double>(disk.f_bavail) *
                                static_cast<double>(disk.f_frsize));
  }
  return static_cast<std::size_t>(bytes);
}

double budget_of(const RecorderOptions& options, const Cost& cost) {
  return options.budget_seconds * static_cast<double>(cost.devices);
}

}  // namespace

std::uint64_t monotonic_ns() { return static_cast<std::uint64_t>(nanoseconds(CLOCK_MONOTONIC)); }

double Cost::per_sample() const {
  return samples == 0 ? 0
                      : cpu_seconds / static_cast<double>(samples) / static_cast<double>(devices);
}

Recorder::Recorder(const RecorderOptions& options)
    : interval_seconds_(options.interval_seconds),
      budget_(options.budget_seconds),
      events_(options.on_event ? options.on_event : [](const Event&) {}) {
  for (auto& source : host_columns(options.root)) add(std::move(source));
  if (!options.nvml.empty()) {
    auto gpus = std::make_unique<GpuThread>(options.nvml, options.start_seconds,
                                            options.interval_seconds * kPatience);
    gpus_ = gpus.get();
    about_.notes = gpus->notes();
    cost_.devices = std::max<std::size_t>(1, gpus->gpus());
    add(std::move(gpus));
  }
  if (options.on_event) {
    auto messages = std::make_unique<KernelLog>(options.root);
    if (!messages->problem().empty()) about_.notes.push_back(messages->problem());
    add(std::move(messages));
  }
  budget_ = Budget(budget_of(options, cost_));
  about_.columns.push_back(
      column_of(model::column_name::kRecorderCpu, "", Kind::kCounter, "CLOCK_PROCESS_CPUTIME_ID"));
  about_.columns.push_back(
      column_of(model::column_name::kRecorderInterval, "", Kind::kGauge, "the recorder"));
  about_.host = host_name();
  about_.boot =
      inventory::FileTree(options.root).read("/proc/sys/kernel/random/boot_id").text.value_or("");
  about_.interval_ns = static_cast<std::uint64_t>(std::llround(options.interval_seconds * 1e9));
  about_.start_monotonic_ns = monotonic_ns();
  about_.start_realtime_ns = nanoseconds(CLOCK_REALTIME);
  values_.assign(about_.columns.size(), 0);
  writer_ = std::make_unique<RingWriter>(options.path, about_, room_for(options, about_));
  cpu_at_start_ = cpu_seconds();
}

void Recorder::add(std::unique_ptr<Columns> source) {
  const auto& columns = source->columns();
  about_.columns.insert(about_.columns.end(), columns.begin(), columns.end());
  if (about_.columns.size() + kOwnColumns > kMostColumns) {
    throw RecordingError("this node has more than " + std::to_string(kMostColumns) + " columns");
  }
  sources_.push_back(std::move(source));
}

void Recorder::sample(bool last) {
  const std::uint64_t now = monotonic_ns();
  const Moment moment{cost_.samples, last};
  std::span<double> rest(values_);
  for (const auto& source : sources_) {
    const std::size_t count = source->columns().size();
    source->read(moment, rest.first(count));
    rest = rest.subspan(count);
  }
  pass_events(now);
  const double before = cost_.cpu_seconds;
  cost_.cpu_seconds = cpu_seconds() - cpu_at_start_;
  rest[0] = cost_.cpu_seconds;
  rest[1] = interval_seconds();
  writer_->add(now, values_);
  ++cost_.samples;
  // The first opens all files, which the others do not.
  if (cost_.samples > 1) cost_.stretch = budget_.after_sample(cost_.cpu_seconds - before);
}

double Recorder::interval_seconds() const { return interval_seconds_ * cost_.stretch; }

void Recorder::pass_events(std::uint64_t now) {
  for (const auto& source : sources_) {
    for (const Event& event : source->take_events()) events_.take(event);
  }
  events_.tick(now);
}

void Recorder::close() {
  const std::uint64_t now = monotonic_ns();
  events_.close(now);
  writer_->close(now);
}

}  // namespace rackproof::telemetry
