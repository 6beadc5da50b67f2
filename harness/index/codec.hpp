#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "harness/compare/sample.hpp"

namespace rackproof::index {

/// Bytes that are not what they should be.
struct BadBytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Numbers and texts as bytes, each of which can be told from the next.
class Writer {
 public:
  /// Seven bits a byte, the lowest first.
  void number(std::uint64_t value);
  void real(double value);
  void text(std::string_view value);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a Writer wrote. Throws BadBytes for anything else.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number();
  /// A number of things that follow, each of at least one byte.
  std::size_t count();
  /// A number below `end`.
  std::size_t below(std::size_t end);
  double real();
  std::string_view text();
  void finish() const;

 private:
  std::string_view take(std::size_t size);

  std::string_view rest_;
};

/// A sample in three parts: two that are the same night after night, which things were measured and
/// what is known of them, and the rest.
struct Parts {
  std::string layout;
  std::string facts;
  std::string values;
};

/// Without the name, which is its file's.
Parts encode(const compare::Sample& sample);

struct PartViews {
  std::string_view layout;
  std::string_view facts;
  std::string_view values;
};

/// Throws BadBytes.
compare::Sample decode(const PartViews& parts);

}  // namespace rackproof::index
