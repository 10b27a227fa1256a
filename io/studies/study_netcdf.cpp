#include "io/studies/study_netcdf.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/netcdf/growing_variable.hpp"
#include "io/netcdf/netcdf_file.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/row_variables.hpp"
#include "io/studies/study_rows.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/components/flatten.hpp"

namespace mti {
namespace {

constexpr std::size_t runs_in_chunk = 1024, rows_in_chunk = 4096;
constexpr std::string_view invalid_model = "invalid_model";

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
    for (const StudyFactor& factor : plan.factors) files_.push_back({factor.files});
    for (const ResultColumns::Column& signal : signals) signals_.push_back(signal.name);
    file_.describe("source", "written by mti " MTI_VERSION);
    file_.describe("Conventions", "CF-1.8");
    file_.describe("title", beginning_of(plan.name));
    file_.describe("design", to_string(plan.design));
    file_.describe("seed", std::to_string(plan.seed));
    file_.describe("runs_of_study", std::to_string(plan.runs));
    define_runs();
    rows_.emplace(file_, signals, rows_in_chunk, own_names());
    file_.end_definitions();
  }

  void add(const std::vector<std::string>& cells, const RunTrajectory& trajectory) {
    std::size_t cell = 0;
    run_.values.push_back(static_cast<int>(number_in(cells[cell++])));
    for (std::size_t j = 0; j < plan_.factors.size(); ++j, ++cell) {
      factors_[j].values.push_back(files_[j].list.empty() ? number_in(cells[cell])
                                                          : files_[j].number_of(cells[cell]));
    }
    outcome_.values.push_back(static_cast<signed char>(outcomes_.number_of(cells[cell++])));
    end_time_.values.push_back(number_in(cells[cell++]));
    events_.values.push_back(number_in(cells[cell++]));
    for (auto& quantity : quantities_) quantity.values.push_back(number_in(cells[cell++]));
    row_count_.values.push_back(static_cast<int>(trajectory.time.size()));
    add_rows(trajectory);
    if (row_count_.values.size() >= runs_in_chunk) flush_runs();
    if (rows_->waiting() >= rows_in_chunk) rows_->flush(file_);
  }

  void close() {
    flush_runs();
    rows_->flush(file_);
    file_.close();
  }

 private:
  using Doubles = netcdf::GrowingVariable<double>;
  using Names = RowVariables::Names;

  /// Of variables that are there in any case.
  static Names own_names() {
    return {"time", "side", "run", "row", "row_count", "outcome", "end_time", "events"};
  }

  /// A run may have fewer signals than the file, where its model depends on the factors.
  void add_rows(const RunTrajectory& trajectory) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<const std::vector<double>*> columns;
    for (const std::string& name : signals_) {
      const auto found = std::ranges::find(trajectory.names, name);
      columns.push_back(found == trajectory.names.end()
                            ? nullptr
                            : &trajectory.values[at(found - trajectory.names.begin())]);
    }
    std::vector<double> values(columns.size(), none);
    for (std::size_t row = 0; row < trajectory.time.size(); ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i] != nullptr) values[i] = (*columns[i])[row];
      rows_->add(trajectory.time[row], trajectory.side[row], values);
    }
  }

  Doubles add_of_runs(const std::string& name, std::string_view kind) {
    const std::string own = RowVariables::free_name(name, kind, names_);
    Doubles variable{file_.add_doubles(own, runs_, runs_in_chunk)};
    names_.insert(own);
    file_.describe(variable.variable, "long_name", name);
    file_.describe(variable.variable, "kind", kind);
    return variable;
  }

  void define_runs() {
    names_ = own_names();
    names_.insert(signals_.begin(), signals_.end());
    runs_ = file_.add_dimension("run");
    run_ = {file_.add_integers("run", runs_, runs_in_chunk)};
    file_.describe(run_.variable, "long_name", "number of the run");
    for (const StudyFactor& factor : plan_.factors) {
      factors_.push_back(add_of_runs(factor.name, "factor"));
      if (!factor.files.empty())
        file_.describe(factors_.back().variable, "flag_meanings", files_[factors_.size() - 1].joined());
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

  void flush_runs() {
    run_.flush(file_);
    for (std::vector<Doubles>* variables : {&factors_, &quantities_})
      for (Doubles& variable : *variables) variable.flush(file_);
    outcome_.flush(file_);
    end_time_.flush(file_);
    events_.flush(file_);
    row_count_.flush(file_);
  }

  const StudyPlan& plan_;
  netcdf::File file_;
  Words outcomes_ = outcome_words();
  Names names_;  ///< of variables, and of signals
  int runs_ = -1;
  netcdf::GrowingVariable<int> run_, row_count_;
  netcdf::GrowingVariable<signed char> outcome_;
  Doubles end_time_, events_;
  std::vector<Doubles> factors_, quantities_;
  std::vector<Words> files_;          ///< by factors
  std::vector<std::string> signals_;  ///< columns of the rows
  std::optional<RowVariables> rows_;
};

/// Of the model of the plan, without what varies.
std::vector<ResultColumns::Column> signals_of_plan(const StudyPlan& plan) {
  return chosen_columns(build(plan.model, plan.common), {.signals = plan.trajectories});
}

/// Models of components may have others in another run.
void add_signals_of_runs(std::vector<ResultColumns::Column>& signals, long runs, TrajectoryRecords& records) {
  RowVariables::Names known;
  for (const ResultColumns::Column& signal : signals) known.insert(signal.name);
  for (long run = 0; run < runs; ++run) {
    if (!records.has(run)) continue;
    for (const std::string& name : records.names(run))
      if (known.insert(name).second) signals.push_back({.name = name});
  }
}

}  // namespace

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
  if (!plan.model.is_plain()) add_signals_of_runs(signals, rows.runs(), records);
  write_through(directory / study_netcdf_name, [&](const std::filesystem::path& path) {
    Writer writer(path, plan, signals);
    for (long run = 0; run < rows.runs(); ++run)
      if ((!shard || shard->has(run)) && rows.has(run) && records.has(run))
        writer.add(csv_cells(rows.row(run)), records.read(run));
    writer.close();
  });
}

}  // namespace mti
