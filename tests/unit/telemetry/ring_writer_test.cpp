#include "harness/telemetry/ring_writer.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/ring_reader.hpp"
#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {
namespace {

// Values that only belong together: any mixture of two samples shows.
std::vector<double> values_of(std::uint64_t number) {
  const auto base = static_cast<double>(number);
  return {base, base * 3, base * 7};
}

void add_numbered(RingWriter& writer) {
  const std::uint64_t number = writer.samples() + 1;
  writer.add(1'000'000'000 + number * 1000, values_of(number));
}

void check_whole(const Recording& recording) {
  std::uint64_t last = 0;
  for (const Sample& sample : recording.samples) {
    REQUIRE(sample.values == values_of(sample.sequence));
    REQUIRE(sample.monotonic_ns == 1'000'000'000 + sample.sequence * 1000);
    REQUIRE(sample.sequence > last);
    last = sample.sequence;
  }
}

// A writer without an end, in a process that is killed with this at the latest.
class EndlessWriter {
 public:
  EndlessWriter(const std::string& path, std::size_t bytes) : child_(fork()) {
    if (child_ != 0) return;
    RingWriter writer(path, three_columns(), bytes);
    for (;;) add_numbered(writer);
  }
  ~EndlessWriter() { stop(); }
  EndlessWriter(const EndlessWriter&) = delete;
  EndlessWriter& operator=(const EndlessWriter&) = delete;

  void stop() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  pid_t child_;
};

void wait_for_samples(const std::string& path, std::uint64_t least) {
  for (;;) {
    try {
      const Recording recording = read_recording(path);
      if (!recording.samples.empty() && recording.samples.back().sequence >= least) return;
    } catch (const RecordingError&) {
      // not there yet
    }
    usleep(1000);
  }
}

}  // namespace

TEST_CASE("what was recorded is read back") {
  const Scratch scratch;
  const std::string path = scratch.path("r");
  RingWriter writer(path, three_columns(), 65536);
  for (int i = 0; i < 5; ++i) add_numbered(writer);
  const std::vector<double> odd = {missing(Why::kDriver, 15), -0.5, 1e300};
  writer.add(2'000'000'000, odd);
  Recording recording = read_recording(path);
  CHECK(recording.about == three_columns());
  CHECK_FALSE(recording.ended);
  REQUIRE(recording.samples.size() == 6);
  CHECK(why_missing(recording.samples[5].values[0]) == "the GPU is lost");
  CHECK(recording.samples[5].values[2] == 1e300);
  CHECK(recording.realtime_ns(recording.samples[5]) == 1'700'000'001'000'000'000);
  CHECK(recording.column("gpu.energy{GPU-0}") == 1);
  CHECK(recording.column("gpu.energy") == -1);
  writer.close(3'000'000'000);
  recording = read_recording(path);
  CHECK(recording.ended);
  CHECK(recording.samples.size() == 6);
  CHECK(recording.damaged == 0);
  CHECK(std::filesystem::file_size(path) < 1000);
}

TEST_CASE("a full ring keeps the newest samples and its size") {
  const Scratch scratch;
  const std::string path = scratch.path("r");
  RingWriter writer(path, three_columns(), 4096);
  const std::uint64_t slots = writer.slots();
  REQUIRE(slots > 50);
  for (std::uint64_t i = 0; i < 10 * slots + 7; ++i) add_numbered(writer);
  CHECK(std::filesystem::file_size(path) <= 4096);
  for (const bool closed : {false, true}) {
    if (closed) writer.close(9'000'000'000);
    const Recording recording = read_recording(path);
    CHECK(recording.samples.size() == slots);
    CHECK(recording.overwritten == 9 * slots + 7);
    CHECK(recording.damaged == 0);
    check_whole(recording);
    CHECK(recording.samples.back().sequence == 10 * slots + 7);
  }
}

TEST_CASE("a writer that is killed leaves every sample but the one under way") {
  const Scratch scratch;
  for (int round = 0; round < 20; ++round) {
    const std::string path = scratch.path(std::to_string(round));
    EndlessWriter writer(path, std::size_t{1} << 20);
    wait_for_samples(path, 100);
    writer.stop();
    const Recording recording = read_recording(path);
    check_whole(recording);
    CHECK_FALSE(recording.ended);
    CHECK(recording.damaged <= 1);
    // No gap but the sample that the next one was to replace.
    const std::uint64_t span =
        recording.samples.back().sequence - recording.samples.front().sequence + 1;
    CHECK(recording.samples.size() == span);
    CHECK(span >= 100);
  }
}

TEST_CASE("a reader never takes a torn sample from a writer in full run") {
  const Scratch scratch;
  const std::string path = scratch.path("r");
  // So few slots that the writer laps the reader all the time.
  EndlessWriter writer(path, 2048);
  wait_for_samples(path, 1);
  std::uint64_t latest = 0;
  for (int i = 0; i < 300; ++i) {
    const Recording recording = read_recording(path);
    check_whole(recording);
    if (!recording.samples.empty()) {
      CHECK(recording.samples.back().sequence >= latest);
      latest = recording.samples.back().sequence;
    }
  }
  CHECK(latest > 100);
}

TEST_CASE("an older recording is replaced and nothing else is") {
  const Scratch scratch;
  const std::string path = scratch.path("r");
  { RingWriter first(path, three_columns(), 4096); }
  { RingWriter second(path, three_columns(), 8192); }
  CHECK(read_recording(path).samples.empty());
  write_text(scratch.path("notes"), "my notes, which are dear to me");
  CHECK_THROWS_WITH(RingWriter(scratch.path("notes"), three_columns(), 4096),
                    Catch::Contains("is there already and is no recording"));
  CHECK(file_text(scratch.path("notes")) == "my notes, which are dear to me");
}

TEST_CASE("where no recording can be made the reason is said and nothing is left") {
  const Scratch scratch;
  CHECK_THROWS_WITH(RingWriter(scratch.path("no/such/folder"), three_columns(), 4096),
                    Catch::Contains("No such file or directory"));
  CHECK_THROWS_WITH(RingWriter(scratch.path("r"), three_columns(), 400),
                    Catch::Contains("too few for ten samples of 3 columns"));
  CHECK_THROWS_AS(RingWriter("/proc/r", three_columns(), 4096), RecordingError);
  CHECK(std::filesystem::is_empty(scratch.path("")));
}

}  // namespace rackproof::telemetry
