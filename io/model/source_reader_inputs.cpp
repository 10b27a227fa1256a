// The part of SourceReader that reads inputs: constant, table, sine, csv.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>

#include "io/files/files.hpp"
#include "io/json/csv.hpp"
#include "io/json/epw.hpp"
#include "io/model/source_reader.hpp"

namespace mti::json {
namespace {

constexpr std::array<std::string_view, 10> forms = {"value",    "table", "sine", "csv",   "square",
                                                    "triangle", "pwm",   "epw",  "delay", "polynomial"};

/// Weather files are comma-separated tables, too.
bool is_weather_file(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension == ".epw";
}

std::optional<Interpolation> read_interpolation(ObjectReader& input) {
  const auto text = input.string("interpolation");
  if (!text) return std::nullopt;
  if (*text == "linear") return Interpolation::linear;
  if (*text == "previous") return Interpolation::previous;
  input.fault("unknown-interpolation", input.pointer_to("interpolation"),
              "found " + in_quotes(*text) + R"(, expected "linear" or "previous")");
  return std::nullopt;
}

TableSource read_table(ObjectReader& input) {
  ObjectReader table(*input.find("table"), input.pointer_to("table"), input.faults());
  table.require("time");
  table.require("value");
  TableSource result{.time = table.numbers("time"), .value = table.numbers("value")};
  table.finish();
  return result;
}

SineSource read_sine(ObjectReader& input) {
  ObjectReader sine(*input.find("sine"), input.pointer_to("sine"), input.faults());
  sine.require("amplitude");
  sine.require("frequency");
  SineSource result{.amplitude = sine.number("amplitude").value_or(0.0),
                    .frequency = sine.number("frequency").value_or(0.0),
                    .phase = sine.number("phase").value_or(0.0),
                    .offset = sine.number("offset").value_or(0.0)};
  sine.finish();
  return result;
}

PulseSource read_pulses(ObjectReader& input, PulseSource::Kind kind) {
  const bool is_square = kind == PulseSource::Kind::square;
  const std::string_view key = is_square ? "square" : "pwm";
  ObjectReader pulses(*input.find(key), input.pointer_to(key), input.faults());
  pulses.require("period");
  if (!is_square) pulses.require("duty");
  PulseSource result{.kind = kind,
                     .period = pulses.number("period").value_or(1.0),
                     .duty = is_square ? Number(0.5) : pulses.number("duty").value_or(0.5),
                     .low = pulses.number("low").value_or(0.0),
                     .high = pulses.number("high").value_or(1.0),
                     .start = pulses.number("start").value_or(0.0)};
  pulses.finish();
  return result;
}

TriangleSource read_triangle(ObjectReader& input) {
  ObjectReader wave(*input.find("triangle"), input.pointer_to("triangle"), input.faults());
  wave.require("period");
  TriangleSource result{.period = wave.number("period").value_or(1.0),
                        .low = wave.number("low").value_or(0.0),
                        .high = wave.number("high").value_or(1.0),
                        .start = wave.number("start").value_or(0.0)};
  wave.finish();
  return result;
}

DelaySource read_delay(ObjectReader& input) {
  ObjectReader delay(*input.find("delay"), input.pointer_to("delay"), input.faults());
  delay.require("of");
  delay.require("time");
  DelaySource result{.of = delay.string("of").value_or(""),
                     .time = delay.number("time").value_or(1.0),
                     .before = delay.number("before")};
  delay.finish();
  return result;
}

PolynomialSource read_polynomial(ObjectReader& input) {
  ObjectReader polynomial(*input.find("polynomial"), input.pointer_to("polynomial"), input.faults());
  polynomial.require("time");
  polynomial.require("coefficients");
  PolynomialSource result{.time = polynomial.plain_numbers("time"),
                          .coefficients = polynomial.lists_of_numbers("coefficients")};
  polynomial.finish();
  return result;
}

/// Keys that only go with a table or csv input.
void refuse(ObjectReader& input, std::string_view key, const char* with) {
  if (!input.has(key)) return;
  input.fault("key-without-use", input.pointer_to(key),
              "the key " + in_quotes(key) + " has no meaning here, it goes with " + with);
}

}  // namespace

InputSource SourceReader::read_input(ObjectReader& input) {
  InputSource result{.name = read_name(input),
                     .unit = input.string("unit").value_or(""),
                     .nominal = input.number("nominal").value_or(1.0),
                     .binary = input.boolean("binary").value_or(false)};
  int given = 0;
  for (const std::string_view form : forms) given += input.has(form) ? 1 : 0;
  if (given != 1 && input.is_object())
    input.fault(given == 0 ? "missing-key" : "two-forms", input.pointer(),
                "found " + std::to_string(given) +
                    R"( of the keys "value", "table", "sine", "csv", )"
                    R"("square", "triangle", "pwm", "epw", "delay", "polynomial", expected one)");
  if (input.has("value")) {
    if (auto value = input.number("value")) result.form = std::move(*value);
  } else if (input.has("table")) {
    result.form = read_table(input);
  } else if (input.has("sine")) {
    result.form = read_sine(input);
  } else if (input.has("square")) {
    result.form = read_pulses(input, PulseSource::Kind::square);
  } else if (input.has("pwm")) {
    result.form = read_pulses(input, PulseSource::Kind::pwm);
  } else if (input.has("triangle")) {
    result.form = read_triangle(input);
  } else if (input.has("delay")) {
    result.form = read_delay(input);
  } else if (input.has("polynomial")) {
    result.form = read_polynomial(input);
  } else if (const auto file = input.string(input.has("epw") ? "epw" : "csv")) {
    result.form = read_csv(input, *file);
  }
  const auto interpolation = read_interpolation(input);
  const bool is_file = input.has("csv") || input.has("epw");
  auto repeat = input.number("repeat");
  auto start = input.number("start");
  if (auto* table = std::get_if<TableSource>(&result.form)) {
    table->interpolation = interpolation;
    table->repeat = std::move(repeat);
    if (start) table->start = std::move(*start);
  } else if (!is_file) {
    refuse(input, "interpolation", R"("table", "csv" or "epw")");
    refuse(input, "repeat", R"("table", "csv" or "epw")");
  }
  if (!input.has("repeat")) refuse(input, "start", R"("repeat")");
  if (input.has("column") && !is_file) refuse(input, "column", R"("csv" or "epw")");
  return result;
}

TableSource SourceReader::read_csv(ObjectReader& input, const std::string& file) {
  // One entry keeps a table whose file is not readable from giving faults of its own.
  TableSource table{.time = {0.0}, .value = {0.0}};
  input.require("column");
  const auto column = input.string("column");
  const bool is_epw = input.has("epw"), is_weather = is_epw || is_weather_file(file);
  const std::string pointer = input.pointer_to(is_epw ? "epw" : "csv");
  const std::string* text = csv_text(file, pointer);
  if (!text || !column) return table;
  const std::size_t before = faults_.size();
  const Quote quote = files_.is_own(directory_ / file) ? Quote::yes : Quote::no;
  CsvColumn read = is_weather ? read_epw_column(*text, file, *column, pointer, faults_)
                              : read_csv_column(*text, file, *column, pointer, faults_, quote);
  if (faults_.size() != before) return table;
  table.time.assign(read.time.begin(), read.time.end());
  table.value.assign(read.value.begin(), read.value.end());
  return table;
}

const std::string* SourceReader::csv_text(const std::string& file, const std::string& pointer) {
  if (!files_.may_read(directory_ / file, pointer, faults_)) return nullptr;
  const auto [entry, is_new] = csv_texts_.try_emplace(file);
  std::string why;
  if (is_new) {
    const std::filesystem::path path = directory_ / file;
    std::error_code error;
    // A pipe or device could keep the reader waiting for ever.
    if (std::filesystem::is_regular_file(path, error)) {
      files_.open(path);
      try {
        entry->second = read_file(path);
      } catch (const UnusableFile& unreadable) {
        why = unreadable.faults().front().message;
      }
    } else {
      why = "cannot read " + path.string() + ": " + (error ? error.message() : "not a regular file");
    }
  } else if (!entry->second) {
    why = "cannot read " + file + " (see the first input that names it)";
  }
  if (entry->second) return &*entry->second;
  faults_.push_back({"csv-unreadable", pointer, why});
  return nullptr;
}

}  // namespace mti::json
