#include "benches/align/cuda_kernels.hpp"
#include "benches/align/cuda_numbers.cuh"
#include "benches/align/cuda_profile.cuh"
#include "benches/kit/cuda/launch.cuh"

// A group of lanes aligns a pair of subjects with a strip of the query. Each lane has some columns
// in registers; rows, that is letters of the subjects, come in at the first lane and go from lane
// to lane with what the last column of each gives to the next.
//
// Of a pair of cells (BLAST's letters in Gotoh's recurrence, each number with `base` added):
//   corner = before + score           the cell before in both, less `first`; the table has score +
//                                     first
//   cell   = max(corner, ending, gap) in gaps of the query and of the subject
//   corner = cell - first             for the next row and column
//   ending = max(ending - next, corner, base)
//   gap    = max(gap - next, corner)
// `ending` is never less than the floor, so the cell is not either, and no other step needs it.
// Of integers (Pair) none is ever negative, and words of two are added like one, by the multiplier:
// maxima take the other pipe of a multiprocessor alone: 3.5 instructions for a pair of cells, and
// one more where a score takes a byte. Numbers in floating point (PairOfHalves) have a sign, and
// `base` is 0.
namespace rackproof::align {
namespace {

constexpr unsigned kAll = ~0U;

// What a group of lanes aligns with a strip.
struct Subjects {
  const std::uint16_t* rows = nullptr;
  int count = 0;      // of rows
  int steps = 0;      // of all groups of the warp
  unsigned half = 0;  // which of the two, where it is one
  const Edge* in = nullptr;
  Edge* out = nullptr;
};

template <class Kind, int kLanes, int kColumns, int kByteColumns>
class Strip {
 public:
  using Scores = Profile<Kind, kLanes, kColumns, kByteColumns>;

  __device__ Strip(const Steady& steady, const unsigned char* table, const Subjects& subjects)
      : steady_(steady),
        table_(table + threadIdx.x % Scores::kSlots * Scores::kPiece),
        subjects_(subjects),
        lane_(static_cast<int>(threadIdx.x % kLanes)),
        read_(lane_ == 0 ? subjects.count : 0),
        taken_(subjects.in != nullptr ? read_ : 0),
        left_(subjects.out != nullptr && lane_ == kLanes - 1 ? subjects.count : 0),
        before_(steady.outside) {
#pragma unroll
    for (int k = 0; k < kColumns; ++k) {
      corner_[k] = before_;
      ending_[k] = steady.base;
    }
  }

  // The largest cell.
  __device__ std::uint32_t run(std::uint32_t top) {
    std::uint32_t letters = steady_.padding;
    std::uint32_t gap = steady_.base;
    uint2 ahead = rows_at(0);
    Edge edge = edge_at(0);
    for (int step = 0; step < subjects_.steps; step += static_cast<int>(kRowsTogether)) {
      uint2 now = ahead;
      ahead = rows_at(step + static_cast<int>(kRowsTogether));
#pragma unroll 2
      for (int i = 0; i < static_cast<int>(kRowsTogether); ++i) {
        letters = __shfl_up_sync(kAll, letters, 1, kLanes);
        gap = __shfl_up_sync(kAll, gap, 1, kLanes);
        std::uint32_t left = __shfl_up_sync(kAll, corner_[kColumns - 1], 1, kLanes);
        if (lane_ == 0) {
          letters = now.x & 0xFFFFU;
          gap = edge.gap;
          left = edge.corner;
        }
        now.x = now.x >> 16 | now.y << 16;
        now.y >>= 16;
        edge = edge_at(step + i + 1);
        row(letters, left, gap, top);
        leave(step + i - lane_, gap);
      }
    }
    return top;
  }

 private:
  __device__ uint2 rows_at(int row) const {
    uint2 read = {steady_.padding | steady_.padding << 16, steady_.padding | steady_.padding << 16};
    if (row < read_) {
      read = legal(*reinterpret_cast<const uint2*>(subjects_.rows + row));
      if constexpr (!Kind::kTwo) {
        read.x = read.x >> subjects_.half * 8 & 0xFF00FFU;
        read.y = read.y >> subjects_.half * 8 & 0xFF00FFU;
      }
    }
    return read;
  }

