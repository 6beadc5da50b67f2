#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rackproof::signoff {

/// OpenSSH's ssh-keygen, which makes and checks signatures. It is started by its path, never looked
/// up in PATH, and no shell is between.
class SshKeygen {
 public:
  struct Answer {
    int code = 0;
    std::string out;
    std::string err;  ///< in one line, without its banner
  };

  /// Throws UsageError, which names the package, when there is none in `places`.
  explicit SshKeygen(const std::vector<std::string>& places = {"/usr/bin/ssh-keygen",
                                                               "/usr/local/bin/ssh-keygen"});

  /// Signs a file: the signature is FILE.sig. It may ask the user for a passphrase, or to touch a
  /// key: our stdin is its own, and what it says on stderr goes to a terminal at once.
  Answer sign(const std::string& key, const std::string& purpose, const std::string& file) const;

  /// Runs it with `message` as its stdin; no user is asked anything.
  Answer ask(const std::vector<std::string>& words, std::string_view message) const;

 private:
  std::string path_;
};

}  // namespace rackproof::signoff
