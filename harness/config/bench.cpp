#include "harness/config/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/document/reader.hpp"

namespace rackproof::config {
namespace {

std::vector<Bench> load_benches(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<Bench> benches;
  for (const std::string& file : files) benches.push_back(load_bench(file));
  return benches;
}

template <class T>
void append(std::vector<T>& all, std::vector<T>&& some) {
  all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

}  // namespace

Bench load_bench(const std::string& path) {
  const document::Document document = document::load_document(path, document::kMaxTableBytes);
  // "mpi" is for those who make packages.
  const document::Object object(document::Field(document.file, document.root, ""),
                                {"schema", "bench", "mpi", "parameters", "metrics", "programs"});
  document::check_schema(object.require("schema"), "rackproof/bench/1");
  Bench bench;
  bench.name = object.require("bench").name();
  bench.metrics = read_metrics(object, bench.name);
  if (const auto programs = object.find("programs")) {
    bench.programs = read_programs(*programs, bench.name, bench.metrics);
  }
  return bench;
}

MetricCatalogue load_metrics(const std::string& path) { return load_bench(path).metrics; }

MetricCatalogue load_catalogue(const std::string& folder) {
  MetricCatalogue catalogue;
  for (Bench& bench : load_benches(folder)) append(catalogue, std::move(bench.metrics));
  return catalogue;
}

std::vector<BenchProgram> load_programs(const std::string& folder) {
  std::vector<BenchProgram> programs;
  for (Bench& bench : load_benches(folder)) append(programs, std::move(bench.programs));
  return programs;
}

}  // namespace rackproof::config
