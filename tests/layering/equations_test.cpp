// docs/equations.md and docs/glossary.md: every function, type and test that they name exists, every number that
// the sources are used for has its row, and every key of the bibliography too.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "tests/layering/declarations.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace equations_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const char* const in_library = "in the library";
const char* const shown_by = "shown by";
const char* const in_code = "in the code";
const char* const in_json = "in JSON";

std::string page(const std::string& name) { return read_text(source_dir() / "docs" / name); }

std::size_t rows_with(const std::vector<PageTable>& tables, const std::string& column) {
  std::size_t rows = 0;
  for (const PageTable& table : tables)
    for (const auto& row : table.rows) rows += row.contains(column) ? 1 : 0;
  return rows;
}

/// What is quoted in a column of a page and is not `known`.
template <class Known>
Names unknown_in(const std::string& text, const std::string& column, Known known) {
  Names unknown;
  for (const PageTable& table : tables_of(text))
    for (const auto& row : table.rows)
      if (const auto cell = row.find(column); cell != row.end())
        for (const std::string& name : quoted_in(cell->second))
          if (!known(name)) unknown.push_back(name);
  return unknown;
}

const Declarations& declared() {
  static const Declarations declarations = declarations_below(source_dir());
  return declarations;
}

const std::set<std::string>& tests() {
  static const std::set<std::string> names = tests_below(source_dir() / "tests");
  return names;
}

/// All sources of the libraries and the program, one behind the other.
const std::string& sources() {
  static const std::string text = [] {
    std::string all;
    for (const char* folder : {"mti", "solvers", "io", "program"})
      for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
          all += read_text(entry.path());
    return all;
  }();
  return text;
}

Names unknown_names(const std::string& text, const std::string& column) {
  return unknown_in(text, column, [](const std::string& name) { return declared().has(name); });
}

Names unknown_tests(const std::string& text) {
  return unknown_in(text, shown_by, [](const std::string& name) { return tests().contains(name); });
}

/// Quoted keys, `"key"`, that no source writes or reads. Sources may hold them within longer literals.
Names unknown_keys(const std::string& text) {
  return unknown_in(text, in_json, [](const std::string& name) {
    if (!name.starts_with("\"")) return true;
    const std::string escaped = "\\\"" + name.substr(1, name.size() - 2) + "\\\"";
    return sources().find(name) != std::string::npos || sources().find(escaped) != std::string::npos;
  });
}

/// Sections of the sources with those of `numbers` that no row has in its first column.
Names missing_numbers(const std::string& text, const std::string& section, const Names& numbers) {
  std::string first_column;
  for (const PageTable& table : tables_of(text))
    if (table.section == section)
      for (const auto& row : table.rows)
        for (const char* heading : {"number", "key"})
          if (row.contains(heading)) first_column += row.at(heading) + "\n";
  Names missing;
  for (const std::string& number : numbers)
    if (first_column.find(number) == std::string::npos) missing.push_back(number);
  return missing;
}

/// "(first)" … "(last)".
Names numbered(int first, int last) {
  Names numbers;
  for (int i = first; i <= last; ++i) numbers.push_back("(" + std::to_string(i) + ")");
  return numbers;
}

Names operator+(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Equations, NameFunctionsAndTypesThatAreDeclared) {
  const std::string text = page("equations.md");
  EXPECT_GT(rows_with(tables_of(text), in_library), 60U);
  EXPECT_EQ(unknown_names(text, in_library), Names{});
}

TEST(Equations, NameTestsThatExist) {
  const std::string text = page("equations.md");
  EXPECT_EQ(unknown_tests(text), Names{});
  for (const PageTable& table : tables_of(text))
    for (const auto& row : table.rows) {
      ASSERT_TRUE(row.contains(shown_by)) << table.section;
      EXPECT_FALSE(quoted_in(row.at(shown_by)).empty()) << table.section << ": " << row.begin()->second;
      EXPECT_FALSE(quoted_in(row.at(in_library)).empty()) << table.section << ": " << row.begin()->second;
    }
}

// The numbers that the library says it implements: those of its model class, of the successor problem, of the
// systems among its cases and of the methods behind them.
TEST(Equations, HaveARowForEveryNumber) {
  const std::string text = page("equations.md");
  const Names simultech = numbered(1, 4) + numbered(6, 22) + numbered(24, 25) + numbered(28, 28) +
                          Names{"remark 3.1", "remark 3.3", "chapter 4"};
  EXPECT_EQ(missing_numbers(text, "SIMULTECH 2025", simultech), Names{});
  EXPECT_EQ(missing_numbers(
                text, "Inria RR 9334",
                {"figure 2", "figures 8, 11", "figure 10", "(29)", "section 11", "(188)", "(190)", "(195)"}),
            Names{});
  const Names mosterman = numbered(4, 6) + numbered(11, 16) + numbered(23, 33) + numbered(42, 51);
  EXPECT_EQ(missing_numbers(text, "Mosterman 2000", mosterman), Names{});
  const Names chapter = numbered(8, 8) + numbered(21, 25) + Names{"chapter 3"};
  EXPECT_EQ(missing_numbers(text, "Modia and SunDAE", chapter), Names{});
  const Names electronics =
      numbered(48, 71) + Names{"2.1", "2.2", "2.3", "chapter 4", "5.1", "6.3", "chapter 7"};
  EXPECT_EQ(missing_numbers(text, "Electronics 2022", electronics), Names{});
}

