#include "benches/collectives/speak.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "benches/collectives/table.hpp"

namespace rackproof::collectives {
namespace {

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0) throw std::runtime_error("cannot write to stdout");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool asks(const std::vector<std::string>& arguments, std::string_view option) {
  return std::find(arguments.begin(), arguments.end(), option) != arguments.end();
}

bool wants_records(const std::vector<std::string>& arguments) {
  return asks(arguments, "--json") || std::getenv(protocol::kNonceVariable) != nullptr;
}

int speak(int argc, char** argv, kit::Bench bench, bool records, int rows) {
  if (!records) {
    bench.run = [measure = bench.run, rows](kit::Session& session) {
      TableSession table(session, [rows](std::string_view text) { write_all(rows, text); });
      measure(table);
    };
  }
  return kit::bench_main(argc, argv, bench);
}

}  // namespace rackproof::collectives
