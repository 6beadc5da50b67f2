#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "benches/protocol/version.hpp"
#include "harness/assemble/assemble.hpp"
#include "harness/signoff/chain.hpp"
#include "harness/signoff/difference.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/store.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::signoff {
namespace {

constexpr std::size_t kFaultsTold = 10;
constexpr std::string_view kFolder = "journals/";

// Names in a report are foreign: they may lead to the folder of journals and nowhere else.
bool is_ours(const std::string& name) {
  return name.starts_with(kFolder) && name.find('/', kFolder.size()) == std::string::npos &&
         name.find("..") == std::string::npos;
}

// What there is of a run beside its report.
class Archive {
 public:
  Archive(const Exhibit& exhibit, Screen& screen)
      : exhibit_(exhibit), screen_(screen), store_(folder_of(exhibit.file)) {}

  void examine() {
    if (!exhibit_.report) {
      locate_in_whole_journals();
      return;
    }
    if (exhibit_.report->journals.empty()) {
      screen_.add(State::kOpen, "journals", "the report names none: it is older than version 1.5");
      return;
    }
    read_journals();
    find_strangers();
    examine_recordings();
    if (strangers_ || (changed_ && faults_ > 0)) {
      locate_in_whole_journals();
    } else if (missing_ == 0) {
      assemble_again();
    }
  }

 private:
  static std::string folder_of(const std::string& file) {
    const std::filesystem::path path(file);
    return path.has_parent_path() ? path.parent_path().string() : ".";
  }

  void fail(const char* about, const std::string& text) {
    if (++faults_ <= kFaultsTold) screen_.add(State::kFails, about, text);
    if (faults_ == kFaultsTold + 1) screen_.add(State::kFails, about, "and more");
  }

  bool ended(const model::JournalInfo& info) const {
    const model::Report& report = *exhibit_.report;
    if (report.run.ended_utc.empty() || info.segment != report.run.segments) return false;
    if (info.file.find(".gathered.") != std::string::npos) return false;
    return std::any_of(report.ranks.begin(), report.ranks.end(), [&](const auto& rank) {
      return rank.rank == info.rank && rank.state == model::RankState::kFinished;
    });
  }

  void read_journals() {
    std::int64_t lines = 0;
    for (const model::JournalInfo& info : exhibit_.report->journals) {
      auto bytes = is_ours(info.file) ? store_.read(info.file) : std::nullopt;
      if (!bytes) {
        ++missing_;
        first_missing_ = first_missing_.empty() ? info.file : first_missing_;
        continue;
      }
      const Chain chain = examine_journal(info, *bytes, ended(info));
      for (const std::string& fault : chain.faults) fail("journal", fault);
      if (!chain.note.empty()) screen_.add(State::kOpen, "journal", info.file + ": " + chain.note);
      changed_ = changed_ || !chain.same;
      lines += info.lines;
      journals_.push_back({info.file, std::move(*bytes)});
    }
    if (faults_ == 0 && !journals_.empty()) {
      screen_.add(State::kHolds, "journals",
                  fmt::format("{} of {}, {} lines: digests and seals", journals_.size(),
                              exhibit_.report->journals.size(), lines));
    }
    if (missing_ > 0) {
      screen_.add(State::kOpen, "journals",
                  fmt::format("{} of {} are not at hand: {}", missing_,
                              exhibit_.report->journals.size(), first_missing_));
    }
  }

  // A journal that was put there later is not in the report. Copies of journals that are there
  // themselves were not read.
  void find_strangers() {
    std::set<std::string> known;
    for (const auto& info : exhibit_.report->journals) known.insert(info.file);
    for (const auto& info : exhibit_.report->recordings) known.insert(info.file);
    for (const std::string& name : store_.list("journals")) {
      const std::string file = std::string(kFolder) + name;
      const bool recording = name.ends_with(".recording");
      if (!(recording || name.ends_with(".jsonl")) || known.contains(file)) continue;
      const std::string own = file.substr(0, file.rfind(".gathered.")) + ".jsonl";
      if (name.find(".gathered.") != std::string::npos && known.contains(own)) continue;
      fail(recording ? "recording" : "journal", file + ": was not there when the report was made");
      strangers_ = true;
    }
  }

