#include "harness/job/rescue.hpp"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace rackproof::job {

void put_back(const crew::Keepsake& keepsake, support::Store& store) {
  store.make_folder("journals");
  for (const auto& [name, bytes] : keepsake.journals()) {
    if (store.exists(name)) {
      std::error_code error;
      std::filesystem::rename(store.path(name), store.path(name + ".lost"), error);
      if (error) {
        throw support::StoreError(store.path(name) + ": cannot be set aside: " + error.message());
      }
    }
    store.write_durably(name, bytes);
  }
}

std::string make_rescue_folder(const std::string& base, const std::string& run_id) {
  std::error_code error;
  std::filesystem::path folder = base;
  if (base.empty()) folder = std::filesystem::temp_directory_path(error);
  if (!error) std::filesystem::create_directories(folder, error);
  if (error) throw support::StoreError(folder.string() + ": cannot create: " + error.message());
  // Of its own, and nobody else's: others write into the temporary folder, too.
  std::string path = (folder / ("rackproof-rescue-" + run_id + "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) {
    throw support::StoreError(path + ": cannot create: " + std::generic_category().message(errno));
  }
  return path;
}

}  // namespace rackproof::job
