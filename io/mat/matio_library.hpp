#pragma once

#include <matio.h>

namespace mti::mat {

/// The functions of matio that are used here, under their own names without `Mat_`.
struct Matio {
  decltype(&Mat_CreateVer) CreateVer;
  decltype(&Mat_Open) Open;
  decltype(&Mat_Close) Close;
  decltype(&Mat_LogInitFunc) LogInitFunc;
  decltype(&Mat_SizeOf) SizeOf;
  decltype(&Mat_VarCreate) VarCreate;
  decltype(&Mat_VarCreateStruct) VarCreateStruct;
  decltype(&Mat_VarFree) VarFree;
  decltype(&Mat_VarGetNumberOfFields) VarGetNumberOfFields;
  decltype(&Mat_VarGetStructFieldByIndex) VarGetStructFieldByIndex;
  decltype(&Mat_VarGetStructFieldnames) VarGetStructFieldnames;
  decltype(&Mat_VarReadNext) VarReadNext;
  decltype(&Mat_VarSetStructFieldByIndex) VarSetStructFieldByIndex;
  decltype(&Mat_VarWrite) VarWrite;
};

/// matio, which is loaded with the first MAT file of a process: it brings HDF5 and some forty other libraries with
/// it, and to load them takes ten times as long as a short run.
/// Errors: UnusableFile, id `file-unreadable` (the library is not there).
[[nodiscard]] const Matio& matio();

}  // namespace mti::mat
