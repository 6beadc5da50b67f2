#include "benches/align/scores_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "benches/kit/errors.hpp"

namespace rackproof::align {
namespace {

std::string what_went_wrong() { return std::generic_category().message(errno); }

}  // namespace

ScoresFile::ScoresFile(const std::string& path) : path_(path) {
  if (path_.empty()) return;
  out_.open(path_, std::ios::binary);
  if (out_) return;
  throw kit::UsageError(fmt::format("--scores {}: {}; expected a file that can be written", path_,
                                    what_went_wrong()));
}

void ScoresFile::write(const Workload& work, const Scores& scores) {
  if (path_.empty()) return;
  for (std::int64_t query = 0; query < work.queries.size(); ++query) {
    const std::string name = work.queries.name(query);
    for (std::int64_t subject = 0; subject < work.database.size(); ++subject) {
      out_ << name << '\t' << work.database.name(subject) << '\t' << scores.at(query, subject)
           << '\n';
    }
  }
  out_.close();
  if (!out_) throw std::runtime_error(fmt::format("--scores {}: {}", path_, what_went_wrong()));
}

}  // namespace rackproof::align
