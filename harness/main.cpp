#include "harness/command_line/app.hpp"
#include "harness/warden/standard_streams.hpp"

// Everything but to be one of several ranks: for that it becomes rackproof-mpi (main_mpi.cpp).
int main(int argc, char** argv) {
  rackproof::warden::open_standard_streams();
  return rackproof::command_line::run_app(argc, argv, {});
}
