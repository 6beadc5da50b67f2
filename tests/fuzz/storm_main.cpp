#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

// Gives a target so many inputs at random, the same ones for the same seed: for targets that make
// something of any bytes, where no fuzzer is at hand.
int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s INPUTS SEED\n", argv[0]);
    return 2;
  }
  const unsigned long long inputs = std::strtoull(argv[1], nullptr, 10);
  std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
  std::vector<std::uint8_t> bytes;
  for (unsigned long long i = 0; i < inputs; ++i) {
    bytes.resize(8 + random() % 120);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    try {
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "input %llu: %s\n", i, error.what());
      return 1;
    }
  }
  std::printf("%llu inputs\n", inputs);
  return 0;
}
