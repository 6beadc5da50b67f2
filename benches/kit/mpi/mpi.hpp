#pragma once

#include <map>
#include <string>

/// What benches over MPI share. MPI itself is included by their .cpp files alone.
namespace rackproof::kit::mpi {

/// Throws DeviceError for any code but success: the call, the code and MPI's text for it.
void require(int code, const char* call);

/// {"Open MPI": "4.1.4"}, of the library that is loaded; may be asked before MPI_Init.
std::map<std::string, std::string> library();

/// The same out of the text of MPI_Get_library_version.
std::map<std::string, std::string> parse_library(const std::string& text);

/// Who calls MPI: the thread that started it alone, or any thread, one at a time.
enum class Callers { kOneThread, kOneAtATime };

/// MPI for the length of a program: started and finalised. What the library grants to threads
/// may be less than asked.
class Process {
 public:
  Process(int* argc, char*** argv, Callers callers = Callers::kOneThread);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int rank() const;

  /// True once every rank has called this; false when some have not after so many seconds. To be
  /// called once, at the end, by each rank that gets there.
  bool all_end(double patience_seconds) const;

  /// Ends the whole job: the way out for a rank whose partners still wait for it.
  [[noreturn]] static void abort(int exit_code);
};

}  // namespace rackproof::kit::mpi
