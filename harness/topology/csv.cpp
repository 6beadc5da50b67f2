#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "harness/document/located_json.hpp"
#include "harness/document/nearest.hpp"
#include "harness/topology/formats.hpp"
#include "harness/topology/line_scanner.hpp"

namespace rackproof::topology {
namespace {

constexpr std::array<std::string_view, 7> kColumns = {"host",      "nic",  "port",        "leaf",
                                                      "leaf_port", "rail", "cable_serial"};

class CsvReader {
 public:
  explicit CsvReader(const std::string& file) : file_(file) {}

  void read(std::string_view line, int number) {
    if (trimmed(line).empty() || line.starts_with('#')) return;
    if (columns_.empty()) {
      read_header(line, number);
    } else {
      read_row(line, number);
    }
  }

  std::vector<Attachment> take() { return std::move(rows_); }

 private:
  [[noreturn]] void fail(int line, std::string_view field, const std::string& text) const {
    throw document::ConfigError(file_, line, std::string(field), text);
  }

  std::string column_name(std::size_t place) const {
    return place < columns_.size() ? columns_[place] : "column " + std::to_string(place + 1);
  }

  /// One value in quotes; a quote in it is doubled. Gives where it ends.
  std::size_t quoted(std::string_view line, std::size_t at, int number, std::string& cell) const {
    for (++at; at < line.size(); ++at) {
      if (line[at] != '"') {
        cell += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        cell += line[at++];
      } else {
        return at + 1;
      }
    }
    fail(number, "", "expected a closing quote in the same line");
  }

  std::vector<std::string> cells_of(std::string_view line, int number) const {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at <= line.size(); ++at) {
      std::string cell;
      const std::size_t text = line.find_first_not_of(" \t", at);
      if (text != std::string_view::npos && line[text] == '"') {
        at = quoted(line, text, number, cell);
        while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
        if (at < line.size() && line[at] != ',') {
          fail(number, column_name(cells.size()), "expected a comma after the closing quote");
        }
      } else {
        const std::size_t end = std::min(line.find(',', at), line.size());
        cell = trimmed(line.substr(at, end - at));
        if (cell.find('"') != std::string::npos) {
          fail(number, column_name(cells.size()),
               "a quote in the middle of a value; expected the whole value in quotes");
        }
        at = end;
      }
      cells.push_back(std::move(cell));
    }
    return cells;
  }

  void read_header(std::string_view line, int number) {
    const std::vector<std::string_view> known(kColumns.begin(), kColumns.end());
    for (std::string& name : cells_of(line, number)) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        fail(number, name, "is not a known column" + document::suggestion(name, known));
      }
      if (std::find(columns_.begin(), columns_.end(), name) != columns_.end()) {
        fail(number, name, "the column is there a second time");
      }
      columns_.push_back(std::move(name));
    }
    for (const char* needed : {"host", "nic"}) {
      if (std::find(columns_.begin(), columns_.end(), needed) == columns_.end()) {
        fail(number, "", std::string("the header has no column '") + needed + "'");
      }
    }
    if (columns_.size() == 2) {
      fail(number, "", "expected a column more: leaf, leaf_port, rail or cable_serial");
    }
  }

  void read_row(std::string_view line, int number) {
    std::vector<std::string> cells = cells_of(line, number);
    if (cells.size() != columns_.size()) {
      fail(number, "",
           "has " + std::to_string(cells.size()) + " values; expected " +
               std::to_string(columns_.size()) + ", as the header has columns");
    }
    Attachment row;
    row.file = file_;
    row.line = number;
    for (std::size_t i = 0; i < cells.size(); ++i) set(row, i, std::move(cells[i]));
    if (row.host.empty()) fail(number, "host", "is empty; expected the name of a host");
    if (row.nic.empty()) {
      fail(number, "nic", "is empty; expected an RDMA device or a network interface, as mlx5_0");
    }
    const auto [earlier, fresh] = seen_.try_emplace({row.host, row.nic, row.port}, number);
    if (!fresh) {
      fail(
          number, "nic",
          name_of(row) + " is listed a second time, after line " + std::to_string(earlier->second));
    }
    rows_.push_back(std::move(row));
  }

  void set(Attachment& row, std::size_t place, std::string cell) const {
    const std::string& column = columns_[place];
    if (column == "port") {
      // What is left out is the first one, as on adapters of one port.
      if (cell.empty()) return;
      LineScanner scanner(file_, cell, row.line);
      row.port = scanner.port("port");
      if (!scanner.rest().empty()) scanner.fail("port", "nothing after the number of the port");
      return;
    }
    for (const auto& [name, value] : {std::pair<std::string_view, std::string*>{"host", &row.host},
                                      {"nic", &row.nic},
                                      {"leaf", &row.leaf},
                                      {"leaf_port", &row.leaf_port},
                                      {"rail", &row.rail},
                                      {"cable_serial", &row.cable_serial}}) {
      if (column != name) continue;
      *value = std::move(cell);
      return;
    }
  }

  const std::string& file_;
  std::vector<std::string> columns_;
  std::map<std::tuple<std::string, std::string, int>, int> seen_;  ///< the lines
  std::vector<Attachment> rows_;
};

}  // namespace

std::vector<Attachment> read_csv(const std::string& file, std::string_view text) {
  CsvReader reader(file);
  for_each_line(text, [&](std::string_view line, int number) { reader.read(line, number); });
  return reader.take();
}

}  // namespace rackproof::topology
