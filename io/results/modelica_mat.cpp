#include "io/results/modelica_mat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string_view>

#include "mti/common/fault.hpp"

namespace mti {
namespace {

static_assert(std::endian::native == std::endian::little, "the types below say so");

constexpr std::size_t enough_bytes = 1 << 20;

/// What the entries of a matrix are: thousands for the byte order, tens for the numbers, ones for text.
enum class Entries : std::int32_t { doubles = 0, integers = 20, text = 51 };

template <class Number>
void append_number(std::string& bytes, Number number) {
  const auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  bytes.append(raw.data(), raw.size());
}

void append_head(std::string& bytes, std::string_view name, Entries entries, std::size_t rows,
                 std::size_t columns) {
  for (const std::size_t number : {rows, columns})
    if (number > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw UnusableFile("file-unwritable", "", "a MAT file of level 4 has no room for so many signals");
  for (const std::int32_t number :
       {static_cast<std::int32_t>(entries), static_cast<std::int32_t>(rows),
        static_cast<std::int32_t>(columns), 0, static_cast<std::int32_t>(name.size() + 1)})
    append_number(bytes, number);
  bytes.append(name).append(1, '\0');
}

/// One column for each text, filled up with zeros.
void append_texts(std::string& bytes, std::string_view name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  append_head(bytes, name, Entries::text, longest, texts.size());
  for (const std::string& text : texts) bytes.append(text).append(longest - text.size(), '\0');
}

/// The same with one row for each, as Aclass is written in all files.
void append_class(std::string& bytes) {
  constexpr std::array<std::string_view, 4> lines = {"Atrajectory", "1.1", "", "binTrans"};
  const std::size_t longest = lines[0].size();
  append_head(bytes, "Aclass", Entries::text, lines.size(), longest);
  for (std::size_t k = 0; k < longest; ++k)
    for (const std::string_view line : lines) bytes += k < line.size() ? line[k] : ' ';
}

}  // namespace

ModelicaMat::ModelicaMat(const std::vector<ResultColumns::Column>& columns, double start, double stop) {
  std::vector<std::string> names = {"time"}, descriptions = {"time"};
  for (const ResultColumns::Column& column : columns) {
    names.push_back(column.name);
    descriptions.push_back(std::string(column.kind) + (column.unit.empty() ? "" : " [" + column.unit + "]"));
  }
  append_class(header_);
  append_texts(header_, "name", names);
  append_texts(header_, "description", descriptions);
  append_head(header_, "dataInfo", Entries::integers, 4, names.size());
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(names.size()); ++i)
    for (const std::int32_t number : {i == 0 ? 0 : 2, i + 1, 0, -1}) append_number(header_, number);
  append_head(header_, "data_1", Entries::doubles, 1, 2);
  append_number(header_, start);
  append_number(header_, stop);
  constexpr std::size_t before_columns = 2 * sizeof(std::int32_t);
  place_of_count_ = header_.size() + before_columns;
  append_head(header_, "data_2", Entries::doubles, names.size(), 0);
  bytes_.reserve(enough_bytes + names.size() * sizeof(double));
}

void ModelicaMat::add(double time, std::span<const double> values, const TextSink& sink) {
  if (rows_ == std::numeric_limits<std::int32_t>::max())
    throw UnusableFile("file-unwritable", "", "a MAT file of level 4 has no room for more rows");
  ++rows_;
  append_number(bytes_, time);
  for (const double value : values) append_number(bytes_, value);
  if (bytes_.size() >= enough_bytes) flush(sink);
}

void ModelicaMat::flush(const TextSink& sink) {
  sink(bytes_);
  bytes_.clear();
}

std::string ModelicaMat::count() const {
  std::string bytes;
  append_number(bytes, rows_);
  return bytes;
}

}  // namespace mti
