// A weather file put together by the format's description: eight header lines, 35 fields in a record.
#include "io/json/epw.hpp"

#include <gtest/gtest.h>

#include <string>

#include "io/model/read_model.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace epw_test {

std::string header(int records_per_hour) {
  return "LOCATION,Somewhere,-,-,made,000000,50.0,8.0,1.0,100.0\n"
         "DESIGN CONDITIONS,0\nTYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,0\n"
         "HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,made for a test\nCOMMENTS 2,\n"
         "DATA PERIODS,1," +
         std::to_string(records_per_hour) + ",Data,Sunday, 1/ 1,12/31\n";
}

/// A record whose field f (from 0) after the six of its time and flags is 100·hour + f, dry bulb −hour.
std::string record(int hour, const std::string& radiation = "") {
  std::string line = "1999,1,1," + std::to_string(hour) + ",60,?9?9?9";
  for (int field = 0; field < 29; ++field) {
    std::string value = std::to_string(field == 23 ? 0 : field == 25 || field == 28 ? hour : field + hour);
    if (field == 0) value = std::to_string(-hour) + ".5";
    if (field == 7 && !radiation.empty()) value = radiation;
    line += "," + value;
  }
  return line + "\r\n";
}

CsvColumn read(const std::string& text, const std::string& column, std::vector<Fault>& faults) {
  return read_epw_column(text, "w.epw", column, "/inputs/0/epw", faults);
}

TEST(Epw, ReadsAColumnByItsName) {
  std::vector<Fault> faults;
  const std::string text = header(1) + record(1) + record(2) + record(3);
  const CsvColumn dry = read(text, "Dry Bulb Temperature", faults);
  EXPECT_EQ(dry.time, (std::vector<double>{3600.0, 7200.0, 10800.0}));
  EXPECT_EQ(dry.value, (std::vector<double>{-1.5, -2.5, -3.5}));
  EXPECT_EQ(read(text, "Global Horizontal Radiation", faults).value, (std::vector<double>{8.0, 9.0, 10.0}));
  EXPECT_EQ(read(text, "Wind Speed", faults).value, (std::vector<double>{16.0, 17.0, 18.0}));
  EXPECT_TRUE(faults.empty());
}

// Many files end their records behind "Days Since Last Snowfall".
TEST(Epw, MayLeaveOutTheLastFields) {
  std::string text = header(1);
  for (const int hour : {1, 2}) {
    std::string line = record(hour);
    for (int field = 0; field < 3; ++field) line.erase(line.rfind(','));
    text += line + "\r\n";
  }
  std::vector<Fault> faults;
  EXPECT_EQ(read(text, "Dry Bulb Temperature", faults).value, (std::vector<double>{-1.5, -2.5}));
  EXPECT_EQ(read(text, "Days Since Last Snowfall", faults).value, (std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(faults.empty());
  (void)read(text, "Albedo", faults);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].id, "epw-missing");
  EXPECT_EQ(faults[0].message, "w.epw: line 9: the record has no field Albedo");
}

TEST(Epw, CountsTheRecordsOfAnHour) {
  std::vector<Fault> faults;
  const CsvColumn column = read(header(4) + record(1) + record(1), "Dry Bulb Temperature", faults);
  EXPECT_EQ(column.time, (std::vector<double>{900.0, 1800.0}));
}

// The value in the middle of the first two hours, whichever key names the file.
TEST(Epw, IsAnInputAsATableByItsEnding) {
  const test::TemporaryDirectory directory;
  directory.write("w.EPW", header(1) + record(1) + record(2));
  for (const std::string key : {"epw", "csv"}) {
    const std::string file = directory.write(
        "m.json",
        R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}], "inputs": [{"name": "T", ")" +
            key + R"(": "w.EPW", "column": "Dry Bulb Temperature"}], "equations": ["der(x) = T"]})");
    EXPECT_EQ(read_model(file).inputs[0].piece(5400.0).value(5400.0), -2.0) << key;
  }
}

TEST(Epw, SaysWhatIsWrong) {
  const auto fault = [](const std::string& text, const std::string& column) {
    std::vector<Fault> faults;
    (void)read(text, column, faults);
    return faults.empty() ? std::string() : faults[0].id + " " + faults[0].message;
  };
  EXPECT_EQ(fault(header(1) + record(1), "Dry Bulb Temperatur"),
            "epw-file w.epw: weather files have no column \"Dry Bulb Temperatur\", did you mean Dry Bulb "
            "Temperature?");
  EXPECT_EQ(fault(header(1) + record(1) + record(2, "9999"), "Global Horizontal Radiation"),
            "epw-missing w.epw: line 10: the value of Global Horizontal Radiation is missing in this record");
  EXPECT_EQ(fault(header(1) + "1,2,3\n", "Wind Speed"),
            "epw-file w.epw: line 9: found 3 fields, a record has 35, of which the last 5 may be left out");
  EXPECT_EQ(fault(header(1), "Wind Speed"), "epw-file w.epw: no record follows the eight header lines");
  EXPECT_EQ(fault("LOCATION\n", "Wind Speed"), "epw-file w.epw: expected eight header lines, found 1");
}

}  // namespace epw_test
}  // namespace mti
