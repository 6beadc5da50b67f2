#include "harness/document/schema.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

// A document against each schema of ours: issues, each with its place, and always the same ones.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  for (const char* schema :
       {RACKPROOF_SCHEMAS "/suite.schema.json", RACKPROOF_SCHEMAS "/platform.schema.json"}) {
    const auto issues = document::validate(schema, text);
    for (const auto& issue : issues) fuzz::expect(!issue.text.empty(), "an issue says what it is");
    fuzz::expect(document::validate(schema, text).size() == issues.size(), "twice the same");
  }
  return 0;
}
