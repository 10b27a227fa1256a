#include "io/mat/matio_library.hpp"

#include <dlfcn.h>

#include <string>

#include "mti/common/fault.hpp"

namespace mti::mat {
namespace {

/// The handle of a loaded library, which stays to the end of the process.
class LoadedLibrary {
 public:
  LoadedLibrary() {
    // By its name wherever the system finds it, then where it was when this was compiled.
    for (const char* name : {MTI_MATIO_NAME, MTI_MATIO_FILE}) {
      handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) return;
      if (why_.empty()) why_ = last_error();
    }
    fail(why_);
  }

  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr) fail(last_error());
  }

 private:
  static std::string last_error() {
    const char* const text = ::dlerror();
    return text == nullptr ? "" : text;
  }

  [[noreturn]] static void fail(const std::string& why) {
    throw UnusableFile("file-unreadable", "", "MAT files need the library matio: " + why);
  }

  void* handle_ = nullptr;
  std::string why_;
};

Matio load_matio() {
  const LoadedLibrary library;
  Matio made = {};
  library.find("Mat_CreateVer", made.CreateVer);
  library.find("Mat_Open", made.Open);
  library.find("Mat_Close", made.Close);
  library.find("Mat_LogInitFunc", made.LogInitFunc);
  library.find("Mat_SizeOf", made.SizeOf);
  library.find("Mat_VarCreate", made.VarCreate);
  library.find("Mat_VarCreateStruct", made.VarCreateStruct);
  library.find("Mat_VarFree", made.VarFree);
  library.find("Mat_VarGetNumberOfFields", made.VarGetNumberOfFields);
  library.find("Mat_VarGetStructFieldByIndex", made.VarGetStructFieldByIndex);
  library.find("Mat_VarGetStructFieldnames", made.VarGetStructFieldnames);
  library.find("Mat_VarReadNext", made.VarReadNext);
  library.find("Mat_VarSetStructFieldByIndex", made.VarSetStructFieldByIndex);
  library.find("Mat_VarWrite", made.VarWrite);
  return made;
}

}  // namespace

const Matio& matio() {
  static const Matio loaded = load_matio();
  return loaded;
}

}  // namespace mti::mat
