#include "benches/collectives/expect.hpp"

#include <algorithm>
#include <array>

#include "benches/collectives/transport.hpp"

namespace rackproof::collectives {

using reduction::bits_at;
using reduction::compare;
using reduction::Difference;
namespace {

// Small enough that what is expected stays in the nearest cache while it is compared.
constexpr std::int64_t kChunk = 1024;

void inspect_segment(const Segment& segment, const Pattern& pattern, Dtype dtype,
                     const char* output, Findings& findings) {
  std::array<std::uint64_t, kChunk> want;
  const auto width = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t done = 0; done < segment.count; done += kChunk) {
    const std::int64_t count = std::min(kChunk, segment.count - done);
    const char* got = output + (segment.offset + done) * width;
    pattern.expected(segment.source, segment.index + done, count, want.data());
    const Difference difference = compare(got, want.data(), count, dtype);
    findings.wrong += difference.wrong;
    if (difference.wrong > 0 && !findings.first) {
      findings.first = WrongElement{segment.offset + done + difference.first, segment.source,
                                    bits_at(got, difference.first, dtype),
                                    bits_at(want.data(), difference.first, dtype)};
    }
  }
  findings.compared += segment.count;
}

}  // namespace

std::vector<Segment> expected_output(Operation operation, const Shape& shape, int rank, int ranks) {
  const std::int64_t count = shape.count;
  std::vector<Segment> segments;
  switch (operation) {
    case Operation::kAllReduce:
      segments.push_back({kAllRanks, 0, 0, count});
      break;
    case Operation::kReduce:
      if (rank == kRoot) segments.push_back({kAllRanks, 0, 0, count});
      break;
    case Operation::kReduceScatter:
      segments.push_back({kAllRanks, rank * count, 0, count});
      break;
    case Operation::kBroadcast:
      if (rank != kRoot) segments.push_back({kRoot, 0, 0, count});
      break;
    case Operation::kSendRecv:
      segments.push_back({(rank + ranks - 1) % ranks, 0, 0, count});
      break;
    case Operation::kAllGather:
      for (int source = 0; source < ranks; ++source) {
        segments.push_back({source, 0, source * count, count});
      }
      break;
    case Operation::kAllToAll:
      for (int source = 0; source < ranks; ++source) {
        segments.push_back({source, rank * count, source * count, count});
      }
      break;
  }
  return segments;
}

Findings inspect(const std::vector<Segment>& segments, const Pattern& pattern, Dtype dtype,
                 const void* output) {
  Findings findings;
  for (const Segment& segment : segments) {
    inspect_segment(segment, pattern, dtype, static_cast<const char*>(output), findings);
  }
  return findings;
}

}  // namespace rackproof::collectives
