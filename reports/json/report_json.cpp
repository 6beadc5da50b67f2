#include "reports/json/report_json.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <type_traits>

#include "reports/json/archive_json.hpp"
#include "reports/json/report_pieces.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::model {
namespace {

struct Version {
  int major = 0;
  int minor = 0;
};

std::optional<Version> version_of(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc{} || minor.ptr != end) return std::nullopt;
  if (version.major < 0 || version.minor < 0) return std::nullopt;
  return version;
}

bool is_ours(const Version& theirs) {
  const Version ours = version_of(kSchemaVersion).value();
  return theirs.major == ours.major && theirs.minor <= ours.minor;
}

/// Before anything else: a document of another version may have any shape.
void require_version(archive::json& document) {
  const archive::Place root;
  auto& object = archive::expect_object(document, root);
  const auto found = object.find("schema_version");
  if (found == object.end()) archive::refuse_missing(root, "schema_version");
  const archive::Place place{&root, found->first, 0};
  const auto theirs = found->second.is_string()
                          ? version_of(found->second.get_ref<const std::string&>())
                          : std::nullopt;
  if (!theirs)
    archive::refuse(place, "a version as in \"" + std::string(kSchemaVersion) + "\"",
                    found->second);
  if (is_ours(*theirs)) return;
  const Version ours = version_of(kSchemaVersion).value();
  const bool newer = theirs->major >= ours.major;
  throw BadReport(fmt::format(
      "/schema_version: the report is of schema version {}.{}, this program reads {}.0 to {}; {}",
      theirs->major, theirs->minor, ours.major, kSchemaVersion,
      newer ? "use a newer rackproof" : "use the rackproof that wrote it"));
}

constexpr std::string_view kNoCells = "\n \"cells\": []";

/// Writes a report as if it had no cells.
struct WithoutCells {
  archive::Writer& writer;

  template <class T>
  void field(const char* key, const T& value) {
    if constexpr (std::is_same_v<T, std::vector<Cell>>) {
      writer.field(key, T{});
    } else {
      writer.field(key, value);
    }
  }
  template <class T>
  void maybe(const char* key, const T& value) {
    writer.maybe(key, value);
  }
  template <class T>
  void unless(const char* key, const T& value, const T& otherwise) {
    writer.unless(key, value, otherwise);
  }
  void gone(const char* /*key*/) {}
};

/// By two more, as what lies in a list of the report.
std::string indented(const std::string& text) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.append(text, at, end - at);
    if (out.back() == '\n') out += "  ";
    at = end;
  }
  return out;
}

}  // namespace

std::string host_told_twice(const Report& report) {
  std::set<std::string_view> hosts;
  for (const NodeInventory& node : report.nodes) {
    if (!hosts.insert(node.host).second) return node.host;
  }
  return "";
}

std::string to_json(const Report& report) {
  std::string text;
  write_json(report, [&text](std::string_view part) { text += part; });
  return text;
}

void write_json(const Report& report, const std::function<void(std::string_view part)>& take) {
  archive::Writer writer;
  WithoutCells all{writer};
  describe(all, report);
  const std::string text = writer.take().dump(1) + '\n';
  if (report.cells.empty()) return take(text);
  // No text holds a line feed, and what lies deeper is indented by more.
  const std::size_t at = text.find(kNoCells) + kNoCells.size() - 1;
  take(std::string_view(text).substr(0, at));
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    take(i == 0 ? "\n  " : ",\n  ");
    take(indented(archive::encode(report.cells[i], "a cell").dump(1)));
  }
  take("\n ");
  take(std::string_view(text).substr(at));
}

bool tells_claims(std::string_view schema_version) {
  constexpr int kSince = 7;
  const auto version = version_of(schema_version);
  return version && (version->major > 1 || version->minor >= kSince);
}

bool is_readable_version(std::string_view text) {
  const std::optional<Version> version = version_of(text);
  return version && is_ours(*version);
}

Report report_from_json(std::string_view text) {
  const auto copy = [text](std::uint64_t offset, std::size_t size, char* to) {
    text.substr(static_cast<std::size_t>(offset), size).copy(to, size);
  };
  try {
    return ReportPieces(copy, text.size()).whole();
  } catch (const NotPlain&) {
    // It knows what is wrong, if it is more than the layout.
    return careful_report_from_json(text);
  }
}

Report careful_report_from_json(std::string_view text) {
  archive::json document = archive::parse(text);
  require_version(document);
  Report report;
  archive::decode(document, report, archive::Place{});
  for (Attempt& attempt : report.attempts) attempt.device = device_among(attempt.arguments);
  const std::string twice = host_told_twice(report);
  if (!twice.empty()) throw BadReport("/nodes: " + printable(twice) + " is there twice");
  return report;
}

}  // namespace rackproof::model
