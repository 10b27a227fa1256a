// libFuzzer target: any bytes as a MAT file.
//
// Reading and building ends with a model or with FaultError that names at least one fault. Variables of MAT files
// are compressed as a rule, where a changed byte is a wrong checksum and nothing more: the mutator unpacks them
// first, which is a MAT file too, and changes what is inside.
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/mat/exchange.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t header_size = 128, tag_size = 8;
constexpr std::uint32_t compressed = 15;

std::uint32_t word_at(std::span<const std::uint8_t> data, std::size_t place) {
  std::uint32_t word = 0;
  std::memcpy(&word, data.data() + place, sizeof word);
  return word;
}

/// The content of a compressed element; empty if it is none, or a large one.
Bytes unpacked(std::span<const std::uint8_t> packed) {
  Bytes content(std::size_t{1} << 18);
  uLongf size = content.size();
  if (::uncompress(content.data(), &size, packed.data(), packed.size()) != Z_OK) return {};
  content.resize(size);
  return content;
}

/// The same file with its elements unpacked.
Bytes with_elements_unpacked(std::span<const std::uint8_t> file) {
  if (file.size() < header_size) return {file.begin(), file.end()};
  Bytes result(file.begin(), file.begin() + header_size);
  std::size_t place = header_size;
  while (place + tag_size <= file.size()) {
    const std::size_t size = std::min<std::size_t>(word_at(file, place + 4), file.size() - place - tag_size);
    const auto whole = file.subspan(place, tag_size + size);
    const Bytes content = word_at(file, place) == compressed ? unpacked(whole.subspan(tag_size)) : Bytes{};
    if (content.empty())
      result.insert(result.end(), whole.begin(), whole.end());
    else
      result.insert(result.end(), content.begin(), content.end());
    place += tag_size + size;
  }
  return result;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned /*seed*/) {
  const Bytes plain = with_elements_unpacked({data, size});
  if (plain.size() <= most) {
    std::memcpy(data, plain.data(), plain.size());
    size = plain.size();
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("read_mat_fuzzer-" + std::to_string(::getpid()) + ".mat");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    static_cast<void>(mti::build(mti::read_mat_source(path)));
  } catch (const mti::FaultError& invalid) {
    if (invalid.faults().empty()) std::abort();
  }
  return 0;
}
