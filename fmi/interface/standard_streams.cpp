#include "fmi/interface/standard_streams.hpp"

// Archives of Debian are made for programs: their code reaches variables of other libraries at fixed distances, which one
// shared library cannot have to another. Of such variables theirs use the three standard streams only. The linker makes
// each use of `stdout` one of `__wrap_stdout` (--wrap), which is in this library.

extern "C" {
extern std::FILE* const real_stdin __asm__("__real_stdin");
extern std::FILE* const real_stdout __asm__("__real_stdout");
extern std::FILE* const real_stderr __asm__("__real_stderr");
std::FILE* own_stdin __asm__("__wrap_stdin") = nullptr;
std::FILE* own_stdout __asm__("__wrap_stdout") = nullptr;
std::FILE* own_stderr __asm__("__wrap_stderr") = nullptr;
}

#ifdef __GLIBCXX__
namespace __gnu_cxx {
void __freeres();  // NOLINT: the name is the library's, which declares it in no header
}
#endif

namespace {

/// Before the constructors of other objects, those of the C++ streams among them.
[[gnu::constructor(101)]] void take_standard_streams() {
  own_stdin = real_stdin;
  own_stdout = real_stdout;
  own_stderr = real_stderr;
}

/// The C++ library that is linked into this one keeps memory for exceptions that are thrown when there is no other left;
/// of a library that is loaded and let go again and again that would pile up.
[[gnu::destructor(101)]] void return_memory_of_exceptions() {
#ifdef __GLIBCXX__
  __gnu_cxx::__freeres();
#endif
}

}  // namespace
