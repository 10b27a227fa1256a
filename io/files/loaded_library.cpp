#include "io/files/loaded_library.hpp"

#include <dlfcn.h>

#include <utility>

#include "mti/common/fault.hpp"

namespace mti {
namespace {

std::string last_error() {
  const char* const text = ::dlerror();
  return text == nullptr ? "" : text;
}

}  // namespace

LoadedLibrary::LoadedLibrary(std::string need, std::initializer_list<const char*> names)
    : need_(std::move(need)) {
  std::string why;
  for (const char* name : names) {
    handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    if (why.empty()) why = last_error();
  }
  fail(why);
}

void* LoadedLibrary::address_if_there(const char* name) const { return ::dlsym(handle_, name); }

void* LoadedLibrary::address_of(const char* name) const {
  void* const address = address_if_there(name);
  if (address == nullptr) fail(last_error());
  return address;
}

void LoadedLibrary::fail(const std::string& why) const {
  throw UnusableFile("file-unreadable", "", need_ + ": " + why);
}

}  // namespace mti
