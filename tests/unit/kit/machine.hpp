#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace rackproof::kit {

/// A folder that plays the root of a machine's kernel files; gone when the object is.
class Machine {
 public:
  Machine() {
    std::string name = (std::filesystem::temp_directory_path() / "rackproof-kit-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = name;
  }
  ~Machine() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const std::filesystem::path& root() const { return root_; }

  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  void cache(int cpu, int index, int level, const std::string& type, const std::string& size,
             const std::string& sharers) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" +
                               std::to_string(index) + "/";
    write(folder + "level", std::to_string(level) + "\n");
    write(folder + "type", type + "\n");
    write(folder + "size", size + "\n");
    write(folder + "shared_cpu_list", sharers + "\n");
  }

 private:
  std::filesystem::path root_;
};

}  // namespace rackproof::kit
