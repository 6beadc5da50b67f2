#include "harness/journal/progress.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "harness/journal/entry_json.hpp"

using rackproof::journal::progress_in;
using rackproof::model::Progress;

namespace {

std::optional<Progress> read(const std::string& progress) {
  return progress_in(nlohmann::json::parse(R"({"progress":)" + progress + "}"));
}

}  // namespace

TEST_CASE("what a warden wrote of the progress of a member is read as it was") {
  for (const Progress& told : {Progress{"all_reduce 8 B",
                                        8,
                                        {1, 128, 0},
                                        {1, 127, 0},
                                        1,
                                        12.5,
                                        rackproof::model::ProcessState::kStopped},
                               Progress{"all_reduce 8 B", 8, {2, 0, 3}, {}, 24, 0, {}},
                               Progress{"", 0, {}, {}, 1, 3, {}}}) {
    rackproof::journal::End end;
    end.progress = told;
    const std::string line = rackproof::journal::to_json(end);
    CHECK(progress_in(nlohmann::json::parse(line)) == told);
  }
  const std::string line = rackproof::journal::to_json(rackproof::journal::End{});
  CHECK_FALSE(progress_in(nlohmann::json::parse(line)));
}

TEST_CASE("progress that cannot be is as if none were told") {
  const std::string rest = R"("bytes":8,"still_seconds":3)";
  const std::string named = R"({"operation":"a",)";
  CHECK(read(named + rest + R"(,"entered":{"cell":1,"iteration":0}})"));
  CHECK(read(named + rest + "}"));
  for (const std::string& bad :
       {std::string("7"), std::string("{}"), "{" + rest + "}",
        named + R"("bytes":-8,"still_seconds":3})", named + R"("bytes":8,"still_seconds":-3})",
        named + R"("bytes":8})", named + R"("bytes":8,"still_seconds":"3"})",
        named + rest + R"(,"span":0})", named + rest + R"(,"span":1.5})",
        named + rest + R"(,"entered":7})", named + rest + R"(,"entered":{"cell":1}})",
        named + rest + R"(,"entered":{"cell":0,"iteration":0}})",
        named + rest + R"(,"completed":{"cell":1,"iteration":-1}})",
        named + rest + R"(,"completed":{"cell":18446744073709551615,"iteration":1}})",
        named + rest + R"(,"entered":{"cell":1,"iteration":1,"exchange":"2"}})"}) {
    CAPTURE(bad);
    CHECK_FALSE(read(bad));
  }
}
