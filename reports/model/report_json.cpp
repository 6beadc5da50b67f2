#include "reports/model/report_json.hpp"

#include <charconv>
#include <set>

#include "reports/model/archive_json.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/report_pieces.hpp"

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

}  // namespace

std::string host_told_twice(const Report& report) {
  std::set<std::string_view> hosts;
  for (const NodeInventory& node : report.nodes) {
    if (!hosts.insert(node.host).second) return node.host;
  }
  return "";
}

std::string to_json(const Report& report) {
  return archive::encode(report, "the report").dump(1) + '\n';
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
  const std::string twice = host_told_twice(report);
  if (!twice.empty()) throw BadReport("/nodes: " + printable(twice) + " is there twice");
  return report;
}

}  // namespace rackproof::model
