#include "harness/telemetry/gpu_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "harness/telemetry/gpm_columns.hpp"
#include "harness/telemetry/gpu_columns.hpp"
#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/nvlink_columns.hpp"

namespace rackproof::telemetry {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::chrono::duration<double> seconds(double count) { return std::chrono::duration<double>(count); }

}  // namespace

// Held by both sides: a thread that hangs may come back when nobody waits any more.
struct GpuThread::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;  ///< the list of GPUs is known
  bool leaving = false;
  bool gone = false;
  std::optional<Moment> question;  ///< to be answered, or being answered
  bool answered = false;
  SteadyClock::time_point asked_at;
  std::vector<double> values;
  std::vector<Event> events;
  std::vector<Column> columns;
  std::vector<std::string> notes;
  std::size_t gpus = 0;
};

GpuThread::GpuThread(const std::string& library, double start_seconds, double patience_seconds)
    : shared_(std::make_shared<Shared>()), patience_seconds_(patience_seconds) {
  shared_->asked_at = SteadyClock::now();
  std::thread([shared = shared_, library] { work(shared, library); }).detach();
  std::unique_lock lock(shared_->mutex);
  const bool ready =
      shared_->changed.wait_for(lock, seconds(start_seconds), [this] { return shared_->ready; });
  if (ready) {
    columns_ = shared_->columns;
    notes_ = shared_->notes;
    gpus_ = shared_->gpus;
  } else {
    notes_.push_back(
        fmt::format("GPUs are not recorded: NVML: no answer in {:g} s", start_seconds));
  }
}

GpuThread::~GpuThread() {
  std::unique_lock lock(shared_->mutex);
  shared_->leaving = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, seconds(1), [this] { return shared_->gone; });
}

void GpuThread::work(const std::shared_ptr<Shared>& shared, const std::string& library_file) {
  {
    const nvml::Library library(library_file);
    std::optional<GpuColumns> source;
    std::optional<GpmColumns> gpm;
    std::optional<NvlinkColumns> nvlink;
    if (library.problem().empty()) {
      source.emplace(library);
      gpm.emplace(library, source->handles());
      nvlink.emplace(library, source->handles());
    }
    const std::size_t own = source ? source->columns().size() : 0;
    const std::size_t counted = gpm ? gpm->columns().size() : 0;
    std::vector<double> values(own + counted + (nvlink ? nvlink->columns().size() : 0));
    std::unique_lock lock(shared->mutex);
    if (source) {
      shared->columns = source->columns();
      for (const Columns* more :
           {static_cast<const Columns*>(&*gpm), static_cast<const Columns*>(&*nvlink)}) {
        shared->columns.insert(shared->columns.end(), more->columns().begin(),
                               more->columns().end());
      }
      shared->notes = source->notes();
      shared->gpus = source->gpus();
    } else {
      shared->notes = {"GPUs are not recorded: " + library.problem()};
    }
    shared->ready = true;
    shared->changed.notify_all();
    while (source) {
      shared->changed.wait(
          lock, [&] { return shared->leaving || (shared->question && !shared->answered); });
      if (shared->leaving) break;
      const Moment moment = *shared->question;
      lock.unlock();
      source->read(moment, std::span(values).first(own));
      gpm->read(moment, std::span(values).subspan(own, counted));
      nvlink->read(moment, std::span(values).subspan(own + counted));
      std::vector<Event> events = source->take_events();
      lock.lock();
      shared->values = values;
      std::move(events.begin(), events.end(), std::back_inserter(shared->events));
      shared->answered = true;
      shared->changed.notify_all();
    }
  }
  const std::scoped_lock lock(shared->mutex);
  shared->gone = true;
  shared->changed.notify_all();
}

void GpuThread::read(Moment moment, std::span<double> values) {
  if (columns_.empty()) return;
  std::unique_lock lock(shared_->mutex);
  const bool late = shared_->question && !shared_->answered;
  if (!late) {
    // An answer that came after its deadline is of the time since the last sample: it is taken.
    const bool came_late = shared_->question.has_value();
    if (!came_late) {
      shared_->question = moment;
      shared_->asked_at = SteadyClock::now();
      shared_->changed.notify_all();
    }
    shared_->changed.wait_for(lock, seconds(patience_seconds_),
                              [this] { return shared_->answered; });
  }
  if (shared_->answered) {
    std::copy(shared_->values.begin(), shared_->values.end(), values.begin());
    shared_->question.reset();
    shared_->answered = false;
    return;
  }
  const auto waited =
      std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - shared_->asked_at);
  std::fill(values.begin(), values.end(),
            missing(Why::kNoAnswer, static_cast<std::uint32_t>(waited.count())));
}

std::vector<Event> GpuThread::take_events() {
  const std::scoped_lock lock(shared_->mutex);
  return std::exchange(shared_->events, {});
}

bool GpuThread::hangs() const {
  const std::scoped_lock lock(shared_->mutex);
  return !shared_->gone && (!shared_->ready || (shared_->question && !shared_->answered));
}

}  // namespace rackproof::telemetry
