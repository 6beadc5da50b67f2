#include "harness/job/retest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "harness/archive/report_file.hpp"
#include "harness/assemble/assemble.hpp"
#include "harness/config/day.hpp"
#include "harness/job/run_request.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/resume/resume.hpp"
#include "harness/resume/retest.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "harness/support/store.hpp"
#include "harness/support/zstd.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuiteBeside = "suite.json";
constexpr std::string_view kJournals = "journals/";
constexpr const char* kAmended = "amends";

[[noreturn]] void refuse_earlier(const std::string& file, const std::string& why) {
  throw support::UsageError(fmt::format("{}: {}; nothing can be measured on top of it", file, why));
}

// Names in a report are foreign: they may lead to the folder of journals and nowhere else.
std::string read_named(support::Store& store, const std::string& report, const std::string& name) {
  const bool ours = name.starts_with(kJournals) &&
                    name.find('/', kJournals.size()) == std::string::npos &&
                    name.find("..") == std::string::npos;
  auto bytes = ours ? store.read(name) : std::nullopt;
  if (!bytes) refuse_earlier(report, fmt::format("its file {} is not beside it", name));
  return std::move(*bytes);
}

// Behind what the report was made of may stand the line that closes the journal, and no other.
void require_same(const std::string& report, const model::JournalInfo& info,
                  const std::string& bytes) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(0, info.bytes));
  if (bytes.size() < size ||
      support::sha256_hex(std::string_view(bytes).substr(0, size)) != info.sha256) {
    refuse_earlier(report, info.file + " is not what the report was made of");
  }
  const std::string_view rest = std::string_view(bytes).substr(size);
  const bool close = rest.ends_with('\n') && std::count(rest.begin(), rest.end(), '\n') == 1 &&
                     journal::is_close_line(rest);
  if (!rest.empty() && !close) {
    refuse_earlier(report, info.file + " has lines that the report was not made of");
  }
}

void require_same_report(const std::string& file, const std::string& text,
                         const EarlierRun& earlier) {
  std::vector<assemble::JournalFile> journals;
  for (const model::JournalInfo& info : earlier.report.journals) {
    const auto found = std::find_if(earlier.files.begin(), earlier.files.end(),
                                    [&](const auto& one) { return one.name == info.file; });
    journals.push_back({info.file, found->bytes.substr(0, static_cast<std::size_t>(info.bytes))});
  }
  const assemble::Recordings recordings{[&](const std::string& name) {
    std::optional<assemble::Recordings::File> out;
    for (const KeptFile& one : earlier.files) {
      if (one.name == name) out = {one.bytes, support::sha256_hex(one.bytes)};
    }
    return out;
  }};
  try {
    if (model::to_json(assemble::assemble(journals, recordings)) == text) return;
  } catch (const assemble::NoRun& error) {
    refuse_earlier(file, error.what());
  }
  refuse_earlier(
      file,
      "the report is not what its journals give (rackproof verify says where): it was changed, "
      "judged again by another table, redacted, or made by another build of rackproof");
}

void read_chain(support::Store& store, const std::string& file, const std::string& text,
                EarlierRun& earlier) {
  for (const std::string& name : store.list(kAmended)) {
    const std::string kept = fmt::format("{}/{}", kAmended, name);
    if (auto bytes = store.read(kept)) earlier.files.push_back({kept, std::move(*bytes)});
  }
  // As it lies there, compressed or not; its digest is that of what it says.
  earlier.sha256 = support::sha256_hex(text);
  std::string bytes = store.read(fs::path(file).filename()).value_or("");
  const char* ending = support::is_zstd(bytes) ? ".json.zst" : ".json";
  earlier.files.push_back({fmt::format("{}/{}{}", kAmended, earlier.sha256, ending), bytes});
}

