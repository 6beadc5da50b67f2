// Writes a report of many devices in the canonical form: a run of six steps of ten metrics on each
// of the GPUs of its nodes, eight a node, ten samples a cell, every cell verified, attempts and
// all.
//
//   make_report DEVICES [STEPS] > report.json
//
// STEPS: of the six only so many.
// GPU 5 of node 3 is 12 % slow at everything in step `gemm`. The verdicts in it are those of a
// reader who has not judged yet. The same arguments give the same bytes.
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// Of no file.
#define RACKPROOF_DIGEST "0000000000000000000000000000000000000000000000000000000000000000"

namespace {

constexpr std::size_t kPerNode = 8;
constexpr std::size_t kMostSteps = 6;
constexpr std::size_t kMetrics = 10;
constexpr std::size_t kSamples = 10;
constexpr std::size_t kSlowDevice = 3 * kPerNode + 5;
constexpr std::size_t kSlowStep = 1;
constexpr double kNoise = 0.004;

constexpr const char* kStepNames[kMostSteps] = {"stream", "gemm", "burn", "copy", "blast", "ring"};
constexpr const char* kMetricNames[kMostSteps] = {"stream.triad", "gemm.rate",  "burn.rate",
                                                  "copy.rate",    "blast.rate", "ring.busbw"};
constexpr const char* kUnits[kMostSteps] = {"B/s", "FLOP/s", "FLOP/s", "B/s", "cells/s", "B/s"};
constexpr double kScales[kMostSteps] = {4.1e12, 6.9e14, 6.2e14, 5.5e10, 5.7e12, 4.7e11};

/// splitmix64.
class Random {
 public:
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
  std::uint64_t state_ = 1;
};

std::string text;

__attribute__((format(printf, 1, 2))) void put(const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int size = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text.append(line, static_cast<std::size_t>(size));
  if (text.size() < (std::size_t{1} << 20U)) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  text.clear();
}

struct Device {
  std::size_t number = 0;
  std::string host_name;
  std::string unique_id;
  const char* host() const { return host_name.c_str(); }
  const char* uuid() const { return unique_id.c_str(); }
};

Device device(std::size_t number) {
  char host[64];
  char uuid[64];
  std::snprintf(host, sizeof host, "node%05zu", number / kPerNode);
  std::snprintf(uuid, sizeof uuid, "GPU-%08zx-5a1d-4c3e-9f00-%016zx", number, number * 2654435761U);
  return {number, host, uuid};
}

/// At `indent`, as the value of "subject".
void put_subject(const char* indent, const Device& one) {
  put("%s\"subject\": {\n%s \"device\": \"%s\",\n%s \"host\": \"%s\",\n%s \"kind\": "
      "\"device\"\n%s}",
      indent, indent, one.uuid(), indent, one.host(), indent, indent);
}

void put_nonce(const Device& one, std::size_t step) {
  put("%s-%05zu-%zu-1", kStepNames[step], one.number / kPerNode, one.number % kPerNode);
}

void put_checks(const char* indent, std::size_t step, const char* which) {
  put("%s\"compared\": 402653184,\n%s\"detail\": \"element by element against the recurrence\",\n"
      "%s\"name\": \"%s.%s\",\n%s\"passed\": true,\n%s\"wrong\": 0\n",
      indent, indent, indent, kStepNames[step], which, indent, indent);
}

void put_attempt(const Device& one, std::size_t step) {
  put("  {\n   \"arguments\": [\n    \"--device\",\n    \"%zu\"\n   ],\n   \"backend\": \"cuda\",\n"
      "   \"began_seconds\": %zu.5,\n   \"bench\": \"%s\",\n"
      "   \"build\": {\n    \"compiler\": \"GNU 12.2.0\",\n    \"type\": \"Release\"\n   },\n"
      "   \"checks\": [\n    {\n",
      one.number % kPerNode, 10 + 20 * step, kStepNames[step]);
  put_checks("     ", step, "even");
  put("    },\n    {\n");
  put_checks("     ", step, "odd");
  put("    }\n   ],\n   \"ending\": {\n    \"exit_code\": 0,\n    \"kind\": \"completed\"\n   },\n"
      "   \"host\": \"%s\",\n   \"libraries\": {\n    \"cuda\": \"12.8\",\n"
      "    \"driver\": \"570.86\"\n   },\n   \"nonce\": \"",
      one.host());
  put_nonce(one, step);
  put("\",\n   \"notes\": [],\n   \"number\": 1,\n   \"rank\": %zu,\n   \"seconds\": 19.25,\n"
      "   \"step\": \"%s\",\n",
      one.number, kStepNames[step]);
  put_subject("   ", one);
  put(",\n   \"version\": \"0.1.0\"\n  }");
}

void put_parameters(const char* indent, std::size_t metric) {
  put("%s\"parameters\": {\n%s \"dtype\": \"%s\",\n%s \"size\": %zu\n%s},\n", indent, indent,
      metric % 2 == 0 ? "bf16" : "fp8", indent, std::size_t{1024} << metric, indent);
}

void put_cell(const Device& one, std::size_t step, std::size_t metric, Random& random) {
  const char* dtype = metric % 2 == 0 ? "bf16" : "fp8";
  put("  {\n   \"id\": \"%s:%s/%s:%s[dtype=%s size=%zu]\",\n   \"measurements\": [\n    {\n"
      "     \"attempt\": \"",
      kStepNames[step], one.host(), one.uuid(), kMetricNames[step], dtype,
      std::size_t{1024} << metric);
  put_nonce(one, step);
  put("\",\n     \"better\": \"more\",\n     \"check\": {\n");
  put_checks("      ", step, metric % 2 == 0 ? "even" : "odd");
  put("     },\n     \"metric\": \"%s\",\n", kMetricNames[step]);
  put_parameters("     ", metric);
  put("     \"samples\": [\n");
  const bool slow = one.number == kSlowDevice && step == kSlowStep;
  const double middle = kScales[step] * (1 + 0.1 * static_cast<double>(metric)) *
                        (slow ? 0.88 : 1) * (1 + kNoise * random.normal());
  for (std::size_t i = 0; i < kSamples; ++i) {
    put("      %.0f.0%s\n", middle * (1 + 0.001 * random.normal()), i + 1 < kSamples ? "," : "");
  }
  put("     ],\n     \"statistic\": \"median\",\n");
  put_subject("     ", one);
  put(",\n     \"unit\": \"%s\",\n     \"value\": %.0f.0\n    }\n   ],\n   \"metric\": \"%s\",\n",
      kUnits[step], middle, kMetricNames[step]);
  put_parameters("   ", metric);
  put("   \"required\": true,\n   \"step\": \"%s\",\n", kStepNames[step]);
  put_subject("   ", one);
  put(",\n   \"verdict\": {\n    \"outcome\": \"untested\",\n    \"reason\": \"not judged yet\",\n"
      "    \"reason_id\": \"no-result\",\n    \"statistic\": \"median\"\n   }\n  }");
}

void put_node(std::size_t node, std::size_t devices) {
  put("  {\n   \"devices\": [\n");
  const std::size_t first = node * kPerNode;
  const std::size_t last = first + kPerNode < devices ? first + kPerNode : devices;
  for (std::size_t i = first; i < last; ++i) {
    const Device one = device(i);
    put("    {\n     \"facts\": {\n      \"gpu.name\": {\n       \"source\": \"NVML\",\n"
        "       \"value\": \"Example X200\"\n      }\n     },\n     \"index\": %zu,\n"
        "     \"uuid\": \"%s\"\n    }%s\n",
        i % kPerNode, one.uuid(), i + 1 < last ? "," : "");
  }
  put("   ],\n   \"facts\": {\n    \"cpu.model\": {\n     \"source\": \"/proc/cpuinfo\",\n"
      "     \"value\": \"Example 9004\"\n    },\n    \"memory.total_bytes\": {\n"
      "     \"source\": \"/proc/meminfo\",\n     \"value\": 2164663517184\n    }\n   },\n"
      "   \"host\": \"%s\"\n  }",
      device(first).host());
}

void put_baseline(std::size_t step, std::size_t metric, bool last) {
  put("    {\n     \"expected\": %.1f,\n     \"id\": \"%s-%zu\",\n     \"kind\": \"absolute\",\n"
      "     \"metric\": \"%s\",\n     \"parameters\": {\n      \"size\": %zu\n     },\n",
      kScales[step] * (1 + 0.1 * static_cast<double>(metric)), kStepNames[step], metric,
      kMetricNames[step], std::size_t{1024} << metric);
  put("     \"source\": {\n      \"date\": \"2026-01\",\n      \"kind\": \"measured-here\",\n"
      "      \"title\": \"made up for a measurement of speed\"\n     },\n"
      "     \"statistic\": \"median\",\n     \"table\": \"example-x200\",\n"
      "     \"tolerance_below\": 0.05,\n     \"unit\": \"%s\"\n    }%s\n",
      kUnits[step], last ? "" : ",");
}

void put_tail(std::size_t devices, std::size_t steps) {
  const std::size_t nodes = (devices + kPerNode - 1) / kPerNode;
  const auto counts = [&](const char* name) {
    put(" \"%s\": {\n  \"fail\": 0,\n  \"pass\": 0,\n  \"unjudged\": 0,\n  \"untested\": %zu,\n"
        "  \"waived\": 0\n }",
        name, devices * steps * kMetrics);
  };
  counts("counts");
  put(",\n \"findings\": [],\n \"nodes\": [\n");
  for (std::size_t i = 0; i < nodes; ++i) {
    put_node(i, devices);
    put(i + 1 < nodes ? ",\n" : "\n");
  }
  put(" ],\n \"platform_of_host\": {\n");
  for (std::size_t i = 0; i < nodes; ++i) {
    put("  \"%s\": \"example-x200\"%s\n", device(i * kPerNode).host(), i + 1 < nodes ? "," : "");
  }
  put(" },\n \"platforms\": [\n  {\n   \"baselines\": [\n");
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t metric = 0; metric < kMetrics; ++metric) {
      put_baseline(step, metric, step + 1 == steps && metric + 1 == kMetrics);
    }
  }
  put("   ],\n   \"chain\": [\n    \"example-x200\"\n   ],\n   \"digest\": \"" RACKPROOF_DIGEST
      "\",\n"
      "   \"facts\": {},\n   \"generic\": false,\n   \"id\": \"example-x200\",\n"
      "   \"recognise\": [],\n   \"title\": \"Example X200\",\n   \"waivers\": []\n  }\n ],\n"
      " \"ranks\": [\n");
  for (std::size_t i = 0; i < devices; ++i) {
    put("  {\n   \"host\": \"%s\",\n   \"journal\": \"journals/rank-%05zu.jsonl\",\n"
        "   \"local_rank\": %zu,\n   \"pid\": %zu,\n   \"rank\": %zu,\n"
        "   \"state\": \"finished\"\n  }%s\n",
        device(i).host(), i, i % kPerNode, 4000 + i, i, i + 1 < devices ? "," : "");
  }
  put(" ],\n");
  counts("required_counts");
  put(",\n \"run\": {\n  \"began_utc\": \"2026-01-11T08:15:02Z\",\n  \"command\": [\n"
      "   \"rackproof\",\n   \"run\"\n  ],\n  \"completed\": true,\n"
      "  \"ended_utc\": \"2026-01-11T08:27:41Z\",\n  \"id\": \"large\",\n"
      "  \"interrupted\": false,\n  \"labels\": {},\n  \"launcher\": \"srun\",\n"
      "  \"platform_choice\": \"recognised\",\n  \"ranks\": %zu,\n  \"seconds\": 758.5,\n"
      "  \"segments\": 1\n },\n \"schema_version\": \"1.2\",\n \"steps\": [\n",
      devices);
  for (std::size_t step = 0; step < steps; ++step) {
    put("  {\n   \"attempts_allowed\": 2,\n   \"backend\": \"cuda\",\n   \"bench\": \"%s\",\n"
        "   \"id\": \"%s\",\n   \"placement\": \"device\",\n   \"state\": \"done\",\n"
        "   \"title\": \"%s\",\n   \"unavailable_waives\": false\n  }%s\n",
        kStepNames[step], kStepNames[step], kStepNames[step], step + 1 < steps ? "," : "");
  }
  put(" ],\n \"suite\": {\n  \"digest\": \"" RACKPROOF_DIGEST
      "\",\n  \"id\": \"acceptance\",\n  \"policy\": {\n"
      "   \"confidence\": 0.95,\n   \"family_alpha\": 0.05,\n   \"peer_minimum\": 4,\n"
      "   \"peer_outlier_fails\": true\n  },\n  \"title\": \"Accept a machine\"\n },\n"
      " \"tool\": {\n  \"bench_sha256\": {},\n  \"build\": {},\n  \"commit\": \"unknown\",\n"
      "  \"version\": \"0.1.0\"\n }\n}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t devices = argc >= 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::size_t steps = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : kMostSteps;
  if (devices == 0 || steps == 0 || steps > kMostSteps || argc > 3) {
    std::fprintf(stderr, "usage: make_report DEVICES [STEPS] > report.json\n");
    return 2;
  }
  Random random;
  put("{\n \"acceptance\": \"incomplete\",\n \"acceptance_reason\": \"not judged yet\",\n"
      " \"attempts\": [\n");
  for (std::size_t i = 0; i < devices * steps; ++i) {
    put_attempt(device(i / steps), i % steps);
    put(i + 1 < devices * steps ? ",\n" : "\n");
  }
  put(" ],\n \"cells\": [\n");
  for (std::size_t i = 0; i < devices * steps * kMetrics; ++i) {
    put_cell(device(i / (steps * kMetrics)), i / kMetrics % steps, i % kMetrics, random);
    put(i + 1 < devices * steps * kMetrics ? ",\n" : "\n");
  }
  put(" ],\n");
  put_tail(devices, steps);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
