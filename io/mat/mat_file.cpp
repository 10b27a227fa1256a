#include "io/mat/mat_file.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "io/files/files.hpp"
#include "io/mat/check_format.hpp"
#include "io/mat/matio_library.hpp"
#include "io/mat/utf16.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti::mat {
namespace {

using File = std::unique_ptr<mat_t, int (*)(mat_t*)>;
using Variable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;

[[noreturn]] void no_mat_file(const std::string& why) {
  throw UnusableFile("mat-format", "", "not a MAT file of level 5: " + why);
}

[[noreturn]] void bad_content(const std::string& pointer, const std::string& why) {
  throw UnusableFile("mat-content", pointer, why);
}

Variable owned(matvar_t* variable) {
  if (variable == nullptr) throw std::bad_alloc();
  return {variable, matio().VarFree};
}

// ---- writing

/// Makes a matio variable of a value; everything in it is copied.
Variable to_matio(const char* name, const Value& value);

struct Maker {
  const char* name;

  Variable operator()(const Matrix& matrix) const {
    std::array<std::size_t, 2> size = {at(matrix.rows), at(matrix.cols)};
    return create(MAT_C_DOUBLE, MAT_T_DOUBLE, size, matrix.values.data());
  }

  Variable operator()(const TripletSource& matrix) const {
    const auto columns = at(matrix.cols);
    std::vector<mat_uint32_t> rows(matrix.i.begin(), matrix.i.end()), starts(columns + 1, 0);
    std::vector<double> values = matrix.v;
    for (const int k : matrix.k) ++starts[at(k) + 1];
    for (std::size_t k = 0; k < columns; ++k) starts[k + 1] += starts[k];
    const auto count = static_cast<mat_uint32_t>(values.size());
    mat_sparse_t sparse{count, rows.data(),  count, starts.data(), static_cast<mat_uint32_t>(columns + 1),
                        count, values.data()};
    std::array<std::size_t, 2> size = {at(matrix.rows), columns};
    return create(MAT_C_SPARSE, MAT_T_DOUBLE, size, &sparse);
  }

  Variable operator()(const std::string& text) const {
    const std::vector<std::uint16_t> units = to_utf16(text);
    std::array<std::size_t, 2> size = {units.empty() ? 0U : 1U, units.size()};
    return create(MAT_C_CHAR, MAT_T_UINT16, size, units.data());
  }

  Variable operator()(const Cell& cell) const {
    std::vector<Variable> elements;
    elements.reserve(cell.size());
    for (const Value& element : cell) elements.push_back(to_matio(nullptr, element));
    std::array<std::size_t, 2> size = {cell.size(), cell.empty() ? 0U : 1U};
    std::vector<matvar_t*> pointers;
    pointers.reserve(elements.size());
    for (const Variable& element : elements) pointers.push_back(element.get());
    Variable result = create(MAT_C_CELL, MAT_T_CELL, size, pointers.data());
    for (Variable& element : elements) static_cast<void>(element.release());  // the cell has them now
    return result;
  }

  Variable operator()(const StructArray& array) const {
    std::vector<const char*> fields;
    fields.reserve(array.fields.size());
    for (const std::string& field : array.fields) fields.push_back(field.c_str());
    std::array<std::size_t, 2> size = {array.elements.size(), array.elements.empty() ? 0U : 1U};
    Variable result = owned(
        matio().VarCreateStruct(name, 2, size.data(), fields.data(), static_cast<unsigned>(fields.size())));
    for (std::size_t i = 0; i < array.elements.size(); ++i)
      for (std::size_t f = 0; f < array.fields.size(); ++f)
        matio().VarSetStructFieldByIndex(result.get(), f, i,
                                         to_matio(nullptr, array.elements[i][f]).release());
    return result;
  }

