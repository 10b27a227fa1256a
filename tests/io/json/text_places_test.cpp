// Places of values in JSON texts, against a reading of nlohmann's from each of them.
#include "io/json/text_places.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::json {
namespace text_places_test {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// The byte at a place, counted character by character.
std::size_t byte_at(const std::string& text, TextPlace place) {
  std::size_t at = 0;
  for (; place.line > 1; --place.line) at = text.find('\n', at) + 1;
  for (; place.column > 1; --place.column) {
    const auto lead = static_cast<unsigned char>(text.at(at));
    at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return at;
}

/// Every pointer of a document, with its value.
void collect(const Json& value, const Json::json_pointer& pointer,
             std::vector<std::pair<std::string, const Json*>>& found) {
  found.emplace_back(pointer.to_string(), &value);
  if (value.is_object())
    for (const auto& [key, member] : value.items()) collect(member, pointer / key, found);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], pointer / i, found);
}

/// Returns how many places were looked at.
std::size_t expect_places(const std::string& text) {
  const Json document = Json::parse(text);
  std::vector<std::pair<std::string, const Json*>> values;
  collect(document, Json::json_pointer(), values);
  TextPlaces places(text);
  for (const auto& [pointer, value] : values) {
    const auto found = places.find(pointer);
    if (!found || !found->is_whole) {
      ADD_FAILURE() << pointer << " is not found";
      continue;
    }
    std::istringstream from(text.substr(byte_at(text, places.place_of(found->offset))));
    EXPECT_FALSE(std::isspace(from.peek())) << pointer;
    Json read;
    from >> read;
    EXPECT_EQ(read, *value) << pointer;
  }
  return values.size();
}

TEST(TextPlaces, OfAllValuesOfAllCases) {
  std::size_t places = 0;
  for (const char* folder : {"tests/cases", "examples", "io/schema"})
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / folder)) {
      if (entry.path().extension() != ".json" || entry.file_size() > 60'000) continue;
      SCOPED_TRACE(entry.path());
      places += expect_places(test::read_text(entry.path()));
    }
  EXPECT_GT(places, 10'000U);
}

TEST(TextPlaces, OfTextsInEveryLayout) {
  const Json document =
      Json::parse(R"({"a/b": [1, {"~m": "ä\n\"", "": [[], {}, -1.5e3]}], "𝄞": [null, true, "]}"],
    "0": {"1": [false]}, "k\"\\": "\u00e4"})");
  expect_places(document.dump());
  for (const bool ascii : {false, true})
    for (const int indent : {-1, 0, 1, 3}) expect_places(document.dump(indent, ' ', ascii));
  expect_places("  \r\n\t[ 1 ,\n\n\t\"ä\" ,2\n]\n");
}

TEST(TextPlaces, OfLongLinesAndLongTexts) {
  Json document;
  for (int i = 0; i < 900; ++i) document["ä" + std::to_string(i)] = {i, std::to_string(i) + "ü𝄞"};
  expect_places(document.dump());
  expect_places(document.dump(1));
}

TEST(TextPlaces, WhatIsNotThereIsInTheInnermostValueAroundIt) {
  const std::string text = R"({"a": [10, {"b": 1}], "c": "x", "c": "y"})";
  TextPlaces places(text);
  const auto at = [&](const char* pointer) {
    const auto found = places.find(pointer);
    return found ? text.substr(found->offset, 3) + (found->is_whole ? "" : " around") : "none";
  };
  EXPECT_EQ(at(""), R"({"a)");
  EXPECT_EQ(at("/a/1/b"), "1}]");
  EXPECT_EQ(at("/a/1/d/0"), R"({"b around)");
  EXPECT_EQ(at("/a/2"), "[10 around");
  EXPECT_EQ(at("/a/01"), "[10 around");
  EXPECT_EQ(at("/a/-"), "[10 around");
  EXPECT_EQ(at("/c"), "\"x\"") << "the first of them, which is read";
  EXPECT_EQ(at("/c/0"), "\"x\" around");
  EXPECT_EQ(at("/d"), R"({"a around)");
  EXPECT_EQ(at("a"), R"({"a around)");
}

TEST(TextPlaces, BrokenTextsAreFollowedAsFarAsTheyGo) {
  const auto at = [](const std::string& text, const char* pointer) {
    TextPlaces places(text);
    const auto found = places.find(pointer);
    return !found ? "none" : found->is_whole ? std::to_string(found->offset) : "around";
  };
  EXPECT_EQ(at("", "/a"), "none");
  EXPECT_EQ(at("MATLAB 5.0 MAT-file", ""), "none");
  EXPECT_EQ(at(R"({"a": 1, "b": )", "/a"), "6");
  EXPECT_EQ(at(R"({"a": 1, "b": )", "/b"), "around");
  EXPECT_EQ(at(R"({"a": "open)", "/a"), "6");
  EXPECT_EQ(at(R"({"a" 1})", "/a"), "around");
  EXPECT_EQ(at("[1, 2", "/1"), "4");
  EXPECT_EQ(at("[1, 2", "/2"), "around");
  // As deep as memory goes: nothing here calls itself.
  const std::string deep(2'000'000, '[');
  EXPECT_EQ(at(deep, "/0/0"), "2");
  EXPECT_EQ(at(R"({"a": )" + deep, "/b"), "around");
  // Every beginning of a text: no position beyond it.
  const std::string whole = R"({"a": [1, {"\u00e4\\": "x\"y"}], "b": {"c": [null]}})";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    TextPlaces places(whole.substr(0, size));
    for (const char* pointer : {"", "/a/0", "/a/1/ä\\", "/b/c/0"}) {
      const auto found = places.find(pointer);
      EXPECT_TRUE(!found || found->offset < size) << pointer;
    }
  }
}

TEST(TextPlaces, AByteOrderMarkIsNoCharacter) {
  TextPlaces places("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(places.place_of(places.find("/a")->offset), (TextPlace{1, 7}));
}

TEST(TextPlaces, CharactersOfStringsWithEscapes) {
  // What stands before character k, closed with a quote, is a string of k − 1 characters.
  const std::vector<std::string> strings = {R"j("")j", R"j("der(x)")j", R"j("ä𝄞b")j",
                                            R"j("\u00e4\ud834\udd1e\n\"\\x")j"};
  for (const std::string& string : strings) {
    const std::string text = "[" + string + "]";
    const TextPlaces places(text);
    std::size_t characters = 0;
    for (const char c : Json::parse(string).get<std::string>())
      if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++characters;
    for (std::size_t k = 1; k <= characters + 1; ++k) {
      const auto offset = places.find_character(1, k);
      ASSERT_TRUE(offset.has_value()) << string << " " << k;
      const std::string before = Json::parse(text.substr(1, *offset - 1) + '"').get<std::string>();
      std::size_t count = 0;
      for (const char c : before)
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++count;
      EXPECT_EQ(count, k - 1) << string;
    }
    EXPECT_FALSE(places.find_character(1, characters + 2).has_value()) << string;
  }
  EXPECT_FALSE(TextPlaces("[12]").find_character(1, 1).has_value());
  EXPECT_FALSE(TextPlaces(R"(["a\)").find_character(1, 3).has_value());
  EXPECT_FALSE(TextPlaces(R"(["\ud834\u)").find_character(1, 4).has_value());
}

}  // namespace text_places_test
}  // namespace mti::json
