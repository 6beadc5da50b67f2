#include "harness/inventory/library_look.hpp"

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>

using rackproof::inventory::FactSheet;
using rackproof::inventory::LibraryLook;
using rackproof::inventory::put_library;

namespace {

std::string say(void* symbol, const std::string& which) {
  return which + " of " + reinterpret_cast<const char* (*)()>(symbol)();
}

LibraryLook stubborn() {
  return {
      "library.x", {"libnone-of-that-name.so.9", STUBBORN_LIBRARY}, {"openblas_get_config"}, say};
}

// The fact of a library that is loaded like this: its value, or why there is none.
std::string fact_of(const LibraryLook& look, const char* mode, double seconds = 20) {
  setenv("STUBBORN_LIBRARY", mode, 1);
  FactSheet sheet;
  put_library(look, sheet, seconds);
  unsetenv("STUBBORN_LIBRARY");
  const auto* fact = sheet.find("library.x");
  REQUIRE(fact != nullptr);
  return sheet.text("library.x").value_or(fact->unreadable);
}

}  // namespace

TEST_CASE("a library is asked in a process of its own") {
  CHECK(fact_of(stubborn(), "") == "openblas_get_config of Stubborn 1.0");
  CHECK(fact_of(stubborn(), "chatter") == "openblas_get_config of Stubborn 1.0");
  CHECK(waitpid(-1, nullptr, WNOHANG) < 0);
}

TEST_CASE("a library that hangs or crashes while it is loaded costs its fact") {
  CHECK_THAT(fact_of(stubborn(), "hang", 1), Catch::Contains("longer than 1 s"));
  CHECK_THAT(fact_of(stubborn(), "crash"), Catch::Contains("crashed: Aborted"));
  CHECK(waitpid(-1, nullptr, WNOHANG) < 0);
}

TEST_CASE("a library that is not there, has no such symbol or whose call fails is told apart") {
  LibraryLook look = stubborn();
  look.files = {"libnone-of-that-name.so.9"};
  CHECK_THAT(fact_of(look, ""), Catch::Contains("no such library"));
  look = stubborn();
  look.symbols = {"nothing_like_it"};
  CHECK_THAT(fact_of(look, ""), Catch::Contains("no function nothing_like_it"));
  look = stubborn();
  look.ask = [](void*, const std::string&) { return std::string(); };
  CHECK_THAT(fact_of(look, ""), Catch::Contains("the call failed"));
}
