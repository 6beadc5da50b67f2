#include "harness/job/mpi_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/fleet/launcher.hpp"
#include "harness/job/become_rank.hpp"
#include "harness/job/probe.hpp"

namespace rackproof::job {
namespace {

using Family = MpiVersion::Family;
using Obstacle = fleet::RankObstacle;

struct Mark {
  const char* word;
  Family family;
  const char* name;
};

// In this order: what Intel's library says of itself may name MPICH too.
constexpr Mark kMarks[] = {{"Open MPI", Family::kOpenMpi, "Open MPI"},
                           {"Intel(R) MPI", Family::kHydra, "Intel MPI"},
                           {"MPICH", Family::kHydra, "MPICH"},
                           {"HYDRA", Family::kHydra, "Hydra"}};
constexpr const char* kDecimalDigits = "0123456789";

// The first word with a dot that begins with a digit, without what a release candidate adds to it.
std::string dotted_number(const std::string& text, std::size_t from) {
  for (std::size_t at = text.find_first_of(kDecimalDigits, from); at != std::string::npos;
       at = text.find_first_of(kDecimalDigits, at)) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string number = text.substr(at, end - at);
    if (number.find('.') != std::string::npos) return number;
    at = end;
  }
  return "";
}

std::string found_of(const MpiFacts& facts) {
  if (facts.obstacle == Obstacle::kNotBuilt) return "not in this build";
  if (facts.obstacle == Obstacle::kNotInstalled) {
    return fmt::format("there is no {} in {}", fleet::kRankProgram, facts.folder);
  }
  if (facts.obstacle == Obstacle::kNoLibrary) {
    return fmt::format("{} cannot be loaded ({})", facts.soname, facts.library.problem);
  }
  return fmt::format("{} ({})", parse_mpi_version(facts.library.version).text, facts.soname);
}

bool fits(const MpiVersion& library, const MpiVersion& launcher) {
  if (library.family != launcher.family) return false;
  return library.family != Family::kOpenMpi || library.major == launcher.major;
}

// Both say what they are.
bool comparable(const MpiVersion& library, const MpiVersion& launcher) {
  return library.family != Family::kUnknown && launcher.family != Family::kUnknown;
}

}  // namespace

MpiVersion parse_mpi_version(const std::string& said) {
  for (const Mark& mark : kMarks) {
    const std::size_t at = said.find(mark.word);
    if (at == std::string::npos) continue;
    const std::string number = dotted_number(said, at);
    return {mark.family, std::atoi(number.c_str()),
            number.empty() ? mark.name : fmt::format("{} {}", mark.name, number)};
  }
  return {Family::kUnknown, 0, said.substr(0, said.find('\n'))};
}

MpiFacts find_mpi(const std::string& folder, const std::map<std::string, std::string>& environment,
                  const std::optional<std::string>& mpirun) {
  MpiFacts facts;
  facts.folder = folder;
  facts.soname = fleet::mpi_soname();
  if (!facts.soname.empty()) facts.library = fleet::load_mpi(facts.soname);
  facts.obstacle = fleet::find_obstacle(folder, facts.soname, facts.library);
  facts.mpirun = mpirun;
  if (mpirun) facts.mpirun_said = output_of({*mpirun, "--version"});
  facts.under_launcher = fleet::detect_launcher(environment).wants_mpi;
  return facts;
}

std::string mpi_line(const MpiFacts& facts) {
  std::string line = "MPI: " + found_of(facts);
  if (!facts.mpirun) return line + "; there is no mpirun";
  const MpiVersion launcher = parse_mpi_version(facts.mpirun_said);
  line += fmt::format("; {} is {}", *facts.mpirun,
                      launcher.text.empty() ? "silent about itself" : launcher.text);
  if (facts.obstacle != Obstacle::kNone) return line;
  const MpiVersion library = parse_mpi_version(facts.library.version);
  if (!comparable(library, launcher)) return line + "; whether they fit cannot be told";
  return line + (fits(library, launcher) ? ": they fit" : ": they do not fit");
}

std::vector<inventory::Complaint> mpi_complaints(const MpiFacts& facts) {
  const bool wanted = facts.under_launcher || facts.mpirun;
  if (!wanted) return {};
  if (facts.obstacle != Obstacle::kNone) {
    const char* const id = facts.obstacle == Obstacle::kNotBuilt ? "no-mpi-build" : "mpi-missing";
    // Without it a run alone works, which is all that such a build is for.
    const bool blocking = facts.under_launcher || facts.obstacle == Obstacle::kNoLibrary;
    const job::Lack lack = job::lack_of(facts.obstacle, facts.folder, facts.soname, facts.library);
    return {{id, lack.what, lack.fix, blocking}};
  }
  const MpiVersion library = parse_mpi_version(facts.library.version);
  const MpiVersion launcher = parse_mpi_version(facts.mpirun_said);
  if (!facts.mpirun || !comparable(library, launcher) || fits(library, launcher)) return {};
  return {{"mpi-mismatch",
           fmt::format("{} is {}, but {} is {}: each rank would be alone", *facts.mpirun,
                       launcher.text, facts.soname, library.text),
           "put the mpirun first in PATH, or the library in LD_LIBRARY_PATH, that belongs to the "
           "other (a site's MPI module does both)",
           true}};
}

}  // namespace rackproof::job
