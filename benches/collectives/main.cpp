#include "benches/collectives/by_hand.hpp"

int main(int argc, char** argv) { return rackproof::collectives::run_by_hand(argc, argv); }
