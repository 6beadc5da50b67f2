#include "benches/kit/progress.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "benches/kit/bench.hpp"

namespace rackproof::kit {
namespace {

using contract::Place;
using contract::ProgressPage;
using contract::unpacked;

std::string title_of(const ProgressPage& page, std::size_t which) {
  std::string text;
  for (const auto& word : page.titles.at(which).text) {
    const std::uint64_t bytes = word.load();
    text.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  }
  return text.substr(0, text.find('\0'));
}

// A variable of the environment for as long as this lives.
class Said {
 public:
  explicit Said(const std::string& value) { setenv(contract::kProgressVariable, value.c_str(), 1); }
  ~Said() { unsetenv(contract::kProgressVariable); }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;
};

}  // namespace

TEST_CASE("what is entered and completed is in the page, cell by cell and exchange by exchange") {
  ProgressPage page;
  ProgressWriter writer(&page);
  CHECK(page.version == ProgressPage::kVersion);
  CHECK(unpacked(page.entered) == Place{});
  writer.begin("all_reduce 8 B", 8);
  bool called = false;
  writer.exchange([&] {
    called = true;
    CHECK(unpacked(page.entered) == Place{1, 0, 1});
    CHECK(unpacked(page.completed) == Place{});
  });
  CHECK(called);
  CHECK(unpacked(page.completed) == Place{1, 0, 1});
  CHECK(writer.next_exchange() == Place{1, 0, 2});
  CHECK(writer.next_operation() == Place{1, 0, 0});
  CHECK(writer.next_exchange() == Place{1, 1, 1});
  const Place second = writer.next_operation();
  CHECK(second == Place{1, 1, 0});
  writer.enter(second, 4);
  CHECK(unpacked(page.entered) == second);
  CHECK(page.span == 4);
  CHECK(unpacked(page.completed) == Place{1, 0, 1});
  writer.complete(second);
  CHECK(unpacked(page.completed) == second);
  writer.begin(std::string(500, 'x'), 16);
  CHECK(writer.next_operation() == Place{2, 0, 0});
  // The title of the cell before stays as long as somebody may stand in it.
  CHECK(title_of(page, 1) == "all_reduce 8 B");
  CHECK(page.titles[1].bytes == 8);
  CHECK(title_of(page, 0) == std::string(sizeof(ProgressPage::Title::text), 'x'));
  CHECK(page.titles[0].bytes == 16);
}

TEST_CASE("without a page, or one that is none, all is told to nobody") {
  ProgressWriter().exchange([] {});
  ProgressWriter(nullptr).begin("a", 1);
  for (const char* const said : {"", "2", "-1", "77", "4x", "four"}) {
    const Said variable(said);
    ProgressWriter writer = ProgressWriter::from_environment();
    writer.begin("a", 1);
    writer.exchange([] {});
  }
}

TEST_CASE("a page that the environment names is written, and not handed on") {
  const int file = memfd_create("page", MFD_CLOEXEC);
  REQUIRE(file >= 0);
  REQUIRE(ftruncate(file, sizeof(ProgressPage)) == 0);
  void* const here = mmap(nullptr, sizeof(ProgressPage), PROT_READ, MAP_SHARED, file, 0);
  REQUIRE(here != MAP_FAILED);
  const auto& page = *static_cast<const ProgressPage*>(here);
  {
    const Said variable(std::to_string(file));
    ProgressWriter writer = ProgressWriter::from_environment();
    CHECK(fcntl(file, F_GETFD) == -1);
    writer.begin("a", 1);
    writer.exchange([] {});
  }
  CHECK(page.version == ProgressPage::kVersion);
  CHECK(unpacked(page.completed) == Place{1, 0, 1});
  munmap(here, sizeof(ProgressPage));
}

TEST_CASE("a bench inside a rank is given the page of its rank") {
  Bench bench;
  bench.name = "some";
  bench.backend = "mpi";
  bench.run = [](Session& session) {
    session.progress().begin("a", 1);
    session.progress().exchange([] {});
  };
  ProgressPage page;
  const auto quiet = [](std::string_view) {};
  CHECK(run_bench({}, bench, quiet, "nonce", &page) == contract::ExitCode::kDone);
  CHECK(unpacked(page.completed) == Place{1, 0, 1});
  CHECK(run_bench({}, bench, quiet, "nonce") == contract::ExitCode::kDone);
}

}  // namespace rackproof::kit
