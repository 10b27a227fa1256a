#include "io/mat/check_format.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti::mat {
namespace {

// Types of data and classes of arrays, by their numbers in the format.
enum Type : std::uint32_t {
  int8 = 1,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  single,
  float64 = 9,
  matrix = 14,
  compressed,
  utf8,
  code16,
  code32
};
enum Class : std::uint32_t {
  cell = 1,
  structure,
  text = 4,
  sparse,
  first_of_numbers,
  last_of_numbers = 13,
  opaque = 17
};

[[noreturn]] void contradicts(const std::string& why) {
  throw UnusableFile("mat-format", "", "not a MAT file of level 5: " + why);
}

void require(bool condition, const char* why) {
  if (!condition) contradicts(why);
}

/// Bytes of an entry of a type; 0 for what holds no numbers that a model could have.
std::size_t size_of(std::uint32_t type) {
  switch (type) {
    case int8:
    case uint8:
    case utf8:
      return 1;
    case int16:
    case uint16:
    case code16:
      return 2;
    case int32:
    case uint32:
    case single:
    case code32:
      return 4;
    case float64:
      return 8;
    default:
      return 0;
  }
}

/// Some bytes of a file, read from the front.
class Bytes {
 public:
  Bytes(std::string_view bytes, bool is_little) : rest_(bytes), is_little_(is_little) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] std::size_t size() const { return rest_.size(); }
  [[nodiscard]] std::string_view view() const { return rest_; }

  Bytes take(std::size_t count) {
    require(count <= rest_.size(), "an element is longer than what it is in");
    const Bytes taken(rest_.substr(0, count), is_little_);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint32_t number() {
    const Bytes four = take(4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(four.rest_[is_little_ ? i : 3 - i]))
               << (8U * i);
    return value;
  }

  struct Element;
  /// The next element of an array: short ones have their bytes in the tag, others end at multiples of 8.
  Element element();

 private:
  std::string_view rest_;
  bool is_little_;
};

struct Bytes::Element {
  std::uint32_t type;
  Bytes data;
};

Bytes::Element Bytes::element() {
  constexpr std::size_t line = 8;
  const std::uint32_t first = number();
  if (const std::uint32_t count = first >> 16U; count != 0) {
    require(count <= 4, "a short element has more than 4 bytes");
    Bytes four = take(4);
    return {first & 0xffffU, four.take(count)};
  }
  const std::size_t count = number();
  const Element result{first, take(count)};
  take(std::min(size(), (line - count % line) % line));
  return result;
}

/// Numbers of a type without more bytes than entries need.
void check_numbers(Bytes& in, std::size_t count) {
  const Bytes::Element numbers = in.element();
  const std::size_t size = size_of(numbers.type);
  require(size != 0 && numbers.type != utf8 && numbers.data.size() == count * size,
          "an array has another number of entries than its size says");
}

void check_text(Bytes& in, std::size_t count) {
  const Bytes::Element units = in.element();
  const std::size_t size = size_of(units.type), found = units.data.size();
  // A character of UTF-8 has up to 4 bytes, one of UTF-16 up to 2 units.
  const std::size_t most = units.type == utf8     ? 4 * count
                           : units.type == code16 ? 2 * count * size
                                                  : count * size;
  require(size != 0 && found % size == 0 && found >= count * size && found <= most,
          "a text has another number of characters than its size says");
}

void check_sparse(Bytes& in, std::size_t columns, bool is_complex) {
  const Bytes::Element rows = in.element();
  Bytes::Element starts = in.element();
  require(size_of(rows.type) == 4 && size_of(starts.type) == 4 && rows.data.size() % 4 == 0 &&
              starts.data.size() == 4 * (columns + 1),
          "the indices of a sparse matrix do not fit its size");
  std::uint32_t last = starts.data.number();
  require(last == 0, "the columns of a sparse matrix do not begin at 0");
  for (std::size_t k = 0; k < columns; ++k) {
    const std::uint32_t next = starts.data.number();
    require(next >= last, "the column starts of a sparse matrix fall");
    last = next;
  }
  require(last <= rows.data.size() / 4, "a sparse matrix has fewer row indices than entries");
  for (int part = 0; part < (is_complex ? 2 : 1); ++part) {
    const Bytes::Element numbers = in.element();
    const std::size_t size = size_of(numbers.type);
    require(size != 0 && numbers.data.size() % size == 0 && numbers.data.size() / size >= last &&
                numbers.data.size() / size <= rows.data.size() / 4,
            "a sparse matrix has another number of entries than of row indices");
  }
}

void check_array(Bytes in, int depth);

/// `count` arrays within one.
void check_arrays(Bytes& in, std::size_t count, int depth) {
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes::Element inner = in.element();
    require(inner.type == matrix, "a cell or field holds something else than an array");
    if (!inner.data.empty()) check_array(inner.data, depth + 1);
  }
}

