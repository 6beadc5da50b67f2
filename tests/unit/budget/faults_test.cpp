#include "harness/budget/faults.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "harness/config/suite.hpp"
#include "reports/model/glob.hpp"
#include "tests/unit/config/support.hpp"

namespace rackproof::config {
namespace {

std::string fault(const std::string& id, const std::string& more) {
  return R"({"id": ")" + id + R"(", "title": "t", )" + more + "}";
}

const std::string kGood = R"("part": "gpu", "count": 3, "found_by": {"likely": ["burn-*"]})";

std::string table_of(const std::string& faults, const std::string& head =
                                                    R"("days": 5, "parts": {"gpu": 10},
"chances": {"likely": [0.1, 0.5, 1]}, "again": [0, 0, 1],)") {
  return R"({"schema": "rackproof/faults/1", "title": "t", "source": "s", )" + head +
         "\n\"faults\": [" + faults + "]}";
}

std::string why_no_faults(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder.file("f.json", text);
  const std::string why = complaint([&] { budget::load_faults(file); });
  return why.starts_with(folder.path()) ? why.substr(folder.path().size() + 1) : why;
}

std::string why_not_head(const std::string& head) {
  return why_no_faults(table_of(fault("a", kGood), head));
}

TEST_CASE("every field of a table of faults arrives") {
  const TemporaryFolder folder;
  const budget::FaultTable table =
      budget::load_faults(folder.file("f.json", table_of(fault("a", kGood))));
  CHECK(table.days == 5);
  CHECK(table.parts == std::map<std::string, double>{{"gpu", 10.0}});
  CHECK(table.again.high == 1);
  REQUIRE(table.faults.size() == 1);
  CHECK(table.faults[0].count == 3);
  REQUIRE(table.faults[0].found_by.size() == 1);
  CHECK(table.faults[0].found_by[0].program == "burn-*");
  CHECK(table.faults[0].found_by[0].chance.usual == 0.5);
  CHECK(table.digest.size() == 64);
}

TEST_CASE("a table of faults that cannot be used is refused with line field and reason") {
  CHECK(why_no_faults(table_of("")).ends_with("faults: is empty; expected at least one fault"));
  CHECK(why_no_faults(table_of(fault("a", kGood) + ",\n" + fault("a", kGood)))
            .ends_with(":4: faults[1]: the id 'a' is used a second time; expected unique ids"));
  CHECK(why_no_faults(table_of(fault("a", R"("part": "host", "count": 1, "found_by": {})")))
            .ends_with("faults[0].part: 'host' is none of 'parts', so nobody knows of how many"));
  CHECK(why_no_faults(table_of(fault("a", R"("part": "fan", "count": 1, "found_by": {})")))
            .ends_with("faults[0].part: expected gpu, host or nic, got 'fan'"));
  CHECK(why_no_faults(table_of(fault("a", R"("part": "gpu", "count": 0, "found_by": {})")))
            .ends_with("faults[0].count: expected a number above 0, got 0"));
  CHECK(why_no_faults(
            table_of(fault("a", R"("part": "gpu", "count": 1, "found_by": {"sure": ["x"]})")))
            .ends_with("'sure' is none of 'chances'"));
}

TEST_CASE("chances are three and in order") {
  const auto head = [](const std::string& chance) {
    return R"("days": 5, "parts": {"gpu": 10}, "chances": {"likely": )" + chance +
           R"(}, "again": [0, 0, 1],)";
  };
  CHECK(why_not_head(head("[0.1, 0.5, 1]")) == "accepted");
  CHECK(why_not_head(head("[0.1, 0.5]"))
            .ends_with("expected three chances: at worst, usually, at best"));
  for (const char* wrong : {"[0.5, 0.1, 1]", "[0, 0.5, 1.1]", "[-0.1, 0.5, 1]"}) {
    CHECK(why_not_head(head(wrong))
              .ends_with("expected three chances from 0 to 1, none below the one before it"));
  }
  CHECK(why_not_head(R"("days": 5, "parts": {"fan": 10}, "chances": {}, "again": [0, 0, 1],)")
            .ends_with("parts.fan: expected gpu, host or nic, got 'fan'"));
}

TEST_CASE("each program that a shipped fault names is in a shipped suite, or could be") {
  const budget::FaultTable table = budget::load_faults(kConfigs + "faults.json");
  std::set<std::string> programs;
  for (const char* name : {"acceptance", "certification", "fabric", "node", "smoke", "soak"}) {
    for (const Step& step : load_suite(kConfigs + "suites/" + name + ".json").steps) {
      programs.insert(step.bench + "-" + step.backend);
    }
  }
  for (const budget::Fault& fault : table.faults) {
    for (const budget::FoundBy& by : fault.found_by) {
      const bool known = std::any_of(programs.begin(), programs.end(), [&](const std::string& one) {
        return model::glob_match(by.program, one);
      });
      INFO(fault.id << " " << by.program);
      CHECK(known);
    }
  }
}

}  // namespace
}  // namespace rackproof::config
