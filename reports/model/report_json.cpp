#include "reports/model/report_json.hpp"

#include <charconv>

#include "reports/model/archive_json.hpp"

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
  const Version ours = version_of(kSchemaVersion).value();
  if (theirs->major == ours.major && theirs->minor <= ours.minor) return;
  const bool newer = theirs->major >= ours.major;
  throw BadReport(fmt::format(
      "/schema_version: the report is of schema version {}.{}, this program reads {}.0 to {}; {}",
      theirs->major, theirs->minor, ours.major, kSchemaVersion,
      newer ? "use a newer rackproof" : "use the rackproof that wrote it"));
}

}  // namespace

std::string to_json(const Report& report) {
  return archive::encode(report, "the report").dump(1) + '\n';
}

Report report_from_json(std::string_view text) {
  archive::json document = archive::parse(text);
  require_version(document);
  Report report;
  archive::decode(document, report, archive::Place{});
  return report;
}

}  // namespace rackproof::model
