#include "reports/html/html.hpp"
#include "reports/html/markup.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::html {

using namespace rendered;

TEST_CASE("a page of lists runs its own script alone, and only where it was built in") {
  const std::string text = document_with_lists("a title", "<main>the body</main>\n");
  CHECK(has(text, "<title>a title</title>"));
  CHECK(has(text, "<main>the body</main>"));
  CHECK(has(text, ".strip"));
  CHECK(occurrences(text, "<script>") == (has_charts() ? 1 : 0));
  CHECK(occurrences(text, "script-src 'sha256-") == (has_charts() ? 1 : 0));
  CHECK(occurrences(text, "</script>") == occurrences(text, "<script>"));
}

}  // namespace rackproof::html