  // Bytes that are outside of the table: wrong bits in the device's memory make them.
  __device__ uint2 legal(const uint2& read) const {
    constexpr std::uint32_t kEach = 0x1010101U;
    constexpr std::uint32_t kTo128 = (128 - kMostLetters) * kEach;
    const std::uint32_t made = (read.x + kTo128) | read.x | (read.y + kTo128) | read.y;
    if ((made & 128 * kEach) == 0) return read;
    return {steady_.padding | steady_.padding << 16, steady_.padding | steady_.padding << 16};
  }

  __device__ Edge edge_at(int row) const {
    if (row < taken_) return subjects_.in[row];
    return {steady_.outside, steady_.base};
  }

  __device__ void leave(int row, std::uint32_t gap) const {
    if (static_cast<unsigned>(row) < static_cast<unsigned>(left_)) {
      subjects_.out[row] = {corner_[kColumns - 1], gap};
    }
  }

  __device__ void row(std::uint32_t letters, std::uint32_t left, std::uint32_t& gap,
                      std::uint32_t& top) {
    const unsigned char* const a = table_ + (letters & 0xFFU) * Scores::kLetter;
    const unsigned char* const b = table_ + (letters >> 8) * Scores::kLetter;
    std::uint32_t before = before_;
    before_ = left;
    pieces<0>(a, b, before, gap, top);
  }

  template <int piece>
  __device__ void pieces(const unsigned char* a, const unsigned char* b, std::uint32_t& before,
                         std::uint32_t& gap, std::uint32_t& top) {
    constexpr int kAt = piece * Scores::kSlots * Scores::kPiece;
    std::uint32_t of_a[Scores::kPiece / 4];
    std::uint32_t of_b[Scores::kPiece / 4];
    Scores::load(a + kAt, of_a);
    if constexpr (Kind::kTwo) Scores::load(b + kAt, of_b);
    cells<piece, 0>(of_a, of_b, before, gap, top);
    if constexpr (piece + 1 < Scores::kPieces) pieces<piece + 1>(a, b, before, gap, top);
  }

  // Two columns at a time: their cells go into the largest together.
  template <int piece, int i>
  __device__ void cells(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t& before,
                        std::uint32_t& gap, std::uint32_t& top) {
    const std::uint32_t one = cell<piece, i>(a, b, before, gap);
    const std::uint32_t other = cell<piece, i + 1>(a, b, before, gap);
    top = Kind::max3(top, one, other);
    if constexpr (i + 2 < Scores::columns_of(piece)) cells<piece, i + 2>(a, b, before, gap, top);
  }

  template <int piece, int i>
  __device__ std::uint32_t cell(const std::uint32_t* a, const std::uint32_t* b,
                                std::uint32_t& before, std::uint32_t& gap) {
    constexpr int kColumn = Scores::first_of(piece) + i;
    std::uint32_t& corner = corner_[kColumn];
    std::uint32_t& ending = ending_[kColumn];
    if constexpr (piece < Scores::kBytePieces) {
      before = Kind::template with_bytes<i>(before, a, b, steady_);
    } else {
      before = Kind::template with_words<i>(before, a, b, steady_);
    }
    const std::uint32_t made = Kind::max3(ending, gap, before);
    before = corner;
    corner = Kind::corner(made, steady_);
    ending = Kind::ending(ending, corner, steady_);
    gap = Kind::gap(gap, corner, steady_);
    return made;
  }

