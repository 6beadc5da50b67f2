#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace rackproof::align {

/// The lines of a text that somebody else wrote: of bounded length, without the CR of Windows.
class Lines {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  Lines(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

  /// The next one; false at the end. Throws UsageError for a line that is too long, has a byte of
  /// no text in it or is the beginning of a compressed file, and where reading fails.
  bool next(std::string& line);
  std::int64_t number() const { return number_; }
  const std::string& file() const { return file_; }

  /// Throws UsageError about the present line.
  [[noreturn]] void refuse(std::string_view found, std::string_view expected) const;

 private:
  void demand_text(const std::string& line) const;

  std::istream& in_;
  std::string file_;
  std::int64_t number_ = 0;
};

}  // namespace rackproof::align
