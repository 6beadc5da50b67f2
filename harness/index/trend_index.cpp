#include "harness/index/trend_index.hpp"

#include <cstdio>
#include <filesystem>
#include <utility>

#include "harness/archive/report_file.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/parallel.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::index {
namespace {

namespace fs = std::filesystem;

// Where it cannot be said, the name as it is will do: it is then no file that could be read.
std::string full_path_of_report(const std::string& file) {
  try {
    std::error_code error;
    const fs::path path = fs::absolute(archive::report_file(file), error);
    return error ? file : path.lexically_normal().string();
  } catch (const support::UsageError&) {
    return file;
  }
}

}  // namespace

TrendIndex::TrendIndex(std::string path, const config::ComparisonRules& table,
                       const std::vector<std::string>& files)
    : path_(std::move(path)) {
  for (const std::string& file : files)
    entries_.push_back({file, full_path_of_report(file), {}, {}});
  const std::optional<Content> program =
      path_.empty() ? std::nullopt : read_content("/proc/self/exe");
  if (!program) return;
  context_ = context_of(program->digest, table);
  open();
  if (index_) look_up();
}

void TrendIndex::open() {
  // Not through use(), which needs one.
  try {
    index_.emplace(path_, context_);
  } catch (const IndexError& error) {
    give_up(error);
  }
}

void TrendIndex::give_up(const IndexError& error) {
  index_.reset();
  const bool anew = error.damaged && !made_anew_ && discard(path_);
  std::fprintf(stderr, "rackproof: index %s: %s; %s\n", model::printable(path_).c_str(),
               model::printable(error.what()).c_str(),
               anew ? "made anew" : "the reports are read without it");
  if (!anew) return;
  made_anew_ = true;
  open();
}

void TrendIndex::use(const std::function<void(SampleIndex&)>& work) {
  if (!index_) return;
  try {
    work(*index_);
  } catch (const IndexError& error) {
    give_up(error);
  }
}

void TrendIndex::look_up() {
  use([&](SampleIndex& index) {
    for (Entry& entry : entries_) {
      const Stamp stamp = stamp_of_file(entry.path);
      std::string digest = index.digest_of(entry.path, stamp);
      if (!digest.empty()) entry.content = {std::move(digest), stamp};
    }
  });
  // A report that will be read anyway is hashed then, while its bytes are at hand.
  if (!index_ || !index_->knows_any()) return;
  support::on_all_cores(entries_.size(), [&](std::size_t i) {
    Entry& entry = entries_[i];
    if (!entry.content.digest.empty()) return;
    if (auto content = read_content(entry.path)) entry.content = std::move(*content);
  });
  std::vector<std::string> digests;
  for (const Entry& entry : entries_) digests.push_back(entry.content.digest);
  use([&](SampleIndex& index) {
    auto samples = index.find(digests, support::on_all_cores);
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].sample = std::move(samples[i]);
  });
}

compare::Sample TrendIndex::sample(std::size_t i, const std::function<compare::Sample()>& read) {
  Entry& entry = entries_.at(i);
  if (entry.sample) {
    use([&](SampleIndex& index) { index.saw(entry.path, entry.content); });
    entry.sample->name = entry.name;
    return std::move(*entry.sample);
  }
  if (!index_) return read();
  if (entry.content.digest.empty()) {
    entry.content = read_content(entry.path).value_or(Content());
  }
  compare::Sample sample = read();
  // What was read is what was hashed, if that is still there.
  const std::optional<Content> now = read_content(entry.path);
  if (now && now->digest == entry.content.digest) {
    use([&](SampleIndex& index) { index.add(entry.path, *now, sample); });
  }
  return sample;
}

void TrendIndex::finish() {
  use([](SampleIndex& index) { index.finish(); });
}

}  // namespace rackproof::index
