#include "harness/assemble/sources.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "harness/support/digest.hpp"
#include "harness/warden/seal.hpp"
#include "reports/json/report_json.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;

namespace {

std::int64_t lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

std::string without_last_line(const std::string& text) {
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

// The journals as they were when the report was made.
std::vector<assemble::JournalFile> as_counted(const Scene& scene, const model::Report& report) {
  std::vector<assemble::JournalFile> out;
  for (const assemble::JournalFile& file : scene.files()) {
    for (const model::JournalInfo& info : report.journals) {
      if (info.file != file.name) continue;
      out.push_back({file.name, file.bytes.substr(0, static_cast<std::size_t>(info.bytes))});
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a journal in parts is summed up as it is whole") {
  Scene scene(2);
  scene.whole_run();
  const std::string closed = scene.bytes(1);
  for (const std::string& bytes :
       {closed, closed + "{\"torn", without_last_line(closed), closed.substr(0, 20),
        std::string("\n"), std::string("\n\n"), std::string()}) {
    const bool is_closed = bytes == closed;
    const std::string shorter = is_closed ? without_last_line(bytes) : bytes;
    for (const std::size_t size : {1, 2, 5, 100, 1'000'000}) {
      assemble::Summing sum;
      for (std::size_t at = 0; at < bytes.size(); at += size) {
        sum.feed(std::string_view(bytes).substr(at, size));
      }
      CHECK(sum.whole().sha256 == support::sha256_hex(bytes));
      CHECK(sum.whole().bytes == static_cast<std::int64_t>(bytes.size()));
      CHECK(sum.whole().lines == lines_in(bytes));
      CHECK(sum.without_close().sha256 == support::sha256_hex(shorter));
      CHECK(sum.without_close().lines == lines_in(shorter));
      if (is_closed) CHECK(shorter.ends_with("\"seal\":\"" + sum.without_close().head + "\"}\n"));
    }
  }
}

TEST_CASE("journals that are read when it is their turn give the same report") {
  Scene scene(2);
  scene.whole_run();
  std::vector<assemble::JournalFile> files = scene.files();
  const std::string whole = model::to_json(assemble::assemble(files));
  for (assemble::JournalFile& file : files) {
    file.parts = [bytes = std::exchange(file.bytes, "")](const auto& take) {
      for (std::size_t at = 0; at < bytes.size(); at += 77) {
        take(std::string_view(bytes).substr(at, 77));
      }
    };
  }
  CHECK(model::to_json(assemble::assemble(files)) == whole);
}

TEST_CASE("a report names the bytes of the journals that it was made out of") {
  Scene scene(2);
  scene.whole_run();
  const model::Report report = scene.report();
  REQUIRE(report.journals.size() == 2);
  const model::JournalInfo& other = report.journals[1];
  const std::string bytes = without_last_line(scene.bytes(1));
  CHECK(other.file == Scene::name(1));
  CHECK(other.rank == 1);
  CHECK(other.segment == 1);
  CHECK(other.bytes == static_cast<std::int64_t>(bytes.size()));
  CHECK(other.lines == lines_in(bytes));
  CHECK(other.sha256 == support::sha256_hex(bytes));
  CHECK(bytes.ends_with("\"seal\":\"" + other.head + "\"}\n"));
  CHECK(other.damaged.empty());
}

TEST_CASE("a report made before rank 0 closes its journal is the one that is made afterwards") {
  Scene scene(2);
  scene.begin();
  for (const int rank : {0, 1}) scene.attempt(rank, "a");
  scene.end();
  scene.close(1);
  const model::Report before = scene.report();
  CHECK(before.journals[0].bytes == static_cast<std::int64_t>(scene.bytes(0).size()));
  scene.close(0);
  CHECK(scene.report() == before);
  CHECK(model::to_json(scene.report()) == model::to_json(before));
  CHECK(before.journals[0].sha256 == support::sha256_hex(without_last_line(scene.bytes(0))));
}

TEST_CASE("the close of rank 0 is counted where the report depends on it") {
  Scene scene(2);
  const auto counts_all = [&scene] {
    return scene.report().journals[0].bytes == static_cast<std::int64_t>(scene.bytes(0).size());
  };
  scene.begin();
  for (const int rank : {0, 1}) scene.attempt(rank, "a");
  SECTION("the run did not end") {
    scene.close(1);
    scene.close(0, model::CloseReason::kRankGone);
    CHECK(counts_all());
  }
  SECTION("another journal is open") {
    scene.end();
    scene.close(0);
    CHECK(counts_all());
  }
  const model::Report report = scene.report();
  CHECK(assemble::assemble(as_counted(scene, report)) == report);
}

TEST_CASE("the bytes that a report names give it again") {
  Scene scene(3);
  scene.begin();
  SECTION("a rank vanished") {
    scene.attempt(0, "a");
    scene.start(1, "a");
    scene.close(1, model::CloseReason::kRankGone);
    scene.end(false);
  }
  SECTION("the run was interrupted and resumed") {
    scene.attempt(0, "a");
    scene.end(false, true);
    scene.close_all();
    scene.begin(2);
    for (const int rank : {0, 1, 2}) scene.attempt(rank, "b");
    scene.end();
    scene.close_all();
  }
  SECTION("everything is lost in the middle of a line") {
    scene.attempt(2, "a");
    for (const int rank : {0, 1, 2}) scene.warden(rank).lose_power(15);
  }
  const model::Report report = scene.report();
  CHECK(assemble::assemble(as_counted(scene, report)) == report);
}

TEST_CASE("lines that were not taken are named with their journal") {
  Scene scene(1);
  scene.whole_run();
  std::string& bytes = scene.bytes(0);
  const std::size_t at = bytes.find("{\"j\":\"begin\"");
  REQUIRE(at != std::string::npos);
  const auto line = static_cast<int>(lines_in(bytes.substr(0, at))) + 1;
  bytes[at] ^= 1;
  bytes.resize(bytes.size() - 5);
  const model::Report report = scene.report();
  const model::JournalInfo& info = report.journals.at(0);
  CHECK(info.damaged == std::vector<int>{line, static_cast<int>(lines_in(bytes)) + 1});
  CHECK(info.bytes == static_cast<std::int64_t>(bytes.size()));
  CHECK(info.lines == lines_in(bytes));
}

TEST_CASE("a kept copy of a journal is named only where it was read") {
  Scene scene(2);
  scene.whole_run();
  scene.gather(1);
  CHECK(scene.report().journals.size() == 2);
  const std::string own = Scene::name(1);
  scene.disk->files.erase("/run/" + own);
  const model::Report report = scene.report();
  REQUIRE(report.journals.size() == 2);
  CHECK(report.journals[1].file == "journals/0001-rank-00001.gathered.jsonl");
}
