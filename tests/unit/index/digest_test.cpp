#include "harness/index/digest.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "harness/support/digest.hpp"
#include "harness/support/zstd.hpp"
#include "tests/unit/index/folder.hpp"

namespace rackproof::index {
namespace {

using index_test::Folder;

TEST_CASE("a digest is that of the whole content") {
  const Folder folder;
  const std::string large(1000003, 'x');
  CHECK(read_content(folder.write("large", large))->digest == support::sha256(large));
  CHECK(read_content(folder.write("empty", ""))->digest == support::sha256(""));
}

TEST_CASE("a compressed file has the digest of what was compressed, and a damaged one has none") {
  const Folder folder;
  std::string frame;
  support::Compressor compressor([&frame](std::string_view bytes) { frame += bytes; });
  compressor.add("some text");
  compressor.finish();
  CHECK(read_content(folder.write("whole", frame))->digest == support::sha256("some text"));
  CHECK_FALSE(read_content(folder.write("cut", frame.substr(0, frame.size() - 1))));
}

TEST_CASE("what is no file has no content and is not waited for") {
  const Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(read_content(folder / "pipe"));
  CHECK_FALSE(read_content(folder / ""));
  CHECK_FALSE(read_content(folder / "nothing"));
  CHECK(stamp_of_file(folder / "pipe").empty());
  CHECK(stamp_of_file(folder / "nothing").empty());
}

TEST_CASE("a stamp tells each change of a file") {
  struct stat status {};
  status.st_mode = S_IFREG;
  status.st_ctim.tv_sec = 1000;
  const Stamp before = stamp_of(status, 2000);
  REQUIRE_FALSE(before.empty());
  CHECK(stamp_of(status, 3000) == before);
  const auto changed = [&](auto change) {
    struct stat other = status;
    change(other);
    return stamp_of(other, 2000) != before;
  };
  CHECK(changed([](struct stat& s) { s.st_dev = 1; }));
  CHECK(changed([](struct stat& s) { s.st_ino = 1; }));
  CHECK(changed([](struct stat& s) { s.st_size = 1; }));
  CHECK(changed([](struct stat& s) { s.st_mtim.tv_sec = 1; }));
  CHECK(changed([](struct stat& s) { s.st_mtim.tv_nsec = 1; }));
  CHECK(changed([](struct stat& s) { s.st_ctim.tv_sec = 1; }));
  CHECK(changed([](struct stat& s) { s.st_ctim.tv_nsec = 1; }));
}

TEST_CASE("a file that was changed just now has no stamp") {
  struct stat status {};
  status.st_mode = S_IFREG;
  status.st_ctim.tv_sec = 1000;
  CHECK(stamp_of(status, 1001).empty());
  CHECK(stamp_of(status, 999).empty());  // a clock that was set back
  CHECK_FALSE(stamp_of(status, 1002).empty());
  status.st_mode = S_IFDIR;
  CHECK(stamp_of(status, 2000).empty());
  const Folder folder;
  CHECK(stamp_of_file(folder.write("new", "x")).empty());
}

TEST_CASE("the times of another machine's file system are not relied on") {
  CHECK(keeps_times(EXT4_SUPER_MAGIC));
  CHECK(keeps_times(TMPFS_MAGIC));
  CHECK_FALSE(keeps_times(NFS_SUPER_MAGIC));
  CHECK_FALSE(keeps_times(0x65735546));  // FUSE: older headers have no name for it
  CHECK_FALSE(keeps_times(PROC_SUPER_MAGIC));
}

}  // namespace
}  // namespace rackproof::index
