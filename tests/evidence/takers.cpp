#include "tests/evidence/takers.hpp"

#include <fstream>

#include "harness/archive/report_file.hpp"
#include "harness/document/located_json.hpp"
#include "harness/judge/judge.hpp"
#include "harness/rejudge/held_against.hpp"
#include "harness/support/errors.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fakes/sealed.hpp"

namespace rackproof::evidence {
namespace {

Fate refusal(const std::string& why) {
  Fate fate;
  fate.refused = true;
  fate.why = why;
  return fate;
}

bool is_ill(const model::Cell& cell) {
  const auto size = cell.parameters.find("size");
  return cell.step == kIllStep && cell.subject.host == kIllHost && size != cell.parameters.end() &&
         size->second == contract::Scalar{kIllSize};
}

Fate fate_of(const model::Report& report) {
  Fate fate;
  fate.acceptance = report.acceptance;
  fate.why = report.acceptance_reason;
  for (const model::Cell& cell : report.cells) {
    fate.ill_passed = fate.ill_passed || (is_ill(cell) && model::is_right(cell.verdict.outcome));
  }
  return fate;
}

Fate judge_again(model::Report report, const Installation& installation) {
  archive::require_policy(report, "report");
  for (const std::string& complaint : rejudge::contradictions(report, installation.paths())) {
    return refusal(complaint);
  }
  const rejudge::OwedCells owed(report, installation.paths());
  for (const std::string& complaint : owed.steps()) return refusal(complaint);
  std::vector<rejudge::OwedCells::Mark> marks;
  for (const model::Cell& cell : report.cells) marks.push_back(rejudge::OwedCells::mark(cell));
  for (const std::string& complaint : owed.compare(marks)) return refusal(complaint);
  judge::judge(report);
  return fate_of(report);
}

/// What ends a verb with one line and a code of its own.
template <class Take>
Fate refused_or(const Take& take) {
  try {
    return take();
  } catch (const model::BadReport& error) {
    return refusal(error.what());
  } catch (const assemble::NoRun& error) {
    return refusal(error.what());
  } catch (const document::ConfigError& error) {
    return refusal(error.what());
  } catch (const support::UsageError& error) {
    return refusal(error.what());
  } catch (const support::IntegrityError& error) {
    return refusal(error.what());
  }
}

/// A file beside the installed one of its kind, gone with this object.
class Written {
 public:
  Written(const std::string& beside, const std::string& text) : path_(beside + ".spoiled.json") {
    std::ofstream(path_) << text;
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Fate take_report(const std::string& text, const Installation& installation) {
  return refused_or([&] { return judge_again(model::report_from_json(text), installation); });
}

Fate take_journals(const std::vector<assemble::JournalFile>& unsealed,
                   const Installation& installation) {
  return refused_or([&] {
    std::vector<assemble::JournalFile> journals;
    for (const auto& one : unsealed) journals.push_back({one.name, fakes::sealed(one.bytes)});
    return judge_again(assemble::assemble(journals), installation);
  });
}

Fate take_table(const std::string& text, Ill ill, const Installation& installation) {
  return refused_or([&] {
    const Written table(installation.table(), text);
    return fate_of(play(ill, installation, installation.suite(), table.path()).report);
  });
}

Fate take_suite(const std::string& text, Ill ill, const Installation& installation) {
  return refused_or([&] {
    const Written suite(installation.suite(), text);
    return fate_of(play(ill, installation, suite.path(), installation.table()).report);
  });
}

}  // namespace rackproof::evidence
