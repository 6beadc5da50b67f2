#include "harness/support/zstd.hpp"

#include <zstd.h>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace rackproof::support {
namespace {

// As it is in a file: little-endian.
std::uint32_t first_word(std::string_view head) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kZstdMagicBytes; ++i) {
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(head[i])) << (8 * i);
  }
  return word;
}

std::string too_much(std::uint64_t most) {
  constexpr unsigned kGiB = 30;
  const bool round = most >> kGiB << kGiB == most && most > 0;
  return "is larger than " +
         (round ? std::to_string(most >> kGiB) + " GiB" : std::to_string(most) + " bytes") +
         " when it is decompressed";
}

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

bool is_zstd(std::string_view head) {
  if (head.size() < kZstdMagicBytes) return false;
  const std::uint32_t word = first_word(head);
  return word == ZSTD_MAGICNUMBER ||
         (word & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

void decompress(const NextBytes& next, std::uint64_t most, const TakeBytes& take) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  std::vector<char> block(ZSTD_DStreamOutSize());
  std::uint64_t given = 0;
  std::size_t owed = 0;  // 0: a frame has just ended
  bool first = true;
  for (std::string_view part = next(); !part.empty(); part = next()) {
    // What a frame says of its size saves the work when it is too much; none is believed otherwise.
    const unsigned long long claimed = ZSTD_getFrameContentSize(part.data(), part.size());
    if (std::exchange(first, false) && claimed < ZSTD_CONTENTSIZE_ERROR && claimed > most) {
      throw BadZstd(too_much(most));
    }
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    bool full = false;
    while (in.pos < in.size || full) {
      ZSTD_outBuffer out{block.data(), block.size(), 0};
      const std::size_t before = in.pos;
      const std::size_t result = ZSTD_decompressStream(context.get(), &out, &in);
      if (ZSTD_isError(result) != 0) {
        throw BadZstd(std::string("cannot be decompressed (zstd: ") + ZSTD_getErrorName(result) +
                      ")");
      }
      full = out.pos == out.size;
      // With nothing left to read and to give, it only names the size of the next frame's header.
      if (in.pos > before || out.pos > 0) owed = result;
      given += out.pos;
      if (given > most) throw BadZstd(too_much(most));
      if (out.pos > 0 && !take({block.data(), out.pos})) return;
    }
  }
  if (owed != 0) throw BadZstd("is cut off in the middle of what zstd has compressed");
}

class Compressor::Impl {
 public:
  Impl(Take take, int level)
      : take_(std::move(take)),
        context_(ZSTD_createCCtx(), ZSTD_freeCCtx),
        block_(ZSTD_CStreamOutSize()) {
    if (!context_) throw std::bad_alloc();
    set(ZSTD_c_compressionLevel, level);
    set(ZSTD_c_checksumFlag, 1);
  }

  void add(std::string_view part, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{block_.data(), block_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
      require(left);
      if (out.pos > 0) take_({block_.data(), out.pos});
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
  }

 private:
  // Of what can go wrong here nothing is the user's doing.
  static void require(std::size_t result) {
    if (ZSTD_isError(result) != 0) {
      throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(result));
    }
  }
  void set(ZSTD_cParameter parameter, int value) {
    require(ZSTD_CCtx_setParameter(context_.get(), parameter, value));
  }

  Take take_;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
  std::vector<char> block_;
};

Compressor::Compressor(Take take, int level)
    : impl_(std::make_unique<Impl>(std::move(take), level)) {}
Compressor::~Compressor() = default;
void Compressor::add(std::string_view part) { impl_->add(part, ZSTD_e_continue); }
void Compressor::finish() { impl_->add({}, ZSTD_e_end); }

}  // namespace rackproof::support
