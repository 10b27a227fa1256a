#include "io/mat/matio_library.hpp"

#include "io/files/loaded_library.hpp"

namespace mti::mat {
namespace {

Matio load_matio() {
  const LoadedLibrary library("MAT files need the library matio", {MTI_MATIO_NAME, MTI_MATIO_FILE});
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
