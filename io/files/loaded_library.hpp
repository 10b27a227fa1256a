#pragma once

#include <initializer_list>
#include <string>

namespace mti {

/// A shared library that is loaded when it is needed, and stays to the end of the process.
class LoadedLibrary {
 public:
  /// By the first of `names` that can be loaded: the name by which the system finds it wherever it is, then where it was when
  /// this was compiled. `need`: "MAT files need the library matio". Errors of all members: UnusableFile, id
  /// `file-unreadable`, with what was needed.
  LoadedLibrary(std::string need, std::initializer_list<const char*> names);

  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(address_of(name));
  }
  /// Null where it has none, and no library that it brings with it.
  template <class Function>
  void find_if_there(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(address_if_there(name));
  }

 private:
  [[nodiscard]] void* address_of(const char* name) const;
  [[nodiscard]] void* address_if_there(const char* name) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string need_;
  void* handle_ = nullptr;
};

}  // namespace mti
