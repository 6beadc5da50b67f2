#include "reports/json/report_pieces.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "reports/json/fast_json.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::model {

/// Reads pieces as JSON arrays.
class ListReader {
 public:
  template <class T>
  void read(const ReportPieces& report, const Piece& piece, std::vector<T>& out) {
    decoder_.read(as_array(report, piece), out);
  }
  /// The same for one value.
  template <class T>
  void read_one(const ReportPieces& report, const Piece& piece, T& out) {
    decoder_.read_one(as_array(report, piece), out);
  }

 private:
  std::string_view as_array(const ReportPieces& report, const Piece& piece) {
    const auto size = static_cast<std::size_t>(piece.end - piece.begin);
    text_.resize(size + 2 + fast::kPadding);
    text_.front() = '[';
    report.copy(piece, text_.data() + 1);
    text_[size + 1] = ']';
    return std::string_view(text_).substr(0, size + 2);
  }

  std::string text_;
  fast::Decoder decoder_;
};

namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
constexpr std::size_t kWindow = std::size_t{64} << 10;
/// What is looked for is mostly near: to look for it must not mean to read the file twice.
constexpr std::size_t kFirstWindow = std::size_t{4} << 10;
/// Large enough that what a piece costs by itself is nothing, small enough to stay in a cache.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;
constexpr const char* kCells = "cells";

void need(bool holds) {
  if (!holds) throw NotPlain{};
}

/// Looks through a document in windows.
class Scanner {
 public:
  Scanner(const ReadBytes& read, std::uint64_t size) : read_(read), size_(size) {}

  std::uint64_t size() const { return size_; }

  /// The text from `at`, at most `most` bytes, valid until the next call.
  std::string_view text(std::uint64_t at, std::size_t most) {
    need(at <= size_);
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - at));
    window_.resize(length);
    read_(at, length, window_.data());
    return window_;
  }

  /// Where `pattern` begins, from `begin` and wholly before `end`; kNowhere when it does not.
  std::uint64_t find(std::string_view pattern, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t window = kFirstWindow;
    for (std::uint64_t at = begin; at + pattern.size() <= end; at += window) {
      if (at > begin) window = kWindow;
      const std::uint64_t length = std::min<std::uint64_t>(end - at, window + pattern.size() - 1);
      const auto found = text(at, static_cast<std::size_t>(length)).find(pattern);
      if (found != std::string_view::npos) return at + found;
    }
    return kNowhere;
  }

  /// The same for the last one.
  std::uint64_t find_last(std::string_view pattern, std::uint64_t begin) {
    for (std::uint64_t end = size_; end > begin;) {
      const std::uint64_t at = std::max(begin, end - std::min<std::uint64_t>(end, kWindow));
      const auto found =
          text(at, static_cast<std::size_t>(end - at) + pattern.size()).rfind(pattern);
      if (found != std::string_view::npos) return at + found;
      end = at;
    }
    return kNowhere;
  }

 private:
  const ReadBytes& read_;
  std::uint64_t size_;
  std::string window_;
};

/// The key that comes after the cells.
std::string key_after_cells() {
  archive::Names names;
  Report report;
  describe(names, report);
  std::string_view next;
  for (const std::string_view name : names.names()) {
    if (name > kCells && (next.empty() || name < next)) next = name;
  }
  return std::string(next);
}

/// Where the value that begins at `at` ends.
std::uint64_t end_of_value(Scanner& scanner, std::uint64_t at, const std::string& key) {
  const std::string start(scanner.text(at, 2));
  need(start.size() == 2);
  if (start == "[]" || start == "{}") return at + 2;
  std::uint64_t end = kNowhere;
  if (start == "[\n" && key == kCells) {
    // Almost all of the document: its end is found from behind.
    end = scanner.find_last("\n ],\n \"" + key_after_cells() + "\": ", at);
  } else if (start == "[\n") {
    end = scanner.find("\n ]", at, scanner.size());
  } else if (start == "{\n") {
    end = scanner.find("\n }", at, scanner.size());
  } else {
    end = scanner.find("\n", at, scanner.size());
    need(end != kNowhere);
    return scanner.text(end - 1, 1) == "," ? end - 1 : end;
  }
  need(end != kNowhere);
  return end + 3;
}

std::vector<ReportPieces::Member> members_of(Scanner& scanner) {
  constexpr std::size_t kLongestKey = 64;
  std::vector<ReportPieces::Member> members;
  need(scanner.text(0, 2) == "{\n");
  std::uint64_t at = 2;
  while (true) {
    const std::string_view text = scanner.text(at, kLongestKey);
    const auto quote = text.find('"', 2);
    need(text.starts_with(" \"") && quote != std::string_view::npos &&
         text.substr(quote, 3) == "\": ");
    ReportPieces::Member member{std::string(text.substr(2, quote - 2)), {at + quote + 3, 0}};
    member.value.end = end_of_value(scanner, member.value.begin, member.key);
    at = member.value.end;
    members.push_back(std::move(member));
    const std::string after(scanner.text(at, 3));
    if (after == "\n}\n") {
      need(at + 3 == scanner.size());
      return members;
    }
    need(after.starts_with(",\n"));
    at += 2;
  }
}