  const Steady& steady_;
  const unsigned char* table_;
  const Subjects& subjects_;
  int lane_;
  // How many rows this lane reads, takes edges of, and leaves edges of.
  int read_;
  int taken_;
  int left_;
  std::uint32_t before_;
  std::uint32_t corner_[kColumns];
  std::uint32_t ending_[kColumns];
};

// All strips of the query, one after the other, by every thread of the block.
template <class Kind, int kLanes, int kColumns, int kByteColumns>
__device__ std::uint32_t align(const DeviceTask& task, std::uint32_t one, std::uint32_t* table,
                               Subjects subjects, std::int64_t edge) {
  constexpr int kWidth = kLanes * kColumns;
  const Steady steady = steady_of<Kind>(task.numbers, task.letters, one);
  std::uint32_t top = steady.base;
  const int strips = (task.columns + kWidth - 1) / kWidth;
  for (int strip = 0; strip < strips; ++strip) {
    __syncthreads();
    Profile<Kind, kLanes, kColumns, kByteColumns>::fill(task, strip, table);
    __syncthreads();
    Edge* const even = task.edges[0] + edge;
    Edge* const odd = task.edges[1] + edge;
    subjects.in = strip == 0 ? nullptr : strip % 2 == 0 ? odd : even;
    subjects.out = strip + 1 == strips ? nullptr : strip % 2 == 0 ? even : odd;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(table);
    top = Strip<Kind, kLanes, kColumns, kByteColumns>(steady, bytes, subjects).run(top);
  }
#pragma unroll
  for (int lanes = kLanes / 2; lanes > 0; lanes /= 2) {
    const std::uint32_t other = __shfl_down_sync(kAll, top, lanes, kLanes);
    top = Kind::max3(top, other, other);
  }
  return top;
}

// A device whose memory has wrong bits is to give wrong answers, and not to end the program.
__device__ bool is_place(const DeviceTask& task, std::int64_t number) {
  return number >= 0 && number < task.places;
}

// Nothing where the memory of the device says what cannot be: rows that are not there, or more than
// the `most` that there are edges for.
__device__ Subjects subjects_at(const DeviceTask& task, std::int64_t pair, std::int64_t most) {
  const std::int64_t begin = task.begins[pair];
  const std::int64_t end = task.begins[pair + 1];
  Subjects subjects;
  if (begin < 0 || begin > end || end > task.row_count || end - begin > most) return subjects;
  if (begin % kRowsTogether != 0 || end % kRowsTogether != 0) return subjects;
  subjects.rows = task.rows + begin;
  subjects.count = static_cast<int>(end - begin);
  return subjects;
}

__device__ void put_score(const DeviceTask& task, std::int64_t place, int cell) {
  // The last pair may be one subject alone.
  if (!is_place(task, place)) return;
  if (cell > task.numbers.most) {
    const auto at = static_cast<std::int64_t>(atomicAdd(task.again_count, 1ULL));
    if (is_place(task, at)) task.again[at] = static_cast<std::int32_t>(place);
  } else {
    task.scores[place] = cell - task.numbers.base;
  }
}

template <class Kind, int kLanes, int kColumns, int kByteColumns, int kBlocks>
__global__ void __launch_bounds__(kAlignThreads, kBlocks)
    align_kernel(const DeviceTask task, const Batch batch, const std::uint32_t one) {
  using Scores = Profile<Kind, kLanes, kColumns, kByteColumns>;
  RACKPROOF_SHARED(uint4, table, Scores::kBytes / 16);
  const std::int64_t pair =
      batch.first + std::int64_t{blockIdx.x} * (kAlignThreads / kLanes) + threadIdx.x / kLanes;
  Subjects subjects;
  std::int64_t edge = 0;
  if (pair < batch.end) {
    subjects = subjects_at(task, pair, task.longest);
    edge = task.begins[pair] - task.begins[batch.first];
    const bool strips = task.columns > kLanes * kColumns;
    if (strips && (edge < 0 || edge > task.edge_rows - subjects.count)) subjects.count = 0;
  }
  // The first group of a warp has the longest.
  const int longest = __shfl_sync(kAll, subjects.count, 0);
  subjects.count = smaller(subjects.count, longest);
  subjects.steps = longest + kLanes;
  const std::uint32_t top = align<Kind, kLanes, kColumns, kByteColumns>(
      task, one, reinterpret_cast<std::uint32_t*>(&table[0]), subjects, edge);
  if (threadIdx.x % kLanes != 0 || pair >= batch.end) return;
  put_score(task, 2 * pair, static_cast<int>(top & 0xFFFFU));
  put_score(task, 2 * pair + 1, static_cast<int>(top >> 16));
}

constexpr int kAgainColumns = 16;

__global__ void __launch_bounds__(kWarp)
    again_kernel(const DeviceTask task, const std::uint32_t one) {
  using Scores = Profile<Single, kWarp, kAgainColumns, 0>;
  RACKPROOF_SHARED(uint4, table, Scores::kBytes / 16);
  const auto count = static_cast<std::int64_t>(*task.again_count);
  for (std::int64_t i = blockIdx.x; i < count && is_place(task, i); i += gridDim.x) {
    const std::int32_t place = task.again[i];
    if (!is_place(task, place)) continue;
    Subjects subjects = subjects_at(task, place / 2, task.longest);
    subjects.half = place % 2;
    subjects.steps = subjects.count + kWarp;
    const std::uint32_t top = align<Single, kWarp, kAgainColumns, 0>(
        task, one, reinterpret_cast<std::uint32_t*>(&table[0]), subjects,
        blockIdx.x * task.longest);
    if (threadIdx.x == 0) {
      task.scores[place] = static_cast<std::int32_t>(top) - task.numbers.base;
    }
  }
}

// Each word gives a number that depends on every bit of it and on its place; their sum does not
// depend on their order.
__global__ void __launch_bounds__(kAlignThreads)
    digest_kernel(const std::uint64_t* words, std::int64_t count, unsigned long long* sum) {
  std::uint64_t part = 0;
  const std::int64_t threads = std::int64_t{gridDim.x} * kAlignThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kAlignThreads + threadIdx.x; i < count;
       i += threads) {
    part += digest_of(words[i], i);
  }
  atomicAdd(sum, static_cast<unsigned long long>(part));
}

template <class Kind, int kLanes, int kColumns, int kByteColumns, int kBlocks>
void launch_pairs(const DeviceTask& task, const Batch& batch, cudaStream_t stream) {
  constexpr std::int64_t kPairs = kAlignThreads / kLanes;
  const auto blocks = static_cast<unsigned>((batch.end - batch.first + kPairs - 1) / kPairs);
  kit::cuda::launch(align_kernel<Kind, kLanes, kColumns, kByteColumns, kBlocks>,
                    {blocks, kAlignThreads, 0, stream}, task, batch, 1U);
}

template <int kLanes, int kColumns, int kBlocks>
void launch_tile(const Way& way, const DeviceTask& task, const Batch& batch, cudaStream_t stream) {
  const bool bytes = way.table == Table::kBytes;
  if (way.arithmetic == Arithmetic::kHalves) {
    if (bytes) {
      return launch_pairs<PairOfHalves, kLanes, kColumns, kColumns, kBlocks>(task, batch, stream);
    }
    return launch_pairs<PairOfHalves, kLanes, kColumns, 0, kBlocks>(task, batch, stream);
  }
  if constexpr (kColumns > kBytesOfMixed) {
    if (way.table == Table::kMixed) {
      return launch_pairs<Pair, kLanes, kColumns, kBytesOfMixed, kBlocks>(task, batch, stream);
    }
  }
  if (bytes) return launch_pairs<Pair, kLanes, kColumns, kColumns, kBlocks>(task, batch, stream);
  launch_pairs<Pair, kLanes, kColumns, 0, kBlocks>(task, batch, stream);
}

}  // namespace

