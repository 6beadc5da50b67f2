#pragma once

#include <dlfcn.h>

#include <array>
#include <optional>
#include <string>

#include "harness/nvml/abi.hpp"

namespace rackproof::nvml {

/// The name under which drivers install NVIDIA's management library.
inline constexpr const char* kFile = "libnvidia-ml.so.1";

/// The library, loaded and started, or the reason why not: on a machine without a driver that is no
/// error. Any call may hang where a driver is wedged, loading too, so this belongs into a child or
/// a thread with a deadline.
class Library {
 public:
  /// `file` is a name for dlopen() or a path.
  explicit Library(const std::string& file);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Empty when the library answers.
  const std::string& problem() const { return problem_; }
  std::string error_text(int code) const;

  /// The function, or null: drivers of different age have different ones.
  template <class Function>
  Function find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

  /// What a function writes through its last parameter; nothing when it is absent or gives an
  /// error.
  template <class Raw, class... Words>
  std::optional<Raw> ask(const char* name, Words... words) const {
    const auto function = find<int (*)(Words..., Raw*)>(name);
    Raw value{};
    if (function == nullptr || function(words..., &value) != kSuccess) return std::nullopt;
    return value;
  }

  /// The same of a function that fills a text.
  template <class... Words>
  std::optional<std::string> text(const char* name, Words... words) const {
    std::array<char, 128> buffer{};
    const auto function = find<int (*)(Words..., char*, unsigned)>(name);
    if (function == nullptr ||
        function(words..., buffer.data(), static_cast<unsigned>(buffer.size() - 1)) != kSuccess) {
      return std::nullopt;
    }
    return std::string(buffer.data());
  }

 private:
  void* handle_ = nullptr;
  bool started_ = false;
  std::string problem_;
};

}  // namespace rackproof::nvml