  void examine_recordings() {
    std::size_t same = 0;
    std::string absent;
    for (const model::RecordingInfo& info : exhibit_.report->recordings) {
      if (info.sha256.empty()) continue;
      auto bytes = is_ours(info.file) ? store_.read(info.file) : std::nullopt;
      if (!bytes) {
        absent = absent.empty() ? info.file : absent;
        continue;
      }
      if (support::sha256_hex(*bytes) == info.sha256) {
        ++same;
      } else {
        fail("recording", info.file + ": is not what the report was made of");
        changed_ = true;
      }
    }
    if (same > 0) {
      screen_.add(State::kHolds, "recordings", fmt::format("{}: digests", same));
    }
    if (!absent.empty()) screen_.add(State::kOpen, "recordings", absent + ": is not at hand");
    recordings_whole_ = absent.empty();
  }

  assemble::Recordings recordings() {
    return {[this](const std::string& name) {
      std::optional<assemble::Recordings::File> file;
      if (!is_ours(name)) return file;
      if (!locating_) {
        // One that came later was not read.
        const auto& all = exhibit_.report->recordings;
        const bool was_there = std::any_of(all.begin(), all.end(), [&name](const auto& info) {
          return info.file == name && !info.sha256.empty();
        });
        if (!was_there) return file;
      }
      if (auto bytes = store_.read(name)) {
        std::string digest = support::sha256_hex(*bytes);
        file = {std::move(*bytes), std::move(digest)};
      }
      return file;
    }};
  }

  void assemble_again() {
    if (!recordings_whole_) {
      screen_.add(State::kOpen, "assembled", "not made again: not all recordings are at hand");
      return;
    }
    for (std::size_t i = 0; i < journals_.size(); ++i) {
      journals_[i].bytes.resize(static_cast<std::size_t>(exhibit_.report->journals[i].bytes));
    }
    compare();
  }

  // The report says wrongly which bytes it was made of, or cannot be read at all: what all of them
  // give shows where it was changed. Journals that are damaged show nothing.
  void locate_in_whole_journals() {
    locating_ = true;
    journals_.clear();
    for (const std::string& name : store_.list("journals")) {
      if (!name.ends_with(".jsonl")) continue;
      const std::string file = std::string(kFolder) + name;
      if (auto bytes = store_.read(file)) journals_.push_back({file, std::move(*bytes)});
    }
    if (!journals_.empty()) compare();
  }

  void compare() {
    model::Report again;
    try {
      again = assemble::assemble(journals_, recordings());
    } catch (const assemble::NoRun& error) {
      screen_.add(State::kOpen, "assembled", error.what());
      return;
    }
    const bool damaged = std::any_of(again.journals.begin(), again.journals.end(),
                                     [](const auto& info) { return !info.damaged.empty(); });
    const bool other_program = exhibit_.report && !made_by_us(again);
    if (other_program) again.schema_version = exhibit_.report->schema_version;
    const std::string place = first_difference(exhibit_.text, model::to_json(again));
    if (place.empty()) {
      screen_.add(State::kHolds, "assembled", "the journals give this report again, byte by byte");
    } else if (damaged && faults_ > 0) {
      screen_.add(State::kOpen, "assembled", "damaged journals do not show what the report was");
    } else if (other_program) {
      screen_.add(State::kOpen, "assembled",
                  fmt::format("rackproof {} ({}) made it, this one makes it otherwise: {}",
                              again.tool.version, again.tool.commit, place));
    } else {
      screen_.add(State::kFails, "assembled", "is not what the journals give: " + place);
    }
  }

  bool made_by_us(const model::Report& again) const {
    return exhibit_.report->tool != again.tool ||
           (again.tool.version == protocol::version() && again.tool.commit == protocol::commit());
  }

  const Exhibit& exhibit_;
  Screen& screen_;
  support::DirectoryStore store_;
  std::vector<assemble::JournalFile> journals_;
  std::size_t missing_ = 0;
  std::string first_missing_;
  std::size_t faults_ = 0;
  bool changed_ = false;
  bool strangers_ = false;
  bool locating_ = false;
  bool recordings_whole_ = true;
};

}  // namespace

void verify_journals(const Exhibit& exhibit, Screen& screen) { Archive(exhibit, screen).examine(); }

}  // namespace rackproof::signoff