TEST(Equations, HaveARowForEveryKeyOfTheBibliography) {
  const std::string text = page("equations.md"), bibliography = page("references.bib");
  const std::regex entry(R"(@\w+\{(\w+),)");
  std::size_t keys = 0;
  for (std::sregex_iterator found(bibliography.begin(), bibliography.end(), entry), end; found != end;
       ++found) {
    ++keys;
    EXPECT_NE(text.find("[" + (*found)[1].str() + "]"), std::string::npos) << (*found)[1];
  }
  EXPECT_GT(keys, 20U);
}

TEST(Glossary, NamesWhatIsDeclaredAndWritten) {
  const std::string text = page("glossary.md");
  EXPECT_GT(rows_with(tables_of(text), in_code), 40U);
  EXPECT_EQ(unknown_names(text, in_code), Names{});
  EXPECT_EQ(unknown_keys(text), Names{});
}

// The tests below are the negative controls: a wrong name is seen, wherever it stands.

TEST(EquationsControl, AWrongNameIsSeen) {
  const std::string text =
      "## A source\n\n"
      "| number | what it is | in the library | shown by |\n|---|---|---|---|\n"
      "| (1) | a and b | `Signature`, `no_such_function` | `Equations.NameTestsThatExist`, `equations_test` "
      "|\n"
      "| (2) | `not looked at` | `Model::f`, `Model::no_such_member`, `NoSuchType::f` | "
      "`Equations.NoSuchTest` |\n\n"
      "| number | in the library | shown by |\n|---|---|---|\n| (4) | `mti/model.hpp` | `no_such_test` |\n";
  EXPECT_EQ(unknown_names(text, in_library),
            (Names{"no_such_function", "Model::no_such_member", "NoSuchType::f", "mti/model.hpp"}));
  EXPECT_EQ(unknown_tests(text), (Names{"Equations.NoSuchTest", "no_such_test"}));
  EXPECT_EQ(missing_numbers(text, "A source", numbered(1, 4)), Names{"(3)"});
  EXPECT_EQ(missing_numbers(text, "Another source", numbered(1, 1)), Names{"(1)"});
}

TEST(EquationsControl, AWrongKeyIsSeen) {
  // Put together here, so that this file is not where the key is found.
  const std::string text =
      "| symbol | in JSON |\n|---|---|\n| a | `\"states\"`, `\"no_such_key\"`, `der(x)` |\n";
  EXPECT_EQ(unknown_keys(text), Names{"\"no_such_key\""});
}

TEST(EquationsControl, OnlyDeclarationsCount) {
  Declarations declarations;
  declarations.add(
      "#define in_a_macro(x) x\n"
      "/// in_a_comment() and struct InAComment\n"
      "/* class InAnotherComment; */\n"
      "struct Shape {\n  int sides = 0;\n  [[nodiscard]] double area() const { return called(sides); }\n};\n"
      "enum class Colour : char { red, green };\n"
      "using Names = std::vector<Shape>;\n"
      "const char* const text = \"void in_a_text();\";\n"
      "std::vector<int> listed(const Shape& shape);\n"
      "template <class T>\nShape& changed(T change);\n");
  for (const char* name : {"Shape", "Shape::sides", "Shape::area", "area", "Colour", "Colour::green", "Names",
                           "listed", "changed"})
    EXPECT_TRUE(declarations.has(name)) << name;
  for (const char* name : {"in_a_macro", "in_a_comment", "InAComment", "InAnotherComment", "called",
                           "in_a_text", "shape", "Shape::listed", "Shape::Colour", "sides"})
    EXPECT_FALSE(declarations.has(name)) << name;
}

TEST(EquationsControl, TestsAreFoundHoweverTheyAreWritten) {
  const std::string text =
      "// TEST(Comment, Out) {}\n"
      "TEST(A, b) {}\nTEST_P(ALongName,\n       OnTwoLines) {}\n"
      "const char* text = R\"rx(TEST(In, AText) \"quoted\" )rx\";\nTEST_F(C, d) {}\n";
  EXPECT_EQ(tests_in(text), (std::set<std::string>{"A.b", "ALongName.OnTwoLines", "C.d"}));
}

TEST(EquationsControl, EnoughIsFound) {
  EXPECT_GT(declared().size(), 800U);
  EXPECT_GT(tests().size(), 1000U);
}

}  // namespace equations_test
}  // namespace mti::test