void check_structure(Bytes& in, std::size_t count, int depth) {
  // matio takes this one for a short element without looking.
  require(in.number() == ((4U << 16U) | int32), "the length of field names is missing");
  const std::size_t each = in.number();
  Bytes::Element names = in.element();
  require(names.type == int8 && each > 0 && names.data.size() % each == 0, "field names are cut short");
  const std::size_t fields = names.data.size() / each;
  for (std::size_t f = 0; f < fields; ++f)
    require(names.data.take(each).view().find('\0') != std::string_view::npos, "a field name does not end");
  require(fields == 0 || count <= in.size() / fields, "a structure has fewer fields than its size says");
  check_arrays(in, count * fields, depth);
}

/// What stands in an element of type `matrix`.
void check_array(Bytes in, int depth) {
  constexpr int deepest = 16;
  constexpr std::uint32_t complex_flag = 0x800;
  require(depth <= deepest, "cells or structures are nested more than 16 deep");
  Bytes::Element flags = in.element();
  require(flags.type == uint32 && flags.data.size() == 8, "the flags of an array are missing");
  const std::uint32_t flag = flags.data.number(), kind = flag & 0xffU;
  const bool is_complex = (flag & complex_flag) != 0;
  const auto is_of_other_class = [&] {
    return kind != cell && kind != structure && kind != text && kind != sparse &&
           !(kind >= first_of_numbers && kind <= last_of_numbers);
  };
  const auto other_class = [kind](std::string_view name) {
    throw UnusableFile(
        "mat-content", "/" + std::string(name),
        "expected numbers, text, a cell or a structure, found an array of class " + std::to_string(kind));
  };
  if (kind == opaque) other_class("");
  Bytes::Element sizes = in.element();
  require(sizes.type == int32 && sizes.data.size() % 4 == 0 && sizes.data.size() >= 8,
          "the size of an array is missing");
  constexpr std::size_t largest = 0x7fffffff;
  std::size_t count = 1, columns = 0;
  bool fits = true;
  for (std::size_t axis = 0; !sizes.data.empty(); ++axis) {
    const std::size_t size = sizes.data.number();
    fits = fits && size <= largest && (size == 0 || count <= largest / size);
    count = fits ? count * size : 0;
    if (axis == 1) columns = size;
    require(size <= largest, "the size of an array is negative");
  }
  const Bytes::Element name = in.element();
  require(name.type == int8 || name.type == uint8 || name.type == utf8, "the name of an array is missing");
  if (is_of_other_class()) other_class(name.data.view());
  if (kind == sparse) return check_sparse(in, columns, is_complex);
  require(fits, "an array has more entries than its file");
  if (kind == cell) return check_arrays(in, count, depth);
  if (kind == structure) return check_structure(in, count, depth);
  if (in.empty() && count == 0) return;
  if (kind == text) return check_text(in, count);
  for (int part = 0; part < (is_complex ? 2 : 1); ++part) check_numbers(in, count);
}

/// The bytes of a compressed element, at most `most`; its checksum is examined on the way.
std::string inflated(std::string_view packed, std::size_t most) {
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  std::string result;
  std::array<char, 1 << 16> buffer;
  // zlib does not write what it reads.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    try {
      if (result.size() + (buffer.size() - stream.avail_out) > most) refuse_size();
      result.append(buffer.data(), buffer.size() - stream.avail_out);
    } catch (...) {
      inflateEnd(&stream);
      throw;
    }
  }
  inflateEnd(&stream);
  require(status == Z_STREAM_END, "a compressed element is damaged");
  return result;
}

void check_matrix(Bytes::Element element) {
  require(element.type == matrix, "an element is no array");
  if (!element.data.empty()) check_array(element.data, 0);
}

}  // namespace

void refuse_size() {
  throw UnusableFile("mat-too-large", "",
                     "its variables take more than " + std::to_string(kMostBytes >> 20U) +
                         " MiB unpacked, which is the limit for MAT files");
}

void check_format(std::string_view bytes) {
  constexpr std::size_t header = 128, version = 124, tag = 8;
  require(bytes.size() >= header, "shorter than its header of 128 bytes");
  const auto says = [&](std::string_view what) { return bytes.substr(version, 4) == what; };
  require(!bytes.starts_with("\x89HDF\r\n\x1a\n") && !says({"\0\2IM", 4}),
          "it is of version 7.3 (HDF5); save with -v7");
  const bool is_little = says({"\0\1IM", 4});
  require(is_little || says({"\1\0MI", 4}), "the version in its header is another");
  Bytes in(bytes.substr(header), is_little);
  std::size_t spare = kMostBytes;
  while (!in.empty()) {
    require(in.size() >= tag, "it ends within an element");
    const std::uint32_t type = in.number(), size = in.number();
    require(size <= in.size(), "it ends within an element");
    const Bytes data = in.take(size);
    if (type == matrix) {
      if (data.size() > spare) refuse_size();
      spare -= data.size();
      check_matrix({type, data});
    } else {
      require(type == compressed, "an element is no array");
      const std::string unpacked = inflated(data.view(), spare);
      spare -= unpacked.size();
      check_matrix(Bytes(unpacked, is_little).element());
    }
  }
}

}  // namespace mti::mat