 private:
  template <std::size_t rank>
  Variable create(matio_classes type, matio_types data, std::array<std::size_t, rank>& size,
                  const void* values) const {
    // matio reads through the pointer and copies.
    return owned(matio().VarCreate(name, type, data, static_cast<int>(rank), size.data(),
                                   const_cast<void*>(values), 0));
  }
};

Variable to_matio(const char* name, const Value& value) { return std::visit(Maker{name}, value.content); }

void write_to(const std::filesystem::path& path, const Variables& variables) {
  const auto fail = [&](const std::string& why) {
    throw UnusableFile("file-unwritable", "", "cannot write " + path.string() + ": " + why);
  };
  File file(matio().CreateVer(path.c_str(), "MATLAB 5.0 MAT-file, written by mti", MAT_FT_MAT5),
            matio().Close);
  if (!file) fail("the file cannot be made");
  for (const auto& [name, value] : variables)
    if (matio().VarWrite(file.get(), to_matio(name.c_str(), value).get(), MAT_COMPRESSION_ZLIB) != 0)
      fail("variable " + name + " cannot be written");
  if (matio().Close(file.release()) != 0) fail("the file cannot be completed");
}

// ---- reading

int to_int(std::size_t size, const std::string& pointer) {
  if (size > at(std::numeric_limits<int>::max())) bad_content(pointer, "it is too large");
  return static_cast<int>(size);
}

template <class Element>
void append(const matvar_t& variable, std::size_t count, std::vector<double>& values) {
  const auto* data = static_cast<const Element*>(variable.data);
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(data[i]));
}

/// Real numbers of any class as doubles.
std::vector<double> numbers(const matvar_t& variable, std::size_t count, const std::string& pointer) {
  std::vector<double> values;
  if (count == 0) return values;
  if (variable.isComplex != 0) bad_content(pointer, "its numbers are complex");
  if (variable.data == nullptr || variable.nbytes / count != matio().SizeOf(variable.data_type))
    bad_content(pointer, "its numbers cannot be read");
  values.reserve(count);
  switch (variable.data_type) {
    case MAT_T_DOUBLE:
      append<double>(variable, count, values);
      break;
    case MAT_T_SINGLE:
      append<float>(variable, count, values);
      break;
    case MAT_T_INT8:
      append<std::int8_t>(variable, count, values);
      break;
    case MAT_T_UINT8:
      append<std::uint8_t>(variable, count, values);
      break;
    case MAT_T_INT16:
      append<std::int16_t>(variable, count, values);
      break;
    case MAT_T_UINT16:
      append<std::uint16_t>(variable, count, values);
      break;
    case MAT_T_INT32:
      append<std::int32_t>(variable, count, values);
      break;
    case MAT_T_UINT32:
      append<std::uint32_t>(variable, count, values);
      break;
    default:
      bad_content(pointer, "its numbers are of an unknown type");
  }
  return values;
}

std::string text_of(const matvar_t& variable, std::size_t count, const std::string& pointer) {
  if (count == 0) return {};
  if (variable.data == nullptr || variable.dims[0] > 1) bad_content(pointer, "expected one line of text");
  const std::size_t bytes = variable.nbytes;
  if (variable.data_type == MAT_T_UINT16 || variable.data_type == MAT_T_UTF16) {
    std::vector<std::uint16_t> units(bytes / 2);
    std::memcpy(units.data(), variable.data, units.size() * 2);
    return to_utf8(units);
  }
  if (variable.data_type != MAT_T_UINT8 && variable.data_type != MAT_T_INT8 &&
      variable.data_type != MAT_T_UTF8)
    bad_content(pointer, "its text is of an unknown type");
  return {static_cast<const char*>(variable.data), bytes};
}

TripletSource sparse_of(const matvar_t& variable, const std::string& pointer) {
  TripletSource result;
  result.rows = to_int(variable.dims[0], pointer);
  result.cols = to_int(variable.dims[1], pointer);
  const auto* sparse = static_cast<const mat_sparse_t*>(variable.data);
  if (sparse == nullptr || variable.isComplex != 0) bad_content(pointer, "expected a real sparse matrix");
  const auto columns = at(result.cols);
  const bool has_columns = sparse->jc != nullptr && sparse->njc == columns + 1 && sparse->jc[0] == 0;
  if (!has_columns) bad_content(pointer, "its column starts do not fit its size");
  const std::size_t count = sparse->jc[columns];
  if (count > 0 && (sparse->ir == nullptr || sparse->nir < count || sparse->ndata < count))
    bad_content(pointer, "it has fewer elements than its column starts say");
  matvar_t elements = variable;
  elements.data = sparse->data;
  elements.nbytes = count * matio().SizeOf(variable.data_type);
  result.v = numbers(elements, count, pointer);
  for (std::size_t k = 0; k < columns; ++k) {
    if (sparse->jc[k + 1] < sparse->jc[k]) bad_content(pointer, "its column starts fall");
    for (std::size_t at = sparse->jc[k]; at < sparse->jc[k + 1]; ++at) {
      if (at >= count || sparse->ir[at] >= variable.dims[0]) bad_content(pointer, "a row index is too large");
      result.i.push_back(static_cast<int>(sparse->ir[at]));
      result.k.push_back(static_cast<int>(k));
    }
  }
  return result;
}

