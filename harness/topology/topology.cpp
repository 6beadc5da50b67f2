#include "harness/topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "harness/document/document.hpp"
#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"
#include "harness/topology/line_scanner.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::topology {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kExpected =
    "expected the output of ibnetdiscover, iblinkinfo or lldpctl -f json, or CSV with a header "
    "that begins as host,nic";

bool begins_with_one_of(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return line.starts_with(word); });
}

std::optional<Format> format_of_line(std::string_view line) {
  if (line.find("==(") != std::string_view::npos ||
      begins_with_one_of(line, {"Switch: 0x", "Switch 0x", "CA: ", "Router: "})) {
    return Format::kIblinkinfo;
  }
  if (begins_with_one_of(line, {"vendid=", "Switch\t", "Switch ", "Ca\t", "Ca ", "Rt\t", "Rt ",
                                "Chassis ", "Non-Chassis Nodes"})) {
    return Format::kIbnetdiscover;
  }
  if (line.starts_with('{')) return Format::kLldp;
  if (line.find(',') != std::string_view::npos) return Format::kCsv;
  return std::nullopt;
}

// Where the first control character is that no text has.
void refuse_binary(const std::string& file, std::string_view text) {
  int line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) {
      throw document::ConfigError(file, line, "",
                                  fmt::format("is no text: byte 0x{:02x}; {}", byte, kExpected));
    }
  }
  if (!model::is_well_formed(text)) {
    throw document::ConfigError(file, 0, "", std::string("is not UTF-8; ") + kExpected);
  }
}

std::string host_of(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  constexpr std::string_view kEnding = ".json";
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return name;
}

std::vector<Attachment> read_as(Format format, const std::string& file, std::string_view text) {
  switch (format) {
    case Format::kIbnetdiscover:
      return read_ibnetdiscover(file, text);
    case Format::kIblinkinfo:
      return read_iblinkinfo(file, text);
    case Format::kLldp:
      return read_lldp(file, text, host_of(file));
    case Format::kCsv:
      break;
  }
  return read_csv(file, text);
}

// They go into the report.
void refuse_long_names(const Attachment& one) {
  constexpr std::size_t kLongest = 256;
  const std::pair<const char*, const std::string*> names[] = {
      {"host", &one.host},           {"nic", &one.nic},   {"leaf", &one.leaf},
      {"leaf_port", &one.leaf_port}, {"rail", &one.rail}, {"cable_serial", &one.cable_serial}};
  for (const auto& [field, text] : names) {
    if (text->size() <= kLongest) continue;
    throw document::ConfigError(
        one.file, one.line, field,
        fmt::format("is {} bytes long; expected at most {}", text->size(), kLongest));
  }
}

std::vector<std::string> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const bool hidden = at->path().filename().string().starts_with('.');
    std::error_code ignored;
    if (!hidden && at->is_regular_file(ignored)) files.push_back(at->path().string());
  }
  if (error) throw document::ConfigError(path, 0, "", "cannot be read: " + error.message());
  if (files.empty()) throw document::ConfigError(path, 0, "", "is a directory without files");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::optional<Format> format_of(std::string_view text) {
  std::optional<Format> format;
  bool decided = false;
  for_each_line(text, [&](std::string_view line, int) {
    line = trimmed(line);
    if (decided || line.empty() || line.starts_with('#')) return;
    decided = true;
    format = format_of_line(line);
  });
  return format;
}

std::vector<Attachment> read_topology(const std::string& file, std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  refuse_binary(file, text);
  const std::optional<Format> format = format_of(text);
  if (!format) throw document::ConfigError(file, 0, "", kExpected);
  std::vector<Attachment> found = read_as(*format, file, text);
  for (const Attachment& one : found) refuse_long_names(one);
  return found;
}

std::vector<Attachment> load_topology(const std::vector<std::string>& paths) {
  std::vector<Attachment> all;
  for (const std::string& path : paths) {
    for (const std::string& file : files_of(path)) {
      std::vector<Attachment> some = read_topology(file, document::read_file(file));
      all.insert(all.end(), std::make_move_iterator(some.begin()),
                 std::make_move_iterator(some.end()));
    }
  }
  if (!paths.empty() && all.empty()) {
    throw document::ConfigError(paths.front(), 0, "",
                                "says of no adapter where it is connected; expected one at least");
  }
  return all;
}

}  // namespace rackproof::topology
