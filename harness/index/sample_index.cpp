#include "harness/index/sample_index.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "harness/index/codec.hpp"
#include "harness/index/own_file.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::index {
namespace {

// Part of every seal: another layout of the tables or of what is in them is another number.
constexpr const char* kSchema = "rackproof/index/1";
constexpr std::uint32_t kApplication = 0x52504978;  // "RPIx", in the header of the file
constexpr std::size_t kWriteAfter = 100;

std::int64_t version_of(const std::string& context) {
  const std::string digest = support::sha256(context);
  std::int64_t version = 0;
  for (std::size_t i = 0; i < 4; ++i)
    version = version << 8 | static_cast<unsigned char>(digest[i]);
  return version & 0x7FFFFFFF;
}

}  // namespace

struct SampleIndex::NewReport {
  std::string digest;
  Parts parts;
};

std::string context_of(const std::string& program_digest, const config::ComparisonRules& table) {
  Writer writer;
  writer.text(kSchema);
  writer.text(program_digest);
  for (const config::ComparisonRule& rule : table) {
    writer.text(rule.fact);
    writer.number(static_cast<std::uint64_t>(rule.of));
    writer.number(static_cast<std::uint64_t>(rule.must));
    writer.number(static_cast<std::uint64_t>(rule.among));
    writer.real(rule.tolerance);
    writer.number(static_cast<std::uint64_t>(rule.severity));
    writer.text(rule.remedy);
  }
  return support::sha256(writer.take());
}

SampleIndex::SampleIndex(const std::string& path, std::string context)
    : path_(full_path(path)), context_(std::move(context)) {
  if (require_own_file(path_)) open();
}

SampleIndex::~SampleIndex() = default;

void SampleIndex::open() {
  database_ = std::make_unique<Database>(path_);
  const Transaction reading(*database_, "BEGIN");
  const std::int64_t application = database_->integer("PRAGMA application_id");
  if (application != kApplication) {
    const bool fresh = application == 0 && database_->integer("PRAGMA user_version") == 0 &&
                       database_->integer("SELECT count(*) FROM sqlite_schema") == 0;
    if (!fresh) throw IndexError("is a database of something else");
  }
  has_tables_ = application == kApplication &&
                database_->integer("PRAGMA user_version") == version_of(context_);
}

// Every row says what it is, so that one that was damaged, or that another program wrote, is none.
std::string SampleIndex::seal_of(const std::vector<std::string_view>& fields) const {
  Writer writer;
  writer.text(context_);
  for (const std::string_view field : fields) writer.text(field);
  return support::sha256(writer.take());
}

std::string SampleIndex::digest_of(const std::string& file, const Stamp& stamp) {
  if (!has_tables_) return {};
  Statement row(*database_, "SELECT stamp, digest, seal FROM file WHERE path = ?");
  if (!row.with(file).next()) return {};
  Content content{std::string(row.bytes(1)), std::string(row.bytes(0))};
  if (row.bytes(2) != seal_of({file, content.stamp, content.digest})) return {};
  const Content& known = stored_[file] = std::move(content);
  return !stamp.empty() && known.stamp == stamp ? known.digest : std::string();
}

std::vector<std::optional<compare::Sample>> SampleIndex::find(
    const std::vector<std::string>& digests, const Each& each) {
  std::vector<std::optional<compare::Sample>> samples(digests.size());
  if (!has_tables_) return samples;
  struct Row {
    std::string layout;  // digests of parts
    std::string facts;
    std::string values;
    std::string seal;
  };
  std::vector<std::optional<Row>> rows(digests.size());
  std::map<std::string, std::string> parts;
  {
    const Transaction reading(*database_, "BEGIN");
    Statement report(*database_, "SELECT layout, facts, rest, seal FROM report WHERE digest = ?");
    Statement part(*database_, "SELECT bytes FROM part WHERE id = ?");
    for (std::size_t i = 0; i < digests.size(); ++i) {
      if (digests[i].empty() || !report.with(digests[i]).next()) continue;
      rows[i] = Row{std::string(report.bytes(0)), std::string(report.bytes(1)),
                    std::string(report.bytes(2)), std::string(report.bytes(3))};
      for (const std::string& id : {rows[i]->layout, rows[i]->facts}) {
        if (parts.count(id) > 0 || !part.with(id).next()) continue;
        if (support::sha256(part.bytes(0)) == id) parts[id] = part.bytes(0);
      }
    }
  }
  each(digests.size(), [&](std::size_t i) {
    if (!rows[i]) return;
    const Row& row = *rows[i];
    const auto layout = parts.find(row.layout);
    const auto facts = parts.find(row.facts);
    if (layout == parts.end() || facts == parts.end()) return;
    if (row.seal != seal_of({digests[i], row.layout, row.facts, row.values})) return;
    try {
      samples[i] = decode({layout->second, facts->second, row.values});
    } catch (const BadBytes&) {  // NOLINT(bugprone-empty-catch): not known, then
    }
  });
  return samples;
}

