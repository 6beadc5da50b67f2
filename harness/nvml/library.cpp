#include "harness/nvml/library.hpp"

namespace rackproof::nvml {

Library::Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* const why = dlerror();
    problem_ = why == nullptr ? file + ": cannot be loaded" : why;
    return;
  }
  const auto init = find<int (*)()>("nvmlInit_v2");
  if (init == nullptr) {
    problem_ = file + ": it has no function nvmlInit_v2";
    return;
  }
  const int code = init();
  started_ = code == kSuccess;
  if (!started_) problem_ = "nvmlInit_v2: " + error_text(code);
}

Library::~Library() {
  const auto shutdown = find<int (*)()>("nvmlShutdown");
  if (started_ && shutdown != nullptr) shutdown();
  if (handle_ != nullptr) dlclose(handle_);
}

std::string Library::error_text(int code) const {
  const auto words = find<const char* (*)(int)>("nvmlErrorString");
  const char* const text = words == nullptr ? nullptr : words(code);
  return text == nullptr ? "error " + std::to_string(code) : text;
}

}  // namespace rackproof::nvml
