#include "benches/kit/product/device_proof.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/product/device_check.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/suspects.hpp"

namespace rackproof::product {
namespace {

using kit::cuda::DeviceBuffer;
using kit::cuda::Stream;
using DeviceWords = DeviceBuffer<std::uint64_t>;

DeviceWords pair_of(std::int64_t count) { return DeviceWords(static_cast<std::size_t>(2 * count)); }

WordPair fetch(const DeviceWords& from) {
  const std::size_t count = from.size() / 2;
  WordPair pair{Words(count), Words(count)};
  kit::cuda::copy(pair[0].data(), from.data(), count * sizeof(std::uint64_t));
  kit::cuda::copy(pair[1].data(), from.data() + count, count * sizeof(std::uint64_t));
  return pair;
}

template <class T>
DeviceBuffer<T> upload(std::span<const T> values) {
  DeviceBuffer<T> buffer(values.size());
  kit::cuda::copy(buffer.data(), values.data(), values.size_bytes());
  return buffer;
}

// The product with its rows and columns as they lie in C.
struct Parts {
  ExactOperand rows;
  ExactOperand columns;
  ExactResult c;
};

Parts parts_of(const DeviceProduct& p) {
  const ExactOperand a{p.plan, Side::kA, p.seed_a, p.swapped ? p.n : p.m};
  const ExactOperand b{p.plan, Side::kB, p.seed_b, p.swapped ? p.m : p.n};
  const ExactResult c{numbers(p.dtype).result, p.c, p.m, p.n};
  return p.swapped ? Parts{b, a, c} : Parts{a, b, c};
}

// What a product should have, and what this one has.
struct Sums {
  Checksums want;
  Checksums got;
  std::vector<std::uint8_t> broken;
};

Sums sums_of(const Parts& p, std::uint64_t seed, const Stream& stream) {
  const std::int64_t k = p.rows.plan.k;
  const DeviceWords x = pair_of(p.c.n);
  const DeviceWords y = pair_of(p.c.m);
  weights_async(x.data(), p.c.n, mix(seed, 0), stream);
  weights_async(y.data(), p.c.m, mix(seed, 1), stream);
  const DeviceWords along = pair_of(k);
  const DeviceWords want_rows = pair_of(p.c.m);
  const DeviceWords want_columns = pair_of(p.c.n);
  const DeviceWords got_rows = pair_of(p.c.m);
  const DeviceWords got_columns = pair_of(p.c.n);
  const DeviceBuffer<std::uint8_t> broken(static_cast<std::size_t>(p.c.m));

  column_sums_async(p.columns, x.data(), along.data(), stream);          // B x
  row_sums_async(p.rows, along.data(), want_rows.data(), stream);        // A (B x)
  column_sums_async(p.rows, y.data(), along.data(), stream);             // y A
  row_sums_async(p.columns, along.data(), want_columns.data(), stream);  // (y A) B
  row_sums_async(p.c, x.data(), got_rows.data(), broken.data(), stream);
  column_sums_async(p.c, y.data(), got_columns.data(), stream);
  stream.synchronize();

  Sums sums{{fetch(want_rows), fetch(want_columns)}, {fetch(got_rows), fetch(got_columns)}, {}};
  sums.broken.resize(broken.size());
  kit::cuda::copy(sums.broken.data(), broken.data(), broken.size());
  return sums;
}

std::int64_t want_at(const DeviceProduct& p, std::int64_t row, std::int64_t column) {
  return p.swapped ? exact_element(p.plan, p.seed_a, p.seed_b, column, row)
                   : exact_element(p.plan, p.seed_a, p.seed_b, row, column);
}

std::uint64_t bits_at(const void* c, std::int64_t element, int element_bytes) {
  std::uint64_t bits = 0;  // little-endian, as every host of such a device
  kit::cuda::copy(&bits, static_cast<const unsigned char*>(c) + element * element_bytes,
                  static_cast<std::size_t>(element_bytes));
  return bits;
}

Fault search(const DeviceProduct& p, const Parts& parts, const Suspects& suspects,
             const std::string& where, const Stream& stream) {
  const std::int64_t count = affordable_rows(suspects, p.plan.k);
  const auto rows =
      upload(std::span<const std::int64_t>(suspects.rows).first(static_cast<std::size_t>(count)));
  const auto columns = upload(std::span<const std::int64_t>(suspects.columns));
  const Found none;
  const auto found = upload(std::span<const Found>(&none, 1));
  search_async(parts.rows, parts.columns, parts.c,
               {rows.data(), count, columns.data(), static_cast<std::int64_t>(columns.size())},
               found.data(), stream);
  stream.synchronize();
  const Found result = kit::cuda::read_one(found.data());
  Fault fault;
  fault.wrong = static_cast<std::int64_t>(result.wrong);
  fault.all_counted = count == static_cast<std::int64_t>(suspects.rows.size());
  if (fault.wrong == 0) return fault;
  const auto element = static_cast<std::int64_t>(result.first);
  // Told by the device whose answers are in doubt: nothing is read from where no result is.
  if (element < 0 || element >= p.m * p.n) {
    fault.first = protocol::FirstWrong{
        fmt::format("{}a place that is not in the result, by the device's own word", where),
        fmt::format("element {}", element), fmt::format("below {}", p.m * p.n)};
    return fault;
  }
  const std::int64_t row = element / p.n;
  const std::int64_t column = element % p.n;
  const int width = numbers(p.dtype).result_bytes;
  fault.first = protocol::FirstWrong{fmt::format("{}row {}, column {}", where, row, column),
                                     fmt::format("{} bits {}", name(numbers(p.dtype).result),
                                                 bits_text(bits_at(p.c, element, width), width)),
                                     fmt::format("{}", want_at(p, row, column))};
  return fault;
}

}  // namespace

Fault check_exact_on_device(const DeviceProduct& product, std::uint64_t seed,
                            const std::string& where, const Stream& stream) {
  const Parts parts = parts_of(product);
  const Sums sums = sums_of(parts, seed, stream);
  const Suspects suspects = find_suspects(sums.got, sums.want, sums.broken);
  if (suspects.none()) return {};
  Fault fault = search(product, parts, suspects, where, stream);
  fault.detail = suspects.detail;
  if (fault.wrong > 0) return fault;
  // Each element that was computed again is right: the result changed meanwhile, or more rows were
  // suspect than could be computed.
  const auto row = static_cast<std::size_t>(suspects.rows.front());
  fault.wrong = 1;
  fault.all_counted = false;
  fault.first = protocol::FirstWrong{fmt::format("{}checksum of row {}", where, row),
                                     fmt::format("{}", sums.got.rows[1][row]),
                                     fmt::format("{}", sums.want.rows[1][row])};
  return fault;
}

Fault fault_of(const Findings& findings, int element_bytes, std::int64_t columns,
               const std::string& where) {
  Fault fault;
  fault.wrong = static_cast<std::int64_t>(findings.wrong);
  if (fault.wrong == 0) return fault;
  const auto element = static_cast<std::int64_t>(findings.element);
  fault.first = protocol::FirstWrong{
      fmt::format("{}row {}, column {}", where, element / columns, element % columns),
      fmt::format("bits {}", bits_text(findings.got, element_bytes)),
      fmt::format("bits {}", bits_text(findings.want, element_bytes))};
  fault.detail = fmt::format("{} elements differ from the first result", fault.wrong);
  return fault;
}

std::string bits_text(std::uint64_t bits, int element_bytes) {
  return fmt::format("0x{:0{}x}", bits, 2 * element_bytes);
}

std::uint64_t digest_of(const void* data, std::int64_t bytes, const Stream& stream) {
  const DeviceWords sum(1);
  kit::cuda::fill_async(sum.data(), 0, sum.bytes(), stream);
  digest_async(data, bytes, sum.data(), stream);
  stream.synchronize();
  return kit::cuda::read_one(sum.data());
}

void inject(const kit::Injection& injection, void* result, std::int64_t elements, int element_bytes,
            const Stream& stream) {
  const std::int64_t element = injection.element % elements;
  const int bit = injection.bit % (8 * element_bytes);
  auto* const byte = static_cast<unsigned char*>(result) + element * element_bytes + bit / 8;
  flip_async(byte, bit % 8, stream);
}

std::int64_t count_not_finite(const void* data, Result type, std::int64_t elements,
                              const Stream& stream) {
  const DeviceWords sum(1);
  kit::cuda::fill_async(sum.data(), 0, sum.bytes(), stream);
  count_not_finite_async(data, type, elements, sum.data(), stream);
  stream.synchronize();
  return static_cast<std::int64_t>(kit::cuda::read_one(sum.data()));
}

}  // namespace rackproof::product
