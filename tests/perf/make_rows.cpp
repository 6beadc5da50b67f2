// Writes a table of measurements: one JSON object a line, `node` and numbers, in the shape and size
// of what SuperBench summarises for a node.
//
//   make_rows NODES [METRICS=462] > rows.jsonl
//
// Node 42 is 12 % slow in five metrics. The same arguments give the same bytes.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kSlowNode = 42;
constexpr std::size_t kSlowMetrics = 5;

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return (static_cast<double>((z ^ (z >> 31U)) >> 11U) + 0.5) / 9007199254740992.0;
  }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::uint64_t state_;
};

std::string name_of(std::size_t metric) {
  static const char* const kFamilies[] = {"gemm-flops/fp16_tensor_flops", "mem-bw/h2d_bandwidth",
                                          "nccl-bw/allreduce_busbw", "ib-loopback/write_bw"};
  char text[80];
  std::snprintf(text, sizeof text, "%s_%zu:%zu", kFamilies[metric % 4], 1024 + metric / 8,
                metric % 8);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: make_rows NODES [METRICS]\n");
    return 2;
  }
  const std::size_t nodes = std::strtoull(argv[1], nullptr, 10);
  const std::size_t metrics = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 462;
  std::vector<std::string> names;
  std::vector<double> middle;
  for (std::size_t i = 0; i < metrics; ++i) {
    names.push_back(name_of(i));
    middle.push_back(20.0 * static_cast<double>(1 + i % 37));
  }
  Random random(1);
  std::string line;
  char number[40];
  for (std::size_t node = 0; node < nodes; ++node) {
    line = "{\"node\": \"node" + std::to_string(100000 + node) + "\"";
    for (std::size_t i = 0; i < metrics; ++i) {
      double value = middle[i] * (1 + 0.01 * random.normal());
      if (node == kSlowNode && i < kSlowMetrics) value *= 0.88;
      std::snprintf(number, sizeof number, "%.9g", value);
      line += ", \"" + names[i] + "\": " + number;
    }
    line += "}\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
