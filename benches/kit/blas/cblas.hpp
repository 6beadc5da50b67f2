#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace rackproof::blas {

/// C = alpha * A * B through CBLAS; A is m x k, B is k x n, C is m x n, all dense and row-major.
/// Sizes must fit an int.
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const double* a,
              const double* b, double* c);
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
              const float* b, float* c);

/// How an operand lies in memory: as it is multiplied, or transposed.
enum class Form { kPlain, kTransposed };

/// C = alpha * op(A) * op(B) + beta * C, where op(A) is m x k and op(B) k x n; all dense and
/// row-major. With beta 0 what C held is not read. Sizes must fit an int.
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, Form form_a,
              const float* a, Form form_b, const float* b, float beta, float* c);

/// The library behind CBLAS as loaded, name to version; "CBLAS" -> "unknown" when it does not say.
std::map<std::string, std::string> libraries();

/// The core whose kernels OpenBLAS uses, "SkylakeX", and its version, "0.3.21"; empty when the
/// library is another one.
std::string openblas_core();
std::string openblas_release();

/// Asks the library, and OpenMP, for this many threads. Returns how many the library says it will
/// use, or 0 when it does not say.
int set_threads(int threads);

/// The threads for a bench: `asked`, or, when that is 0, one per allowed physical core. Throws
/// UsageError when the library was asked and says that it will use another number.
int use_threads(std::int64_t asked);

}  // namespace rackproof::blas
