// CoinUtils, which Clp needs, is linked with LAPACK. Where that is OpenBLAS, and not the reference implementation that
// the program holds (solvers/CMakeLists.txt), it starts a thread for every processor as soon as it is loaded, before
// main(), and under a limit of memory (ulimit -v) the process may then hang. It asks the function below how many to
// start, which the program has in its place.
#include <cstdlib>

extern "C" int openblas_num_threads_env();

extern "C" int openblas_num_threads_env() {
  const char* const wanted = std::getenv("OPENBLAS_NUM_THREADS");
  const int threads = wanted == nullptr ? 0 : std::atoi(wanted);
  return threads > 0 ? threads : 1;
}