void SampleIndex::saw(const std::string& file, const Content& content) {
  seen_.insert(file);
  const auto stored = stored_.find(file);
  const bool same = stored != stored_.end() && stored->second.digest == content.digest &&
                    stored->second.stamp == content.stamp;
  if (!same) new_files_.emplace_back(file, content);
}

void SampleIndex::add(const std::string& file, const Content& content,
                      const compare::Sample& sample) {
  seen_.insert(file);
  new_files_.emplace_back(file, content);
  new_reports_.push_back({content.digest, encode(sample)});
  if (new_reports_.size() >= kWriteAfter) write();
}

void SampleIndex::make_tables() {
  Database& database = *database_;
  // Another rackproof may have come in between.
  if (database.integer("PRAGMA application_id") == kApplication &&
      database.integer("PRAGMA user_version") == version_of(context_)) {
    return;
  }
  for (const char* sql :
       {"DROP TABLE IF EXISTS file", "DROP TABLE IF EXISTS report", "DROP TABLE IF EXISTS part",
        "CREATE TABLE file(path BLOB PRIMARY KEY, stamp, digest, seal)",
        "CREATE TABLE report(digest BLOB PRIMARY KEY, layout, facts, rest, seal)",
        "CREATE TABLE part(id BLOB PRIMARY KEY, bytes)"}) {
    database.execute(sql);
  }
  // A pragma takes no values.
  database.execute(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
  database.execute(fmt::format("PRAGMA user_version = {}", version_of(context_)).c_str());
}

void SampleIndex::write_report(const NewReport& report, std::set<std::string>& written_parts) {
  const std::string layout = support::sha256(report.parts.layout);
  const std::string facts = support::sha256(report.parts.facts);
  Statement part(*database_, "INSERT OR REPLACE INTO part VALUES(?, ?)");
  if (written_parts.insert(layout).second) part.with(layout, report.parts.layout).run();
  if (written_parts.insert(facts).second) part.with(facts, report.parts.facts).run();
  const std::string seal = seal_of({report.digest, layout, facts, report.parts.values});
  Statement(*database_, "INSERT OR REPLACE INTO report VALUES(?, ?, ?, ?, ?)")
      .with(report.digest, layout, facts, report.parts.values, seal)
      .run();
}

void SampleIndex::write() {
  if (!database_) {
    create_own_file(path_);
    if (require_own_file(path_)) open();
  }
  Transaction writing(*database_, "BEGIN IMMEDIATE");
  make_tables();
  std::set<std::string> written_parts;
  for (const NewReport& report : new_reports_) write_report(report, written_parts);
  Statement file(*database_, "INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?)");
  for (const auto& [path, content] : new_files_) {
    const std::string seal = seal_of({path, content.stamp, content.digest});
    file.with(path, content.stamp, content.digest, seal).run();
  }
  writing.commit();
  has_tables_ = true;
  new_reports_.clear();
  new_files_.clear();
}

std::vector<std::string> SampleIndex::gone() {
  std::vector<std::string> files;
  if (!has_tables_) return files;
  Statement file(*database_, "SELECT path FROM file");
  while (file.next()) {
    std::string path(file.bytes(0));
    struct stat status {};
    if (seen_.count(path) == 0 && lstat(path.c_str(), &status) != 0 &&
        (errno == ENOENT || errno == ENOTDIR)) {
      files.push_back(std::move(path));
    }
  }
  return files;
}

void SampleIndex::finish() {
  const bool news = !new_files_.empty();
  if (news) write();
  const std::vector<std::string> dropped = gone();
  if (!news && (dropped.empty() || database_->read_only())) return;
  Transaction writing(*database_, "BEGIN IMMEDIATE");
  Statement file(*database_, "DELETE FROM file WHERE path = ?");
  for (const std::string& path : dropped) file.with(path).run();
  database_->execute("DELETE FROM report WHERE digest NOT IN (SELECT digest FROM file)");
  database_->execute(
      "DELETE FROM part WHERE id NOT IN "
      "(SELECT layout FROM report UNION SELECT facts FROM report)");
  writing.commit();
}

bool discard(const std::string& path) { return discard_database(path, kApplication); }

}  // namespace rackproof::index
