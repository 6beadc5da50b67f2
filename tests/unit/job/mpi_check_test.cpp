#include "harness/job/mpi_check.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using Family = job::MpiVersion::Family;

namespace {

constexpr const char* kLibrary4 =
    "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022";
constexpr const char* kLibrary5 =
    "Open MPI v5.0.7, package: Debian OpenMPI, ident: 5.0.7, repo rev: v5.0.7, Feb 14, 2025";
constexpr const char* kMpirun4 = "mpirun (Open MPI) 4.1.4\n\nReport bugs to a page\n";
constexpr const char* kMpirun5 = "mpirun (Open MPI) 5.0.7rc2\n\nReport bugs to a page\n";
constexpr const char* kMpich = "MPICH Version:      4.0.2\nMPICH Release date: a day in 2022\n";
constexpr const char* kHydra = "HYDRA build details:\n    Version:                  4.0.2\n";
constexpr const char* kIntel = "Intel(R) MPI Library 2021.10 for Linux* OS\n";

job::MpiFacts facts_of(const std::string& library, const std::string& mpirun) {
  job::MpiFacts facts;
  facts.folder = "/opt/rackproof/bin";
  facts.soname = "libmpi.so.40";
  facts.library.version = library;
  if (!mpirun.empty()) facts.mpirun = "/usr/bin/mpirun";
  facts.mpirun_said = mpirun;
  return facts;
}

job::MpiFacts lacking(fleet::RankObstacle obstacle, const std::string& mpirun) {
  job::MpiFacts facts = facts_of("", mpirun);
  facts.obstacle = obstacle;
  if (obstacle == fleet::RankObstacle::kNoLibrary) facts.library.problem = "no such file";
  return facts;
}

}  // namespace

TEST_CASE("what an MPI says of itself gives its family and major version") {
  const auto check = [](const char* said, Family family, int major, const std::string& text) {
    const job::MpiVersion version = job::parse_mpi_version(said);
    CHECK(version.family == family);
    CHECK(version.major == major);
    CHECK(version.text == text);
  };
  check(kLibrary4, Family::kOpenMpi, 4, "Open MPI 4.1.4");
  check(kMpirun4, Family::kOpenMpi, 4, "Open MPI 4.1.4");
  check(kLibrary5, Family::kOpenMpi, 5, "Open MPI 5.0.7");
  check(kMpirun5, Family::kOpenMpi, 5, "Open MPI 5.0.7");
  check(kMpich, Family::kHydra, 4, "MPICH 4.0.2");
  check(kHydra, Family::kHydra, 4, "Hydra 4.0.2");
  check(kIntel, Family::kHydra, 2021, "Intel MPI 2021.10");
  check("Open MPI", Family::kOpenMpi, 0, "Open MPI");
  check("another one 7\nof 2.3", Family::kUnknown, 0, "another one 7");
  check("", Family::kUnknown, 0, "");
}

TEST_CASE("library and launcher of one family and version fit") {
  CHECK(job::mpi_complaints(facts_of(kLibrary4, kMpirun4)).empty());
  CHECK(job::mpi_line(facts_of(kLibrary4, kMpirun4)) ==
        "MPI: Open MPI 4.1.4 (libmpi.so.40); /usr/bin/mpirun is Open MPI 4.1.4: they fit");
  CHECK(job::mpi_complaints(facts_of(kLibrary5, kMpirun5)).empty());
  CHECK(job::mpi_complaints(facts_of(kMpich, kHydra)).empty());
  CHECK(job::mpi_complaints(facts_of(kIntel, kHydra)).empty());
}

TEST_CASE("library and launcher of two families or major versions do not fit") {
  for (const auto& [library, mpirun] : {std::pair(kLibrary4, kMpirun5),
                                        {kLibrary5, kMpirun4},
                                        {kLibrary4, kHydra},
                                        {kMpich, kMpirun4}}) {
    const job::MpiFacts facts = facts_of(library, mpirun);
    const auto complaints = job::mpi_complaints(facts);
    REQUIRE(complaints.size() == 1);
    CHECK(complaints[0].id == "mpi-mismatch");
    CHECK(complaints[0].blocking);
    CHECK(complaints[0].what.find(job::parse_mpi_version(library).text) != std::string::npos);
    CHECK(complaints[0].what.find(job::parse_mpi_version(mpirun).text) != std::string::npos);
    CHECK(job::mpi_line(facts).ends_with(": they do not fit"));
  }
}

TEST_CASE("of an MPI that is silent about itself nothing is claimed") {
  for (const auto& facts : {facts_of(kLibrary4, "no version\n"), facts_of("", kMpirun4)}) {
    CHECK(job::mpi_complaints(facts).empty());
    CHECK(job::mpi_line(facts).ends_with("; whether they fit cannot be told"));
  }
}

TEST_CASE("a machine on which nobody starts ranks needs no MPI") {
  for (const auto obstacle : {fleet::RankObstacle::kNotBuilt, fleet::RankObstacle::kNotInstalled,
                              fleet::RankObstacle::kNoLibrary}) {
    CHECK(job::mpi_complaints(lacking(obstacle, "")).empty());
    CHECK(job::mpi_line(lacking(obstacle, "")).ends_with("; there is no mpirun"));
  }
  CHECK(job::mpi_complaints(facts_of(kLibrary4, "")).empty());
}

TEST_CASE("a launcher without what its ranks need is told with the cure") {
  const auto id_of = [](const job::MpiFacts& facts) {
    const auto complaints = job::mpi_complaints(facts);
    REQUIRE(complaints.size() == 1);
    CHECK_FALSE(complaints[0].what.empty());
    CHECK_FALSE(complaints[0].fix.empty());
    return std::pair(complaints[0].id, complaints[0].blocking);
  };
  using Told = std::pair<std::string, bool>;
  CHECK(id_of(lacking(fleet::RankObstacle::kNotBuilt, kMpirun4)) == Told{"no-mpi-build", false});
  CHECK(id_of(lacking(fleet::RankObstacle::kNotInstalled, kMpirun4)) == Told{"mpi-missing", false});
  CHECK(id_of(lacking(fleet::RankObstacle::kNoLibrary, kMpirun4)) == Told{"mpi-missing", true});
  job::MpiFacts facts = lacking(fleet::RankObstacle::kNotInstalled, "");
  facts.under_launcher = true;
  CHECK(id_of(facts) == Told{"mpi-missing", true});
}
