#include "harness/redaction/identifiers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace rackproof::redaction;

namespace {

std::vector<std::string> identifiers(const std::string& text, bool versions = false) {
  std::vector<Found> found;
  find_identifiers(text, versions, found);
  std::vector<std::string> words;
  for (const Found& one : found) words.push_back(text.substr(one.at, one.size));
  return words;
}

std::vector<std::string> known(const Vocabulary& words, const std::string& text) {
  std::vector<Found> found;
  words.find_in(text, found);
  std::vector<std::string> out;
  for (const Found& one : found) out.push_back(text.substr(one.at, one.size));
  return out;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("addresses, UUIDs and users are found in any text") {
  CHECK(identifiers("connect to 10.20.30.40:5000 failed") == Words{"10.20.30.40"});
  CHECK(identifiers("from 192.168.0.1.") == Words{"192.168.0.1"});
  CHECK(identifiers("fe80::1ff:fe23:4567:890a is up") == Words{"fe80::1ff:fe23:4567:890a"});
  CHECK(identifiers("mac 0c:42:a1:00:ff:12, and") == Words{"0c:42:a1:00:ff:12"});
  CHECK(identifiers("guid 0c42:a103:0001:f2de") == Words{"0c42:a103:0001:f2de"});
  CHECK(identifiers("GPU-8f0e1d2c-1111-2222-3333-444455556666/x") ==
        Words{"8f0e1d2c-1111-2222-3333-444455556666"});
  CHECK(identifiers("/home/ada/bin/rackproof run") == Words{"ada"});
}

TEST_CASE("what only looks like an identifier stays") {
  for (const char* text : {"2026-01-02T03:04:05.678Z", "0000:18:00.0", "00000000:18:00.0",
                           "580.65.06", "std::byte", "rackproof::cli::run", "300.1.1.1", "1.2.3",
                           "12:30:00", "a: b", "...", "::", "stream-host"}) {
    CHECK(identifiers(text).empty());
  }
  CHECK(identifiers("12.9.1.4", true).empty());
}

TEST_CASE("a word is found where it stands alone, in any case") {
  Vocabulary words;
  words.add("n1", Form::kHost);
  words.add("rack-7.site", Form::kHost);
  words.add("ABC 12", Form::kPart);
  CHECK(known(words, "n1/GPU on N1, n12, gen1, n1-ib0") == Words{"n1", "N1", "n1"});
  CHECK(known(words, "x.rack-7.site#3 and rack-7.sites") == Words{"rack-7.site"});
  CHECK(known(words, "serial abc 12!") == Words{"abc 12"});
}
