#include "io/fitting/data_reader.hpp"

#include <cmath>
#include <utility>

#include "io/files/files.hpp"
#include "io/json/csv.hpp"
#include "io/model/model_files.hpp"

namespace mti::json {

template <class Read>
void DataReader::each_member(ObjectReader& owner, std::string_view key, const Read& read) {
  const Value* value = owner.find(key);
  if (value == nullptr) return;
  const ObjectReader members(*value, owner.pointer_to(key), faults_);
  if (!members.is_object()) return;
  for (const Member& member : *value->object()) {
    ObjectReader data(member.value, members.pointer_to(member.key), faults_);
    if (!data.is_object()) continue;
    read(member.key, data);
    data.finish();
  }
}

double DataReader::deviation_of(ObjectReader& data) {
  const auto deviation = data.plain_number("deviation"), weight = data.plain_number("weight");
  if (deviation && weight)
    data.fault("bad-data", data.pointer(),
               "found a deviation and a weight, expected one of them: weight = 1/deviation^2");
  if (!weight) return deviation.value_or(1.0);
  if (!(*weight > 0.0)) {
    data.fault("bad-data", data.pointer_to("weight"), "expected a positive number");
    return 1.0;
  }
  return 1.0 / std::sqrt(*weight);
}

const std::string* DataReader::text_of(const std::string& file, const std::string& pointer) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second ? &*known->second : nullptr;
  std::optional<std::string>& text = texts_[file];
  const std::filesystem::path path = directory_ / file;
  if (!ModelFiles({}, directory_, reach_).may_read(path, pointer, faults_)) return nullptr;
  inputs_.add(path);
  try {
    text = read_file(path);
  } catch (const UnusableFile& unreadable) {
    faults_.push_back({"csv-unreadable", pointer, unreadable.faults().front().message});
  }
  return text ? &*text : nullptr;
}

std::optional<DataReader::Columns> DataReader::csv_columns(ObjectReader& data,
                                                           const std::string& usual_column) {
  const auto file = data.string("csv");
  const auto column = data.string("column");
  if (!file) return std::nullopt;
  if (usual_column.empty()) data.require("column");
  if (usual_column.empty() && !column) return Columns{};
  const std::string* const text = text_of(*file, data.pointer_to("csv"));
  if (text == nullptr) return Columns{};
  CsvColumn read = read_csv_column(*text, *file, column.value_or(usual_column), data.pointer_to("csv"),
                                   faults_, Quote::yes);
  return Columns{std::move(read.time), std::move(read.value)};
}

std::vector<MeasuredSignal> DataReader::signals(ObjectReader& experiment) {
  std::vector<MeasuredSignal> result;
  each_member(experiment, "signals", [&](const std::string& name, ObjectReader& data) {
    MeasuredSignal& measured = result.emplace_back(MeasuredSignal{.signal = name});
    measured.deviation = deviation_of(data);
    if (auto columns = csv_columns(data, name)) {
      measured.time = std::move(columns->time);
      measured.value = std::move(columns->value);
      return;
    }
    data.require("time");
    data.require("value");
    measured.time = data.plain_numbers("time");
    measured.value = data.plain_numbers("value");
  });
  return result;
}

std::vector<MeasuredEvents> DataReader::events(ObjectReader& experiment) {
  std::vector<MeasuredEvents> result;
  each_member(experiment, "events", [&](const std::string& name, ObjectReader& data) {
    MeasuredEvents& measured = result.emplace_back(MeasuredEvents{.event = name});
    measured.deviation = deviation_of(data);
    if (auto columns = csv_columns(data, "")) {
      measured.time = std::move(columns->value);
      return;
    }
    data.require("time");
    measured.time = data.plain_numbers("time");
  });
  return result;
}

std::vector<DataReader::InputTable> DataReader::tables(ObjectReader& experiment) {
  std::vector<InputTable> result;
  each_member(experiment, "inputs", [&](const std::string& name, ObjectReader& data) {
    data.require("csv");
    if (auto columns = csv_columns(data, name))
      result.push_back({name, std::move(columns->time), std::move(columns->value)});
  });
  return result;
}

}  // namespace mti::json