std::string device_of(const std::string& part, const model::NodeInventory& node) {
  std::string known;
  for (const model::DeviceFacts& device : node.devices) {
    if (part == device.uuid || part == fmt::format("{}", device.index)) return device.uuid;
    known += (known.empty() ? "" : ", ") + device.uuid;
  }
  throw support::UsageError(fmt::format(
      "--repaired {}/{}: the report knows no such GPU of that host; expected {}. Of anything else "
      "in it name the host alone",
      node.host, part, known.empty() ? "the host alone, which has none" : known));
}

}  // namespace

EarlierRun read_earlier_run(const std::string& path) {
  EarlierRun earlier;
  const std::string file = archive::report_file(path);
  const std::string text = support::read_file(file);
  earlier.report = archive::load_report(path);
  const fs::path folder = fs::path(file).parent_path();
  support::DirectoryStore store(folder.empty() ? "." : folder.string());
  if (earlier.report.journals.empty()) refuse_earlier(file, "the report names no journals");
  for (const model::JournalInfo& info : earlier.report.journals) {
    std::string bytes = read_named(store, file, info.file);
    require_same(file, info, bytes);
    earlier.files.push_back({info.file, std::move(bytes)});
    earlier.last_segment = std::max(earlier.last_segment, info.segment);
  }
  for (const model::RecordingInfo& info : earlier.report.recordings) {
    if (info.sha256.empty()) continue;
    std::string bytes = read_named(store, file, info.file);
    if (support::sha256_hex(bytes) != info.sha256) {
      refuse_earlier(file, info.file + " is not what the report was made of");
    }
    earlier.files.push_back({info.file, std::move(bytes)});
  }
  require_same_report(file, text, earlier);
  earlier.last_segment = std::max(earlier.last_segment, resume::last_segment(store));
  earlier.suite_file = store.path(kSuiteBeside);
  earlier.suite_text = support::read_file(earlier.suite_file);
  read_chain(store, file, text, earlier);
  return earlier;
}

std::vector<model::Repair> parse_repairs(const RetestOptions& options,
                                         const model::Report& before) {
  std::vector<model::Repair> repairs;
  for (const std::string& text : options.repaired) {
    const std::size_t slash = text.find('/');
    const std::string host = text.substr(0, slash);
    const auto node = std::find_if(before.nodes.begin(), before.nodes.end(),
                                   [&](const auto& one) { return one.host == host; });
    if (node == before.nodes.end()) {
      throw support::UsageError(
          fmt::format("--repaired {}: the report has no host {}", text, host));
    }
    const std::string device =
        slash == std::string::npos ? "" : device_of(text.substr(slash + 1), *node);
    repairs.push_back({host, device, options.reason, options.ticket});
  }
  return repairs;
}

void amend(const EarlierRun& earlier, const RetestOptions& options, resume::Request& request) {
  const model::Report& before = earlier.report;
  model::Amends amends;
  amends.sha256 = earlier.sha256;
  amends.run = before.run.id;
  amends.began_utc = before.run.began_utc;
  amends.acceptance = contract::word(before.acceptance);
  amends.valid_seconds = parse_seconds(options.valid);
  amends.repairs = parse_repairs(options, before);
  const auto wrong = resume::wrong_elsewhere(before, amends.repairs);
  if (!wrong.empty()) {
    throw support::UsageError(
        fmt::format("{} gave a wrong answer, or its hardware failed, and it is not named with "
                    "--repaired: measuring it again would prove nothing",
                    fmt::join(wrong, ", ")));
  }
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  resume::retest_from(before, amends,
                      resume::kept_after(before, amends.repairs, now - amends.valid_seconds, now),
                      request);
  request.segment = earlier.last_segment + 1;
}

void copy_earlier_run(const EarlierRun& earlier, const std::string& out) {
  support::DirectoryStore store(out);
  store.make_folder("journals");
  store.make_folder(kAmended);
  for (const KeptFile& file : earlier.files) store.write_durably(file.name, file.bytes);
}

}  // namespace rackproof::job
