#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// A small file of /proc or /sys that is opened once and read many times.
class KeptFile {
 public:
  explicit KeptFile(std::string path) : path_(std::move(path)) {}
  ~KeptFile();
  KeptFile(KeptFile&& other) noexcept;
  KeptFile& operator=(KeptFile&&) = delete;

  /// Its first 64 KiB, valid until the next read of any KeptFile in this thread; empty with `error`
  /// set to errno when it cannot be read. A file that was absent is looked for again.
  std::string_view read(int& error);

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// A column that is one whole decimal number of one file.
struct FileColumn {
  Column column;
  std::string path;
  double scale = 1;
  unsigned every = 1;  ///< read at each so many-th sample
  double least = 0;    ///< a number outside is nonsense
  double most = 0x1p64;
  std::string after =
      {};               ///< of several lines, the one that begins with this word; empty: the first
  double wraps_at = 0;  ///< a counter that begins again at this number; 0: it does not
};

class FileColumns : public Columns {
 public:
  explicit FileColumns(const std::vector<FileColumn>& files);
  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;

 private:
  struct Entry {
    FileColumn what;
    KeptFile file;
    double last = -1;
    double turns = 0;  ///< what the counter had counted when it began again
  };
  double read_entry(Entry& entry) const;

  std::vector<Column> columns_;
  std::vector<Entry> entries_;
};

/// A whole decimal number at the start of a text, or missing() with the reason.
double number_in(std::string_view text, int error);

}  // namespace rackproof::telemetry
