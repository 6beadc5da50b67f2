#include "harness/signoff/ssh_keygen.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"

using rackproof::signoff::SshKeygen;
using rackproof::support::UsageError;

TEST_CASE("a missing ssh-keygen is named with its package") {
  try {
    const SshKeygen keygen({"/nowhere/ssh-keygen", "/nowhere/else"});
    FAIL("nothing was missing");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) ==
          "there is no /nowhere/ssh-keygen, which makes and checks signatures: install the package "
          "openssh-client");
  }
}

TEST_CASE("a program gets the message as its stdin, and gives its code, output and complaint") {
  const SshKeygen cat({"/nowhere/ssh-keygen", "/bin/cat"});
  const std::string message(200'000, 'x');
  const auto answer = cat.ask({"-"}, message);
  CHECK(answer.code == 0);
  CHECK(answer.out == message);
  CHECK(answer.err.empty());
  const auto refused = cat.ask({"/nowhere/a", "/nowhere/b"}, "");
  CHECK(refused.code == 1);
  CHECK(refused.err.find("/nowhere/a") != std::string::npos);
  CHECK(refused.err.find("/nowhere/b") != std::string::npos);
  CHECK(refused.err.find('\n') == std::string::npos);
}
