#include "io/studies/study_netcdf.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/netcdf/growing_variable.hpp"
#include "io/netcdf/netcdf_file.hpp"
#include "io/results/result_columns.hpp"
#include "io/studies/study_rows.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/components/flatten.hpp"

namespace mti {
namespace {

constexpr std::size_t runs_in_chunk = 1024, rows_in_chunk = 4096;
constexpr std::string_view invalid_model = "invalid_model";

ResultSelection selection_of(const StudyPlan& plan) { return {.signals = plan.trajectories}; }

double number_in(const std::string& cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

/// Words by number, as flag_values and flag_meanings say them.
struct Words {
  std::vector<std::string> list;

  [[nodiscard]] int number_of(const std::string& word) const {
    const auto found = std::ranges::find(list, word);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  }
  [[nodiscard]] std::string joined() const {
    std::string text;
    for (std::string word : list) {
      std::ranges::replace(word, ' ', '_');
      text += (text.empty() ? "" : " ") + word;
    }
    return text;
  }
};

Words outcome_words() {
  Words words;
  for (int kind = 0; kind <= static_cast<int>(OutcomeKind::out_of_memory); ++kind)
    words.list.push_back(to_string(static_cast<OutcomeKind>(kind)));
  words.list.emplace_back(invalid_model);
  return words;
}

/// No more of a name, so that the mark of mti stands at the beginning of the file; whole letters of UTF-8.
std::string_view beginning_of(std::string_view name) {
  constexpr std::size_t longest = 200;
  if (name.size() <= longest) return name;
  std::size_t size = longest;
  while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80U) --size;
  return name.substr(0, size);
}

class Writer {
 public:
  Writer(const std::filesystem::path& path, const StudyPlan& plan,
         const std::vector<ResultColumns::Column>& signals)
      : plan_(plan), file_(path) {
    file_.describe("source", "written by mti " MTI_VERSION);
    file_.describe("Conventions", "CF-1.8");
    file_.describe("title", beginning_of(plan.name));
    file_.describe("design", to_string(plan.design));
    file_.describe("seed", std::to_string(plan.seed));
    file_.describe("runs_of_study", std::to_string(plan.runs));
    define_runs(signals);
    define_rows(signals);
    file_.end_definitions();
  }

  void add(const std::vector<std::string>& cells, const RunTrajectory& trajectory) {
    std::size_t cell = 0;
    run_.values.push_back(static_cast<int>(number_in(cells[cell++])));
    for (std::size_t j = 0; j < plan_.factors.size(); ++j, ++cell) {
      const Words files{plan_.factors[j].files};
      factors_[j].values.push_back(files.list.empty() ? number_in(cells[cell])
                                                      : files.number_of(cells[cell]));
    }
    outcome_.values.push_back(static_cast<signed char>(outcomes_.number_of(cells[cell++])));
    end_time_.values.push_back(number_in(cells[cell++]));
    events_.values.push_back(number_in(cells[cell++]));
    for (auto& quantity : quantities_) quantity.values.push_back(number_in(cells[cell++]));
    row_count_.values.push_back(static_cast<int>(trajectory.time.size()));
    append(time_, trajectory.time);
    append(side_, trajectory.side);
    for (auto& [name, signal] : signals_) {  // a run may have fewer: its model depends on the factors
      const auto found = std::ranges::find(trajectory.names, name);
      if (found != trajectory.names.end())
        append(signal, trajectory.values[at(found - trajectory.names.begin())]);
      else
        signal.values.insert(signal.values.end(), trajectory.time.size(),
                             std::numeric_limits<double>::quiet_NaN());
    }
    if (row_count_.values.size() >= runs_in_chunk) flush_runs();
    if (time_.values.size() >= rows_in_chunk) flush_rows();
  }

  void close() {
    flush_runs();
    flush_rows();
    file_.close();
  }

 private:
  using Doubles = netcdf::GrowingVariable<double>;
  using Names = std::set<std::string, std::less<>>;

  /// Of variables that are there in any case.
  static Names own_names() {
    return {"time", "side", "run", "row", "row_count", "outcome", "end_time", "events"};
  }

  template <class Number>
  static void append(netcdf::GrowingVariable<Number>& variable, const std::vector<Number>& numbers) {
    variable.values.insert(variable.values.end(), numbers.begin(), numbers.end());
  }

  Doubles add_of_runs(const std::string& name, std::string_view kind) {
    const bool taken = names_.contains(name);
    Doubles variable{file_.add_doubles(taken ? std::string(kind) + "." + name : name, runs_, runs_in_chunk)};
    names_.insert(name);
    file_.describe(variable.variable, "long_name", name);
    file_.describe(variable.variable, "kind", kind);
    return variable;
  }

