// MAT files that are damaged: whatever byte is another, reading ends with variables or with a fault.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "io/mat/mat_file.hpp"
#include "mti/common/fault.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::mat {
namespace mat_format_test {

// ---- a writer of files that are not compressed, from the description of the format

std::string word(std::uint32_t value) {
  std::string bytes(4, '\0');
  for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

std::string element(std::uint32_t type, const std::string& data) {
  return word(type) + word(static_cast<std::uint32_t>(data.size())) + data +
         std::string((8 - data.size() % 8) % 8, '\0');
}

std::string words(const std::vector<std::uint32_t>& values) {
  std::string bytes;
  for (const std::uint32_t value : values) bytes += word(value);
  return bytes;
}

std::string doubles(const std::vector<double>& values) {
  std::string bytes(8 * values.size(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return element(9, bytes);
}

std::string array(std::uint32_t kind, std::uint32_t rows, std::uint32_t columns, const std::string& name,
                  const std::string& content, std::uint32_t most = 0) {
  return element(
      14, element(6, words({kind, most})) + element(5, words({rows, columns})) + element(1, name) + content);
}

std::string text(const std::string& name, const std::string& ascii) {
  return array(4, 1, static_cast<std::uint32_t>(ascii.size()), name, element(16, ascii));
}

std::string file(const std::string& variables) {
  std::string header(124, ' ');
  return header + std::string("\0\1IM", 4) + variables;
}

std::string plain_file() {
  const std::string field_names = std::string("a\0\0\0\0\0\0\0b\0\0\0\0\0\0\0", 16);
  return file(array(6, 2, 2, "full", doubles({1, 2, 3, 4})) +
              array(5, 3, 2, "sparse",
                    element(5, words({2, 0})) + element(5, words({0, 1, 2})) + doubles({7, 8}), 2) +
              array(1, 2, 1, "cell", text("", "one") + text("", "three")) +
              array(2, 1, 1, "structure",
                    word(5U | 4U << 16U) + word(8) + element(1, field_names) +
                        array(6, 1, 1, "", doubles({5})) + text("", "t")));
}

/// What is read, or the id of the fault.
struct Reading {
  Variables variables;
  std::string id;
};

Reading read(const test::TemporaryDirectory& directory, const std::string& bytes) {
  const auto path = directory.write("file.mat", bytes);
  try {
    return {read_variables(path), ""};
  } catch (const UnusableFile& invalid) {
    return {{}, invalid.faults().front().id};
  }
}

TEST(MatFormat, FilesThatAreNotCompressedAreRead) {
  const test::TemporaryDirectory directory;
  const Reading found = read(directory, plain_file());
  ASSERT_EQ(found.id, "");
  ASSERT_EQ(found.variables.size(), 4U);
  EXPECT_EQ(std::get<Matrix>(found.variables[0].second.content).values, (std::vector<double>{1, 2, 3, 4}));
  const auto& sparse = std::get<TripletSource>(found.variables[1].second.content);
  EXPECT_EQ(sparse.i, (std::vector<int>{2, 0}));
  EXPECT_EQ(sparse.k, (std::vector<int>{0, 1}));
  EXPECT_EQ(sparse.v, (std::vector<double>{7, 8}));
  EXPECT_EQ(std::get<std::string>(std::get<Cell>(found.variables[2].second.content)[1].content), "three");
  EXPECT_EQ(std::get<StructArray>(found.variables[3].second.content).fields,
            (std::vector<std::string>{"a", "b"}));
}

TEST(MatFormat, WhateverByteIsAnotherReadingEnds) {
  const test::TemporaryDirectory directory;
  const std::string bytes = plain_file();
  for (std::size_t at = 128; at < bytes.size(); ++at) {
    constexpr std::array<unsigned, 3> flips = {0x01, 0x80, 0xff};
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flips[at % 3]);
    const Reading found = read(directory, damaged);
    EXPECT_TRUE(found.id.empty() || found.id == "mat-format" || found.id == "mat-content") << at << found.id;
  }
  for (std::size_t size = 129; size < bytes.size(); size += 7)
    EXPECT_NE(read(directory, bytes.substr(0, size)).variables.size(), 4U) << size;
}

// The checksum of a compressed variable covers every byte of it.
TEST(MatFormat, NoDamageOfCompressedVariablesPasses) {
  const test::TemporaryDirectory directory;
  write_variables({{"numbers", column({1, 2, 3})}, {"names", texts({"x", "y"})}},
                  directory.path() / "good.mat");
  const std::string bytes = test::read_text(directory.path() / "good.mat");
  ASSERT_EQ(read(directory, bytes).variables.size(), 2U);
  for (std::size_t at = 128; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Reading found = read(directory, damaged);
    const bool is_same =
        found.id.empty() && found.variables.size() == 2 &&
        std::get<Matrix>(found.variables[0].second.content).values == std::vector{1.0, 2.0, 3.0};
    EXPECT_TRUE(is_same || found.id == "mat-format") << at << " " << found.id;
  }
}

TEST(MatFormat, SizesThatAreNotThereAreFaults) {
  const test::TemporaryDirectory directory;
  const auto id = [&](const std::string& variable) { return read(directory, file(variable)).id; };
  EXPECT_EQ(id(array(6, 0x7fffffff, 0x7fffffff, "full", doubles({1}))), "mat-format");
  EXPECT_EQ(id(array(6, 3, 1, "full", doubles({1, 2}))), "mat-format");
  EXPECT_EQ(id(array(1, 0x7fffffff, 1, "cell", "")), "mat-format");
  EXPECT_EQ(id(array(5, 3, 0x7ffffffe, "sparse", element(5, "") + element(5, word(0)) + doubles({}))),
            "mat-format");
  EXPECT_EQ(id(array(16, 1, 1, "function", doubles({1}))), "mat-content");
  std::string deep = array(6, 1, 1, "", doubles({1}));
  for (int i = 0; i < 1000; ++i) deep = array(1, 1, 1, "", deep);
  EXPECT_EQ(id(deep), "mat-format");
}

}  // namespace mat_format_test
}  // namespace mti::mat
