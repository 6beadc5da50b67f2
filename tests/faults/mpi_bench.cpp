// A bench that is an MPI program itself: where a launcher's variables reach it, MPI_Init() takes it
// for a rank of the run and wrecks that.
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>

#include "benches/protocol/emit.hpp"
#include "benches/protocol/version.hpp"

namespace {

using namespace rackproof::protocol;

void write_out(std::string_view text) {
  if (write(1, text.data(), text.size()) < 0) _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Finalize();
  const char* nonce = std::getenv(kNonceVariable);
  Emitter emitter(write_out, nonce == nullptr ? "" : nonce);
  Hello hello;
  hello.bench = "singleton";
  hello.backend = "host";
  hello.version = version();
  hello.commit = commit();
  emitter.emit(hello);
  Check check;
  check.name = "singleton.verify";
  check.passed = ranks == 1;
  check.detail = "it is alone in its world";
  check.compared = 1;
  check.wrong = ranks == 1 ? 0 : 1;
  emitter.emit(check);
  Metric metric;
  metric.name = "fake.rate";
  metric.unit = "B/s";
  metric.value = 100;
  metric.samples = {100, 100, 100};
  metric.parameters["mode"] = "mpi";
  metric.check = check.name;
  emitter.emit(metric);
  emitter.emit(End{"done", 0, 0});
  return 0;
}
