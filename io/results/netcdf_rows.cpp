#include "io/results/netcdf_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::size_t event_chunk = 256;

constexpr std::array kinds = {EventKind::initial,     EventKind::switch_mode, EventKind::law,
                              EventKind::slide_begin, EventKind::slide_end,   EventKind::zeno,
                              EventKind::input};

/// About a megabyte for all signals, within what is worth a chunk.
std::size_t rows_in_block(std::size_t columns) {
  constexpr std::size_t numbers = 1 << 17, least = 16, most = 4096;
  return std::clamp(numbers / (columns + 1), least, most);
}

/// Of dimensions and variables that are there in any case.
RowVariables::Names own_names() {
  return {"time",
          "side",
          "row",
          "event",
          "event_time",
          "event_kind",
          "change",
          "change_signal",
          "change_before",
          "change_after",
          "impulse",
          "impulse_signal",
          "impulse_weight",
          "impulse_order",
          "reached",
          "reached_constraint",
          "event_change_count",
          "event_impulse_count",
          "event_reached_count"};
}

std::string names_of_rows(const Signature& signature) {
  std::string text;
  for (int row = 0; row < signature.size(); ++row) text += (row > 0 ? " " : "") + signature.row_name(row);
  return text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

NetcdfRows::NetcdfRows(const std::filesystem::path& path, const std::filesystem::path& shown,
                       const Model& model, const std::vector<ResultColumns::Column>& columns)
    : file_(path, shown), rows_in_block_(rows_in_block(columns.size())) {
  // Comes first, and stands at the beginning of the file.
  file_.describe("source", "written by mti " MTI_VERSION);
  rows_.emplace(file_, columns, rows_in_block_, own_names());
  events_ = file_.add_dimension("event");
  event_time_ = {file_.add_doubles("event_time", events_, event_chunk)};
  event_kind_ = {file_.add_bytes("event_kind", events_, event_chunk)};
  std::vector<signed char> values;
  std::vector<std::string> meanings;
  for (const EventKind kind : kinds) {
    values.push_back(static_cast<signed char>(kind));
    meanings.push_back(to_string(kind));
  }
  file_.describe(event_kind_.variable, "flag_values", values);
  file_.describe(event_kind_.variable, "flag_meanings", joined(meanings));
  const std::string signals = names_of_rows(model.signature);
  changes_ = add_table("change", "change_signal", {"change_before", "change_after"}, signals);
  impulses_ = add_table("impulse", "impulse_signal", {"impulse_weight", "impulse_order"}, signals);
  reached_ = add_table("reached", "reached_constraint", {}, joined(model.constraint_names));
  file_.end_definitions();
  rows_->reserve(rows_in_block_);
}

NetcdfRows::Table NetcdfRows::add_table(const std::string& name, const std::string& index,
                                        const std::vector<std::string>& numbers,
                                        const std::string& meanings) {
  const int dimension = file_.add_dimension(name);
  Table table;
  table.count = {file_.add_integers("event_" + name + "_count", events_, event_chunk)};
  file_.describe(table.count.variable, "sample_dimension", name);
  table.signal = {file_.add_integers(index, dimension, event_chunk)};
  file_.describe(table.signal.variable, "flag_meanings", meanings);
  for (const std::string& number : numbers)
    table.numbers.push_back({file_.add_doubles(number, dimension, event_chunk)});
  return table;
}

void NetcdfRows::make_room(const std::vector<Event>& events) {
  std::size_t changes = 0, impulses = 0, reached = 0;
  for (const Event& event : events) {
    changes += event.changed.size() + event.jumps.size();
    impulses += event.impulses.size();
    reached += event.constraints.size();
  }
  event_time_.values.reserve(event_time_.values.size() + events.size());
  event_kind_.values.reserve(event_kind_.values.size() + events.size());
  for (auto& [table, entries] :
       {std::pair(&changes_, changes), std::pair(&impulses_, impulses), std::pair(&reached_, reached)}) {
    table->count.values.reserve(table->count.values.size() + events.size());
    table->signal.values.reserve(table->signal.values.size() + entries);
    for (Buffer<double>& numbers : table->numbers) numbers.values.reserve(numbers.values.size() + entries);
  }
}

void NetcdfRows::add(double time, int side, std::span<const double> values) {
  rows_->add(time, side, values);
  if (rows_->waiting() >= rows_in_block_) rows_->flush(file_);
}

void NetcdfRows::add(const Event& event) {
  event_time_.values.push_back(event.time);
  event_kind_.values.push_back(static_cast<signed char>(event.kind));
  for (const std::vector<Change>* changes : {&event.changed, &event.jumps})
    for (const Change& change : *changes) {
      changes_.signal.values.push_back(change.row);
      changes_.numbers[0].values.push_back(change.before);
      changes_.numbers[1].values.push_back(change.after);
    }
  changes_.count.values.push_back(static_cast<int>(event.changed.size() + event.jumps.size()));
  for (const Impulse& impulse : event.impulses) {
    impulses_.signal.values.push_back(impulse.row);
    impulses_.numbers[0].values.push_back(impulse.weight);
    impulses_.numbers[1].values.push_back(impulse.order);
  }
  impulses_.count.values.push_back(static_cast<int>(event.impulses.size()));
  for (const int constraint : event.constraints) reached_.signal.values.push_back(constraint);
  reached_.count.values.push_back(static_cast<int>(event.constraints.size()));
  if (event_time_.values.size() >= event_chunk) flush_events();
}

void NetcdfRows::flush_events() {
  for (Table* table : {&changes_, &impulses_, &reached_}) {
    for (Buffer<double>& numbers : table->numbers) numbers.flush(file_);
    table->signal.flush(file_);
    table->count.flush(file_);
  }
  event_kind_.flush(file_);
  event_time_.flush(file_);
}

void NetcdfRows::synchronize() {
  rows_->flush(file_);
  flush_events();
  file_.synchronize();
}

void NetcdfRows::close() {
  rows_->flush(file_);
  flush_events();
  file_.close();
}

}  // namespace mti
