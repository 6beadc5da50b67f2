#include "harness/telemetry/ring_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace rackproof::telemetry {
namespace {

// A slot that is written while the file is read looks damaged: it is whole a moment later.
constexpr int kLooks = 3;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw RecordingError(name + ": " + what);
}

// Bytes of a file as the words that they are, wherever they lie in memory.
std::vector<std::uint64_t> words_at(std::string_view bytes, std::size_t from, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  std::memcpy(words.data(), bytes.data() + from, count * 8);
  return words;
}

// Each number is checked before the next is computed from it.
Head checked_head(std::string_view bytes, const std::string& name) {
  Head head{};
  if (bytes.size() < sizeof kMagic ||
      bytes.substr(0, sizeof kMagic) != std::string_view(kMagic, sizeof kMagic)) {
    refuse(name, "is no recording of rackproof");
  }
  if (bytes.size() < sizeof head) refuse(name, "is cut off within its head");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.byte_order == kOtherByteOrder) {
    refuse(name, "was written on a machine with another byte order; read it on one like that");
  }
  if (head.byte_order != kByteOrder) refuse(name, "its mark of the byte order is damaged");
  if (head.version != kVersion) {
    refuse(name, "is version " + std::to_string(head.version) +
                     " of the format; this program reads version " + std::to_string(kVersion));
  }
  if (head.text_bytes > kLargestText || head.columns > kMostColumns ||
      head.head_bytes != (sizeof head + head.text_bytes + 7) / 8 * 8) {
    refuse(name, "its head is damaged: it gives sizes that no recording has");
  }
  if (bytes.size() < head.head_bytes) refuse(name, "is cut off within its head");
  std::vector<std::uint64_t> words = words_at(bytes, 0, head.head_bytes / 8);
  Head blank = head;
  blank.seal = 0;
  std::memcpy(words.data(), &blank, sizeof blank);
  if (seal_of(0, words) != head.seal) refuse(name, "its head is damaged: the checksum is another");
  const std::uint64_t slot_bytes = (kSlotHead + head.columns) * 8;
  if (head.slots > (bytes.size() - head.head_bytes) / slot_bytes) {
    refuse(name, "is cut off: its head promises " + std::to_string(head.slots) + " samples of " +
                     std::to_string(slot_bytes) + " bytes, there is room for " +
                     std::to_string((bytes.size() - head.head_bytes) / slot_bytes));
  }
  return head;
}

About about_of(const Head& head, std::string_view bytes, const std::string& name) {
  About about;
  about.interval_ns = head.interval_ns;
  about.start_monotonic_ns = head.start_monotonic_ns;
  about.start_realtime_ns = head.start_realtime_ns;
  try {
    read_text(std::string(bytes.substr(sizeof head, head.text_bytes)), about);
  } catch (const std::invalid_argument& error) {
    refuse(name, std::string("its head is damaged: ") + error.what());
  }
  if (about.columns.size() != head.columns) {
    refuse(name, "its head is damaged: the number of columns is another than it says");
  }
  // Signed sums of these stay far from overflow for three hundred years.
  constexpr std::uint64_t kLatest = INT64_MAX / 2;
  if (head.start_monotonic_ns > kLatest || head.start_realtime_ns < 0 ||
      head.start_realtime_ns > static_cast<std::int64_t>(kLatest) || head.interval_ns == 0 ||
      head.interval_ns > kLatest) {
    refuse(name, "its head is damaged: it gives times that no clock has");
  }
  return about;
}

void take_slots(const Head& head, std::string_view bytes, Recording& recording) {
  const std::size_t words_each = kSlotHead + head.columns;
  for (std::uint64_t index = 0; index < head.slots; ++index) {
    const std::vector<std::uint64_t> slot =
        words_at(bytes, head.head_bytes + index * words_each * 8, words_each);
    if (std::all_of(slot.begin(), slot.end(), [](std::uint64_t word) { return word == 0; }))
      continue;
    std::vector<std::uint64_t> sealed(slot.begin() + 2, slot.end());
    sealed[0] = slot[1];
    const std::uint64_t number = slot[0];
    if (number == 0 || (number - 1) % head.slots != index || seal_of(number, sealed) != slot[2] ||
        slot[1] < head.start_monotonic_ns || slot[1] > INT64_MAX / 2) {
      ++recording.damaged;
      continue;
    }
    Sample sample{number, slot[1], {}};
    sample.values.reserve(head.columns);
    for (std::size_t i = kSlotHead; i < slot.size(); ++i) {
      sample.values.push_back(std::bit_cast<double>(slot[i]));
    }
    recording.samples.push_back(std::move(sample));
  }
}

std::string bytes_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) refuse(path, std::system_category().message(errno));
  struct stat status {};
  std::string bytes;
  std::string why;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    why = "is no regular file";
  } else if (static_cast<std::uint64_t>(status.st_size) > kLargestFile) {
    why = "is larger than any recording";
  } else {
    bytes.resize(static_cast<std::size_t>(status.st_size));
  }
  std::size_t have = 0;
  while (why.empty() && have < bytes.size()) {
    const ssize_t count =
        ::pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) why = std::system_category().message(errno);
    if (count <= 0) break;
    have += static_cast<std::size_t>(count);
  }
  ::close(file);
  if (!why.empty()) refuse(path, why);
  bytes.resize(have);
  return bytes;
}

}  // namespace

std::int64_t Recording::realtime_ns(const Sample& sample) const {
  return about.start_realtime_ns +
         static_cast<std::int64_t>(sample.monotonic_ns - about.start_monotonic_ns);
}

int Recording::column(const std::string& key) const {
  for (std::size_t i = 0; i < about.columns.size(); ++i) {
    if (about.columns[i].key() == key) return static_cast<int>(i);
  }
  return -1;
}

Recording parse_recording(std::string_view bytes, const std::string& name) {
  const Head head = checked_head(bytes, name);
  Recording recording;
  recording.about = about_of(head, bytes, name);
  recording.ended = head.end_monotonic_ns != 0;
  take_slots(head, bytes, recording);
  auto& samples = recording.samples;
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.sequence < b.sequence; });
  // A sealed sample of an older round, beside newer ones: what lay there was damaged.
  const std::uint64_t newest = samples.empty() ? 0 : samples.back().sequence;
  const std::uint64_t oldest = newest > head.slots ? newest - head.slots : 0;
  const auto end = std::remove_if(samples.begin(), samples.end(),
                                  [&](const Sample& sample) { return sample.sequence <= oldest; });
  recording.damaged += static_cast<std::uint64_t>(samples.end() - end);
  samples.erase(end, samples.end());
  recording.overwritten = oldest;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].monotonic_ns < samples[i - 1].monotonic_ns) {
      refuse(name, "its times go backwards at sample " + std::to_string(samples[i].sequence));
    }
  }
  return recording;
}

Recording read_recording(const std::string& path) {
  for (int look = 1;; ++look) {
    try {
      Recording recording = parse_recording(bytes_of(path), path);
      // One slot may be under way; more are none of the writer's doing.
      if (recording.damaged == 0 || recording.ended || look == kLooks) return recording;
    } catch (const RecordingError&) {
      if (look == kLooks) throw;
    }
  }
}

}  // namespace rackproof::telemetry
