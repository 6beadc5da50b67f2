#include "harness/cli/app.hpp"

// Everything but to be one of several ranks: for that it becomes rackproof-mpi (main_mpi.cpp).
int main(int argc, char** argv) { return rackproof::cli::run_app(argc, argv, {}); }