void queue_pairs(const Way& way, const DeviceTask& task, const Batch& batch, cudaStream_t stream) {
  if (way.tile.lanes == 4) return launch_tile<4, 16, 5>(way, task, batch, stream);
  if (way.tile.lanes == 16) return launch_tile<16, 32, 4>(way, task, batch, stream);
  if (way.tile.columns == 20) return launch_tile<8, 20, 5>(way, task, batch, stream);
  if (way.tile.columns == 24) return launch_tile<8, 24, 4>(way, task, batch, stream);
  if (way.tile.columns == 28) return launch_tile<8, 28, 4>(way, task, batch, stream);
  launch_tile<8, 32, 4>(way, task, batch, stream);
}

void queue_again(const DeviceTask& task, unsigned blocks, cudaStream_t stream) {
  kit::cuda::launch(again_kernel, {blocks, kWarp, 0, stream}, task, 1U);
}

void queue_digest(const void* from, std::size_t bytes, unsigned long long* sum, unsigned blocks,
                  cudaStream_t stream) {
  kit::cuda::launch(digest_kernel, {blocks, kAlignThreads, 0, stream},
                    static_cast<const std::uint64_t*>(from),
                    static_cast<std::int64_t>(bytes / sizeof(std::uint64_t)), sum);
}

}  // namespace rackproof::align
