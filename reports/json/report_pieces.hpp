#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reports/model/for_each.hpp"
#include "reports/model/report.hpp"

namespace rackproof::model {

/// Bytes of a document, wherever it is: fills `to` with `size` bytes from `offset`. May be called
/// by several threads at once.
using ReadBytes = std::function<void(std::uint64_t offset, std::size_t size, char* to)>;

/// Not laid out, somewhere, as to_json writes it, or no report at all: report_from_json says which.
struct NotPlain {};

/// Some elements of one list of a report.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A report in the layout of to_json, read piece by piece, so that its cells need not all be in
/// memory at once. Everything here throws NotPlain for what it does not take, and accepts nothing
/// that report_from_json would not read as the same report: all bytes are looked at, those between
/// the pieces here and those of a piece by who reads it.
class ReportPieces {
 public:
  /// Looks at the layout. Reads little of the file.
  ReportPieces(ReadBytes read, std::uint64_t size);

  /// The report without its cells.
  Report without_cells(const ForEach& for_each = one_by_one) const;

  /// The cells in their order, some hundred to a piece.
  const std::vector<Piece>& cell_pieces() const { return cells_; }

  /// The report with its cells.
  Report whole(const ForEach& for_each = one_by_one) const;

  /// What is in the document from `begin` to `end`.
  void copy(const Piece& piece, char* to) const {
    read_(piece.begin, static_cast<std::size_t>(piece.end - piece.begin), to);
  }

  /// A value of the outermost object, and its key.
  struct Member {
    std::string key;
    Piece value;
  };

 private:
  ReadBytes read_;
  std::uint64_t size_;
  std::vector<Member> members_;
  std::vector<Piece> cells_;
};

/// Reads pieces of cells, one after the other into the same memory. One for each thread.
class CellReader {
 public:
  CellReader();
  ~CellReader();
  CellReader(CellReader&&) noexcept;
  CellReader& operator=(CellReader&&) noexcept;

  /// Valid until the next call.
  std::vector<Cell>& read(const ReportPieces& report, const Piece& piece);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rackproof::model
