#include "io/json/csv.hpp"

#include <gtest/gtest.h>

namespace mti {
namespace csv_test {

struct Result {
  CsvColumn column;
  std::vector<Fault> faults;
};

Result read(const std::string& text, const std::string& column = "T") {
  Result result;
  result.column = read_csv_column(text, "w.csv", column, "/inputs/0/csv", result.faults);
  return result;
}

using Numbers = std::vector<double>;

TEST(Csv, FirstColumnIsTimeWhateverItsName) {
  const Result result = read("hour,p,T\n0,1,20\n0.5,2,-3.25e1\n");
  EXPECT_TRUE(result.faults.empty());
  EXPECT_EQ(result.column.time, (Numbers{0, 0.5}));
  EXPECT_EQ(result.column.value, (Numbers{20, -32.5}));
}

// The same table in every way of writing it.
TEST(Csv, SeparatorsLineEndsMarksAndQuotesDoNotMatter) {
  for (const char* text : {"t,T\n0,1\n2,3\n", "t;T\n0;1\n2;3\n", "t,T\r\n0,1\r\n2,3\r\n",
                           "\xEF\xBB\xBFt,T\n0,1\n2,3", "t , T \n 0 , 1 \n 2 ,\t3\n",
                           "\"t\",\"T\"\n0,1\n2,3\n", "\n\nt,T\n\n0,1\n\n2,3\n\n", "t,T\n+0,\"1\"\n2,+3\n"}) {
    const Result result = read(text);
    EXPECT_TRUE(result.faults.empty()) << text;
    EXPECT_EQ(result.column.time, (Numbers{0, 2})) << text;
    EXPECT_EQ(result.column.value, (Numbers{1, 3})) << text;
  }
}

TEST(Csv, NamesInQuotesMayHoldSeparatorsAndQuotes) {
  EXPECT_EQ(read("t,\"T, outside\",\"a\"\"b\"\n0,1,2\n", "T, outside").column.value, Numbers{1});
  EXPECT_EQ(read("t,\"T, outside\",\"a\"\"b\"\n0,1,2\n", "a\"b").column.value, Numbers{2});
  EXPECT_EQ(read("t,u,\"n;x\"\n0,1,2\n", "u").column.value, Numbers{1});
  EXPECT_EQ(read("t;u;\"n;x\"\n0;1;2\n", "n;x").column.value, Numbers{2});
}

TEST(Csv, EqualTimesAreAJump) { EXPECT_EQ(read("t,T\n0,1\n1,1\n1,2\n").column.time, (Numbers{0, 1, 1})); }

TEST(Csv, NumbersAreReadToTheLastBit) {
  EXPECT_EQ(read("t,T\n0,0.1\n1,5e-324\n2,1.7976931348623157e308\n").column.value,
            (Numbers{0.1, 5e-324, 1.7976931348623157e308}));
}

TEST(Csv, FaultsNameFileAndLine) {
  const Result result = read("t,T\n0,1\n\n1,x\n");
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0],
            (Fault{"csv-number", "/inputs/0/csv",
                   "w.csv, line 4: found \"x\" in column \"T\", expected a finite number"}));
}

TEST(Csv, EveryIdHasItsCause) {
  const auto id_of = [](const std::string& text, const std::string& column = "T") {
    const Result result = read(text, column);
    return result.faults.empty() ? std::string("none") : result.faults[0].id;
  };
  EXPECT_EQ(id_of("t,T\n0,1\n"), "none");
  EXPECT_EQ(id_of(""), "csv-empty");
  EXPECT_EQ(id_of("\n\r\n"), "csv-empty");
  EXPECT_EQ(id_of("t,T\n"), "csv-empty");
  EXPECT_EQ(id_of("t,T\n0,1\n", "Q"), "csv-column");
  EXPECT_EQ(id_of("t,T,T\n0,1,2\n"), "csv-column");
  EXPECT_EQ(id_of("t,T\n0\n"), "csv-row");
  EXPECT_EQ(id_of("t,T\n0,1,2\n"), "csv-row");
  EXPECT_EQ(id_of("t,T\n0,inf\n"), "csv-number");
  EXPECT_EQ(id_of("t,T\n0,1e999\n"), "csv-number");
  EXPECT_EQ(id_of("t,T\n0,0x10\n"), "csv-number");
  EXPECT_EQ(id_of("t,T\n0,1 2\n"), "csv-number");
  EXPECT_EQ(id_of("t,T\nnow,1\n"), "csv-number");
  EXPECT_EQ(id_of("t,T\n1,1\n0,1\n"), "csv-time");
}

TEST(Csv, FaultsOfOneFileStopAtTen) {
  std::string text = "t,T\n";
  for (int i = 0; i < 1000; ++i) text += "0,x\n";
  EXPECT_EQ(read(text).faults.size(), 10U);
}

TEST(Csv, DecimalCommaIsExplained) {
  EXPECT_NE(read("t;T\n0;1,5\n").faults.at(0).message.find("with a decimal point"), std::string::npos);
}

}  // namespace csv_test
}  // namespace mti