  void define_runs(const std::vector<ResultColumns::Column>& signals) {
    names_ = own_names();
    for (const ResultColumns::Column& signal : signals) names_.insert(signal.name);
    runs_ = file_.add_dimension("run");
    run_ = {file_.add_integers("run", runs_, runs_in_chunk)};
    file_.describe(run_.variable, "long_name", "number of the run");
    for (const StudyFactor& factor : plan_.factors) {
      factors_.push_back(add_of_runs(factor.name, "factor"));
      if (!factor.files.empty())
        file_.describe(factors_.back().variable, "flag_meanings", Words{factor.files}.joined());
    }
    outcome_ = {file_.add_bytes("outcome", runs_, runs_in_chunk)};
    std::vector<signed char> numbers;
    for (std::size_t word = 0; word < outcomes_.list.size(); ++word)
      numbers.push_back(static_cast<signed char>(word));
    file_.describe(outcome_.variable, "flag_values", numbers);
    file_.describe(outcome_.variable, "flag_meanings", outcomes_.joined());
    end_time_ = {file_.add_doubles("end_time", runs_, runs_in_chunk)};
    events_ = {file_.add_doubles("events", runs_, runs_in_chunk)};
    for (const KeptQuantity& quantity : plan_.kept) quantities_.push_back(add_of_runs(quantity.name, "kept"));
    row_count_ = {file_.add_integers("row_count", runs_, runs_in_chunk)};
    file_.describe(row_count_.variable, "long_name", "number of rows of the run");
    file_.describe(row_count_.variable, "sample_dimension", "row");
  }

  void define_rows(const std::vector<ResultColumns::Column>& signals) {
    const int rows = file_.add_dimension("row");
    time_ = {file_.add_doubles("time", rows, rows_in_chunk)};
    file_.describe(time_.variable, "long_name", "time");
    side_ = {file_.add_bytes("side", rows, rows_in_chunk)};
    file_.describe(side_.variable, "long_name",
                   "0 at an output time, -1 and 1 at the left and right limits of an event");
    for (const ResultColumns::Column& signal : signals) {
      const bool taken = own_names().contains(signal.name);
      Doubles variable{file_.add_doubles(taken ? "signal." + signal.name : signal.name, rows, rows_in_chunk)};
      if (!signal.unit.empty()) file_.describe(variable.variable, "units", signal.unit);
      file_.describe(variable.variable, "long_name", signal.name);
      if (!signal.kind.empty()) file_.describe(variable.variable, "kind", signal.kind);
      signals_.emplace(signal.name, std::move(variable));
    }
  }

  void flush_runs() {
    run_.flush(file_);
    for (std::vector<Doubles>* variables : {&factors_, &quantities_})
      for (Doubles& variable : *variables) variable.flush(file_);
    outcome_.flush(file_);
    end_time_.flush(file_);
    events_.flush(file_);
    row_count_.flush(file_);
  }

  void flush_rows() {
    time_.flush(file_);
    side_.flush(file_);
    for (auto& [name, signal] : signals_) signal.flush(file_);
  }

  const StudyPlan& plan_;
  netcdf::File file_;
  Words outcomes_ = outcome_words();
  Names names_;  ///< of variables, and of signals
  int runs_ = -1;
  netcdf::GrowingVariable<int> run_, row_count_;
  netcdf::GrowingVariable<signed char> outcome_, side_;
  Doubles end_time_, events_, time_;
  std::vector<Doubles> factors_, quantities_;
  std::map<std::string, Doubles, std::less<>> signals_;
};

/// Of the model of the plan, without what varies.
std::vector<ResultColumns::Column> signals_of_plan(const StudyPlan& plan) {
  return chosen_columns(build(plan.model, plan.common), selection_of(plan));
}

}  // namespace

RunTrajectory kept_trajectory(const StudyPlan& plan, long number, const Model& model, const Trajectory& run) {
  const ResultColumns columns(model, run, selection_of(plan));
  RunTrajectory kept{.run = number, .names = columns.names()};
  kept.values.resize(kept.names.size());
  std::vector<double> values(kept.names.size());
  for (std::size_t row = 0; row < run.size(); ++row) {
    kept.time.push_back(run.time(row));
    kept.side.push_back(static_cast<signed char>(run.side(row)));
    columns.read(run, row, values);
    for (std::size_t column = 0; column < values.size(); ++column)
      kept.values[column].push_back(values[column]);
  }
  return kept;
}

void try_study_netcdf(const std::filesystem::path& directory, const StudyPlan& plan) {
  const std::filesystem::path path = directory / ("." + std::string(study_netcdf_name) + ".tried");
  std::error_code ignored;
  try {
    Writer(path, plan, signals_of_plan(plan)).close();
  } catch (...) {
    std::filesystem::remove(path, ignored);
    throw;
  }
  std::filesystem::remove(path, ignored);
}

void write_study_netcdf(const std::filesystem::path& directory, const StudyPlan& plan, JournalRows& rows,
                        TrajectoryRecords& records, const std::optional<StudyShard>& shard) {
  std::vector<ResultColumns::Column> signals = signals_of_plan(plan);
  std::vector<std::string> known;
  for (const ResultColumns::Column& signal : signals) known.push_back(signal.name);
  for (long run = 0; run < rows.runs(); ++run) {
    if (!records.has(run)) continue;
    for (std::string& name : records.names(run)) {
      if (std::ranges::find(known, name) != known.end()) continue;
      known.push_back(name);
      signals.push_back({.name = std::move(name)});
    }
  }
  write_through(directory / study_netcdf_name, [&](const std::filesystem::path& path) {
    Writer writer(path, plan, signals);
    for (long run = 0; run < rows.runs(); ++run)
      if ((!shard || shard->has(run)) && rows.has(run) && records.has(run))
        writer.add(csv_cells(rows.row(run)), records.read(run));
    writer.close();
  });
}

}  // namespace mti
