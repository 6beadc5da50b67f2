#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::ingest {

/// A line that is no row. `line` counts from 1.
struct BadRow : std::runtime_error {
  BadRow(std::size_t line_number, const std::string& text)
      : std::runtime_error("line " + std::to_string(line_number) + ": " + text),
        line(line_number) {}

  std::size_t line;
};

/// Stands for a value that a row does not have: JSON cannot say it.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// One node and its values, in the order of the reader's metrics. Metrics that the reader came to
/// know later are missing at the end.
struct Row {
  std::string node;
  std::size_t line = 0;
  std::size_t begin = 0;  ///< of its values in the block
  std::size_t width = 0;
};

/// Rows of consecutive lines.
struct RowBlock {
  std::vector<Row> rows;
  std::vector<double> values;
};

/// Room that must be readable after a text that RowReader reads.
inline constexpr std::size_t kRowPadding = 64;

/// The longest line that is read, in bytes.
inline constexpr std::size_t kMaxRowBytes = std::size_t{16} << 20;

/// The largest size of a value: beyond it differences of two would overflow.
inline constexpr double kLargestValue = 1e300;

/// Reads rows: one JSON object a line with the text `node` and otherwise only numbers, each a
/// metric. null is a missing value. Lines of nothing but blanks are passed over. Learns the metrics
/// as they come, so that the rows of one reader share their order.
class RowReader {
 public:
  RowReader();
  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  /// Whole lines, the last one with or without its newline; `first_line` is the number of the
  /// first. kRowPadding bytes after the text must be readable, whatever they hold. Throws BadRow:
  /// not JSON, a key twice, a value of another kind, no node.
  RowBlock read(std::string_view text, std::size_t first_line);

  /// Every metric seen so far.
  const std::vector<std::string>& metrics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// What one reader read, in the order of its blocks.
struct ReadRows {
  std::vector<std::string> metrics;
  std::vector<RowBlock> blocks;
};

/// All rows as a table: nodes in the order of their lines, metrics sorted by name, whichever reader
/// read what.
class RowTable {
 public:
  /// Throws BadRow, at the later line, when two rows are about one node.
  explicit RowTable(std::vector<ReadRows> parts);

  const std::vector<std::string>& metrics() const { return metrics_; }
  std::size_t size() const { return rows_.size(); }
  const std::string& node(std::size_t row) const { return rows_[row].row->node; }

  /// The values of metrics [first, last) for each row, kMissing where there is none. Neighbours
  /// cost little more than one.
  std::vector<std::vector<double>> columns(std::size_t first, std::size_t last) const;

 private:
  struct Place {
    const Row* row;
    const double* values;
    std::size_t part;
  };

  std::vector<ReadRows> parts_;
  std::vector<std::string> metrics_;
  std::vector<Place> rows_;
  std::vector<std::vector<std::size_t>> place_in_part_;  ///< by part and metric
};

}  // namespace rackproof::ingest
