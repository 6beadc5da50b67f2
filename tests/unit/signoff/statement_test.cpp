#include "harness/signoff/statement.hpp"

#include <catch2/catch.hpp>

#include "harness/document/located_json.hpp"

using namespace rackproof;
using namespace rackproof::signoff;

namespace {

Statement example_statement() {
  return {std::string(64, 'a'),
          "r1",
          "accepted",
          "vendor",
          "jane@example.com",
          "we deliver this",
          "2026-11-22T04:00:00.000Z",
          "0.1.0"};
}

std::string why_no_statement(const std::string& text) {
  try {
    read_statement("x.statement", text);
  } catch (const document::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a statement has one form and comes back as it was") {
  const std::string text = to_text(example_statement());
  CHECK(text == R"({"acceptance":"accepted","report_sha256":")" + std::string(64, 'a') +
                    R"(","role":"vendor","run":"r1","schema":"rackproof/statement/1",)"
                    R"("signed_utc":"2026-11-22T04:00:00.000Z","signer":"jane@example.com",)"
                    R"("statement":"we deliver this","version":"0.1.0"})"
                    "\n");
  CHECK(read_statement("x.statement", text) == example_statement());
  Statement silent = example_statement();
  silent.statement.clear();
  CHECK(read_statement("x.statement", to_text(silent)) == silent);
  Statement partial = example_statement();
  partial.left_out = {"fabric"};
  partial.left_out_hosts = {"gb-03", "gb-04"};
  CHECK(read_statement("x.statement", to_text(partial)) == partial);
}

TEST_CASE("another form, field or word is refused with its place") {
  const std::string text = to_text(example_statement());
  CHECK(why_no_statement(" " + text) == "x.statement: is not in canonical form");
  CHECK(why_no_statement(text.substr(0, text.size() - 1)) ==
        "x.statement: is not in canonical form");
  CHECK(why_no_statement("{}").find("schema") != std::string::npos);
  CHECK(why_no_statement(text.substr(0, 20)).find("x.statement:1") == 0);
  Statement wrong = example_statement();
  wrong.role = "../vendor";
  CHECK(why_no_statement(to_text(wrong)).find("role") != std::string::npos);
  wrong = example_statement();
  wrong.signer = "*";
  CHECK(why_no_statement(to_text(wrong)).find("signer") != std::string::npos);
  wrong = example_statement();
  wrong.statement = "two\nlines";
  CHECK(why_no_statement(to_text(wrong)).find("statement") != std::string::npos);
  wrong.statement = std::string(kMaxTextBytes + 1, 'x');
  CHECK_FALSE(why_no_statement(to_text(wrong)).empty());
  CHECK_FALSE(why_no_statement(std::string(kMaxStatementBytes + 1, ' ')).empty());
}

TEST_CASE("no changed byte of a statement gives the same one") {
  const std::string text = to_text(example_statement());
  std::size_t same = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 1U << bit);
      try {
        same += read_statement("x", changed) == example_statement() ? 1U : 0U;
      } catch (const document::ConfigError&) {
        // Refused: as good.
      }
    }
  }
  CHECK(same == 0);
}

TEST_CASE("roles are parts of file names, and identities are no patterns and no options") {
  for (const char* good : {"vendor", "customer", "third-party2"}) CHECK(is_role(good));
  for (const char* bad : {"", "Vendor", "1st", "-x", "a.b", "a/b", "a b", "\xC3\xA4"}) {
    INFO(bad);
    CHECK_FALSE(is_role(bad));
  }
  CHECK_FALSE(is_role(std::string(33, 'a')));
  for (const char* good : {"jane@example.com", "Site-7", "a_b+c"}) CHECK(is_identity(good));
  for (const char* bad : {"", "-I", "*", "a,b", "a b", "a\"", "!a", "a?"}) {
    INFO(bad);
    CHECK_FALSE(is_identity(bad));
  }
  CHECK_FALSE(is_identity(std::string(129, 'a')));
}
