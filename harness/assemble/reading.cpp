#include "harness/assemble/reading.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "harness/journal/entry_json.hpp"

namespace rackproof::assemble {
bool is_gathered(const std::string& name) { return name.find(".gathered.") != std::string::npos; }

const RankJournal* journal_of(const Reading& reading, int segment, int rank) {
  for (const RankJournal& journal : reading.journals) {
    if (journal.segment == segment && journal.rank == rank) return &journal;
  }
  return nullptr;
}

Reading read(const std::vector<JournalFile>& files) {
  std::vector<const JournalFile*> order;
  std::set<std::string> own;
  for (const JournalFile& file : files) {
    order.push_back(&file);
    if (!is_gathered(file.name)) own.insert(file.name.substr(0, file.name.rfind(".jsonl")));
  }
  std::sort(order.begin(), order.end(),
            [](const JournalFile* a, const JournalFile* b) { return a->name < b->name; });
  Reading reading;
  for (const JournalFile* file : order) {
    if (is_gathered(file->name) &&
        own.contains(file->name.substr(0, file->name.rfind(".gathered.")))) {
      continue;
    }
    RankJournal journal;
    journal.name = file->name;
    std::vector<ingest::Damage> unreadable;
    ingest::JournalScan scan([&](const ingest::Line& line) {
      try {
        ingest::apply(journal::entry_from_json(line.body), journal, reading);
      } catch (const std::bad_alloc&) {
        throw;  // not the line's fault, and half of it may have been taken
      } catch (const std::exception& error) {
        unreadable.push_back(
            {line.number, false, "holds a '" + line.kind() + "' that is none: " + error.what()});
      }
    });
    Summing sum;
    const auto take = [&](std::string_view part) {
      sum.feed(part);
      scan.feed(part);
    };
    if (file->parts) {
      file->parts(take);
    } else {
      take(file->bytes);
    }
    journal.damages = scan.finish();
    journal.whole = sum.whole();
    journal.without_close = sum.without_close();
    journal.damages.insert(journal.damages.end(), unreadable.begin(), unreadable.end());
    reading.journals.push_back(std::move(journal));
  }
  if (reading.report.run.id.empty()) throw NoRun("no journal here says how a run began");
  ingest::conclude(reading);
  return reading;
}

}  // namespace rackproof::assemble
