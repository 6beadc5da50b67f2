#include "harness/signoff/signature_files.hpp"

#include <catch2/catch.hpp>

namespace rackproof::signoff {

TEST_CASE("signatures have the name of the report that is not compressed") {
  CHECK(signature_files("out/report.json", "vendor").signature == "out/report.json.vendor.sig");
  const SignatureFiles files = signature_files("out/report.json.zst", "vendor");
  CHECK(files.signature == "out/report.json.vendor.sig");
  CHECK(files.statement == "out/report.json.vendor.statement");
  CHECK(files.statement_signature == "out/report.json.vendor.statement.sig");
  CHECK(signed_name(".zst") == "");
}

}  // namespace rackproof::signoff
