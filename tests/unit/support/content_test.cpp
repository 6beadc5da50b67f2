#include "harness/support/content.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>

#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof::support;
using rackproof::test::Folder;

namespace {

std::string frame(std::string_view text) {
  std::string out;
  Compressor compressor([&out](std::string_view bytes) { out += bytes; });
  compressor.add(text);
  compressor.finish();
  return out;
}

std::string all_of(const InputFile& file) {
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.bytes()(0, text.size(), text.data());
  return text;
}

// TMPDIR, as it was afterwards.
class TmpDir {
 public:
  explicit TmpDir(const std::string& folder) {
    if (const char* before = getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TmpDir() {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }
  TmpDir(const TmpDir&) = delete;
  TmpDir& operator=(const TmpDir&) = delete;

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("the content of a file is the same, compressed or not") {
  const Folder folder;
  const std::string text = std::string(1'000'000, 'x') + "end\n";
  folder.write("plain", text);
  folder.write("compressed", frame(text));
  for (const char* name : {"plain", "compressed"}) {
    const std::string path = folder.path(name);
    CHECK(read_file(path) == text);
    CHECK(all_of(InputFile(path)) == text);
    CHECK(digest_of_content(path) == sha256_hex(text));
    CHECK(head_of_content(path, 3) == "xxx");
    CHECK(head_of_content(path, 2 * text.size()) == text);
  }
  CHECK(digest_of_file(folder.path("compressed")) == sha256_hex(frame(text)));
  folder.write("short", "ab");
  CHECK(read_file(folder.path("short")) == "ab");
  CHECK(all_of(InputFile(folder.path("short"))) == "ab");
  CHECK(head_of_content(folder.path("none"), 3).empty());
}

TEST_CASE("a pipe that gives a byte at a time is read as a file is") {
  const std::string bytes = frame("text");
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(ends[1]);
  std::string text;
  read_content(ends[0], [&text](std::string_view part) {
    text += part;
    return true;
  });
  close(ends[0]);
  CHECK(text == "text");
}

TEST_CASE("a damaged file is named") {
  const Folder folder;
  const std::string bytes = frame("some text that is cut off");
  folder.write("cut", bytes.substr(0, bytes.size() - 5));
  const std::string path = folder.path("cut");
  const std::string why = path + ": is cut off in the middle of what zstd has compressed";
  CHECK_THROWS_WITH(read_file(path), why);
  CHECK_THROWS_WITH(InputFile(path), why);
  CHECK_THROWS_WITH(digest_of_content(path), why);
}

TEST_CASE("a file is decompressed where TMPDIR says, and leaves nothing there") {
  const Folder folder;
  folder.write("file", frame("text"));
  folder.write("there/kept", "");
  {
    const TmpDir there(folder.path("there"));
    const InputFile file(folder.path("file"));
    CHECK(all_of(file) == "text");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path("there")), {}) == 1);
  }
  const TmpDir nowhere(folder.path("nowhere"));
  CHECK_THROWS_WITH(InputFile(folder.path("file")),
                    Catch::StartsWith(folder.path("file") + ": cannot be decompressed in " +
                                      folder.path("nowhere")));
  CHECK(read_file(folder.path("file")) == "text");
}