Value from_matio(const matvar_t* variable, const std::string& pointer, int depth) {
  constexpr int deepest = 16;
  if (variable == nullptr || depth > deepest) bad_content(pointer, "it cannot be read");
  if (variable->rank != 2 || variable->dims == nullptr) {
    if (variable->class_type == MAT_C_EMPTY) return {Matrix{}};
    bad_content(pointer, "expected a matrix of two dimensions");
  }
  const std::size_t rows = variable->dims[0], cols = variable->dims[1];
  if (rows != 0 && cols > std::size_t{std::numeric_limits<int>::max()} / rows &&
      variable->class_type != MAT_C_SPARSE)
    bad_content(pointer, "it is too large");
  const std::size_t count = rows * cols;
  switch (variable->class_type) {
    case MAT_C_SPARSE:
      return {sparse_of(*variable, pointer)};
    case MAT_C_CHAR:
      return {text_of(*variable, count, pointer)};
    case MAT_C_CELL: {
      Cell cell;
      const auto* const* elements = static_cast<matvar_t* const*>(variable->data);
      if (count > 0 && (elements == nullptr || variable->nbytes / count < sizeof(matvar_t*)))
        bad_content(pointer, "it cannot be read");
      for (std::size_t i = 0; i < count; ++i)
        cell.push_back(from_matio(elements[i], pointer + "/" + std::to_string(i), depth + 1));
      return {std::move(cell)};
    }
    case MAT_C_STRUCT: {
      // matio's functions do not change a variable that is read.
      auto* structure = const_cast<matvar_t*>(variable);
      StructArray array;
      char* const* names = matio().VarGetStructFieldnames(structure);
      for (unsigned f = 0; f < matio().VarGetNumberOfFields(structure); ++f)
        array.fields.emplace_back(names[f]);
      for (std::size_t i = 0; i < count && !array.fields.empty(); ++i) {
        auto& element = array.elements.emplace_back();
        for (std::size_t f = 0; f < array.fields.size(); ++f)
          element.push_back(from_matio(matio().VarGetStructFieldByIndex(structure, f, i),
                                       pointer + "/" + std::to_string(i) + "/" + array.fields[f], depth + 1));
      }
      return {std::move(array)};
    }
    case MAT_C_DOUBLE:
    case MAT_C_SINGLE:
    case MAT_C_INT8:
    case MAT_C_UINT8:
    case MAT_C_INT16:
    case MAT_C_UINT16:
    case MAT_C_INT32:
    case MAT_C_UINT32:
      return {Matrix{to_int(rows, pointer), to_int(cols, pointer), numbers(*variable, count, pointer)}};
    default:
      bad_content(pointer, "expected numbers, text, a cell or a structure");
  }
}

}  // namespace

void write_variables(const Variables& variables, const std::filesystem::path& path) {
  write_through(path, [&](const std::filesystem::path& temporary) { write_to(temporary, variables); });
}

Variables read_variables(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw UnusableFile("file-unreadable", "", "cannot read " + path.string() + ": not a regular file");
  constexpr std::size_t headers = 1 << 20;  // what is no variable is small
  if (const auto size = std::filesystem::file_size(path, error); !error && size > kMostBytes + headers)
    refuse_size();
  check_format(read_file(path));
  matio().LogInitFunc("mti", [](int, char*) {});  // what is wrong is said by the faults
  const File file(matio().Open(path.c_str(), MAT_ACC_RDONLY), matio().Close);
  if (!file) no_mat_file("it cannot be opened as one");
  Variables result;
  while (true) {
    const Variable variable(matio().VarReadNext(file.get()), matio().VarFree);
    if (!variable) break;
    if (variable->name == nullptr) no_mat_file("a variable has no name");
    result.emplace_back(variable->name, from_matio(variable.get(), "/" + std::string(variable->name), 0));
  }
  return result;
}

}  // namespace mti::mat