/// Splits a list of objects between elements. What is left out is what every list has there.
std::vector<Piece> split(Scanner& scanner, const Piece& list) {
  constexpr std::string_view kBegin = "[\n  ";
  constexpr std::string_view kEnd = "\n ]";
  constexpr std::string_view kBetween = "\n  },\n  {";
  if (list.end - list.begin == 2) return {};
  need(list.end - list.begin > kBegin.size() + kEnd.size() &&
       scanner.text(list.begin, kBegin.size()) == kBegin &&
       scanner.text(list.end - kEnd.size(), kEnd.size()) == kEnd);
  std::uint64_t at = list.begin + kBegin.size();
  const std::uint64_t end = list.end - kEnd.size();
  std::vector<Piece> pieces;
  while (at < end) {
    const std::uint64_t found =
        end - at > kPieceBytes ? scanner.find(kBetween, at + kPieceBytes, end) : kNowhere;
    if (found == kNowhere) {
      pieces.push_back({at, end});
      break;
    }
    pieces.push_back({at, found + 4});  // behind the brace
    at = found + kBetween.size() - 1;   // before the next one
  }
  return pieces;
}

/// Pieces that are read together: a reader is not made for each one.
constexpr std::size_t kPiecesAtOnce = 8;

void read_each(std::size_t pieces, const ForEach& for_each,
               const std::function<void(ListReader&, std::size_t)>& read) {
  const std::size_t groups = (pieces + kPiecesAtOnce - 1) / kPiecesAtOnce;
  for_each(groups, [&](std::size_t group) {
    ListReader lists;
    const std::size_t end = std::min((group + 1) * kPiecesAtOnce, pieces);
    for (std::size_t i = group * kPiecesAtOnce; i < end; ++i) read(lists, i);
  });
}

template <class T>
void read_all(const ReportPieces& report, const std::vector<Piece>& pieces, const ForEach& for_each,
              std::vector<T>& out) {
  std::vector<std::vector<T>> parts(pieces.size());
  read_each(pieces.size(), for_each,
            [&](ListReader& lists, std::size_t i) { lists.read(report, pieces[i], parts[i]); });
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  out.reserve(count);
  for (auto& part : parts) {
    std::move(part.begin(), part.end(), std::back_inserter(out));
    part = std::vector<T>();  // of {} it would take a list of elements to copy
  }
}

/// Visits the members of a report and fills them, all but the cells.
class Filler {
 public:
  Filler(const ReportPieces& report, const std::vector<ReportPieces::Member>& members,
         Scanner& scanner, const ForEach& for_each)
      : report_(report), members_(members), scanner_(scanner), for_each_(for_each) {}

  template <class T>
  void field(const char* key, T& value) {
    need(fill(key, value));
  }
  template <class T>
  void maybe(const char* key, T& value) {
    fill(key, value);
  }
  /// True when every member of the document was one of the report.
  bool complete() const { return used_ == members_.size(); }

 private:
  template <class T>
  bool fill(std::string_view key, T& value) {
    const Piece* const piece = find(key);
    if (piece == nullptr) return false;
    if (key == kCells) return true;
    if constexpr (archive::kIsVector<T>) {
      read_all(report_, split(scanner_, *piece), for_each_, value);
    } else {
      lists_.read_one(report_, *piece, value);
    }
    return true;
  }

  const Piece* find(std::string_view key) {
    const auto found = std::find_if(members_.begin(), members_.end(),
                                    [&](const auto& member) { return member.key == key; });
    if (found == members_.end()) return nullptr;
    ++used_;
    return &found->value;
  }

  const ReportPieces& report_;
  const std::vector<ReportPieces::Member>& members_;
  Scanner& scanner_;
  const ForEach& for_each_;
  ListReader lists_;
  std::size_t used_ = 0;
};

}  // namespace

ReportPieces::ReportPieces(ReadBytes read, std::uint64_t size)
    : read_(std::move(read)), size_(size) {
  Scanner scanner(read_, size_);
  members_ = members_of(scanner);
  for (const Member& member : members_) {
    if (member.key == kCells) cells_ = split(scanner, member.value);
  }
}

Report ReportPieces::without_cells(const ForEach& for_each) const {
  Scanner scanner(read_, size_);
  Filler filler(*this, members_, scanner, for_each);
  Report report;
  describe(filler, report);
  need(filler.complete() && is_readable_version(report.schema_version));
  need(host_told_twice(report).empty());
  for (Attempt& attempt : report.attempts) attempt.device = device_among(attempt.arguments);
  return report;
}

Report ReportPieces::whole(const ForEach& for_each) const {
  Report report = without_cells(for_each);
  read_all(*this, cells_, for_each, report.cells);
  return report;
}

class CellReader::Impl {
 public:
  ListReader lists;
  std::vector<Cell> cells;
};

CellReader::CellReader() : impl_(std::make_unique<Impl>()) {}
CellReader::~CellReader() = default;
CellReader::CellReader(CellReader&&) noexcept = default;
CellReader& CellReader::operator=(CellReader&&) noexcept = default;

std::vector<Cell>& CellReader::read(const ReportPieces& report, const Piece& piece) {
  impl_->lists.read(report, piece, impl_->cells);
  return impl_->cells;
}

}  // namespace rackproof::model
