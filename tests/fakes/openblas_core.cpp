// Stands before the real OpenBLAS when a bench looks for these functions: its own choice is one
// that needs less than any processor has, as for a processor that it does not know. It uses the
// core that OPENBLAS_CORETYPE names, unless FAKE_OPENBLAS says "deaf": then it was built without
// that core.
#include <array>
#include <cstdlib>
#include <cstring>

extern "C" {

char* openblas_get_corename() {
  static std::array<char, 64> core = [] {
    const char* const named = std::getenv("OPENBLAS_CORETYPE");
    const char* const fake = std::getenv("FAKE_OPENBLAS");
    const bool deaf = fake != nullptr && std::strcmp(fake, "deaf") == 0;
    std::array<char, 64> text{};
    std::strncpy(text.data(), named == nullptr || deaf ? "generic" : named, text.size() - 1);
    return text;
  }();
  return core.data();
}

char* openblas_get_config() {
  static std::array<char, 64> config = {"OpenBLAS 0.3.99 DYNAMIC_ARCH"};
  return config.data();
}
}
