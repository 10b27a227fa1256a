#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "mti/components/composition.hpp"
#include "mti/model/model.hpp"
#include "mti/source/overrides.hpp"
#include "mti/source/source.hpp"
#include "solvers/sampling/distribution.hpp"
#include "solvers/sampling/unit_design.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/named_events.hpp"

namespace mti {

/// What differs from run to run: a parameter, a constant input or a start value, or the table of an input.
///
/// Either levels (numbers or tables), or a distribution.
struct StudyFactor {
  std::string name;
  std::vector<double> values = {};
  std::vector<std::string> files = {};   ///< as the plan names them
  std::vector<TableSource> tables = {};  ///< what is in them
  std::optional<Distribution> distribution = {};

  [[nodiscard]] std::size_t levels() const { return tables.empty() ? values.size() : tables.size(); }
};

/// How the values of the factors are combined.
enum class StudyDesign {
  grid,  ///< every level with every other; the last factor changes fastest
  list,  ///< run i has level i of each factor; the lines of a csv plan
  random,
  latin_hypercube,
  sobol,
  saltelli,  ///< blocks of d + 2 runs that tell first-order and total effects of d factors (solvers/sampling/total_effects.hpp)
};
[[nodiscard]] std::string_view to_string(StudyDesign design);  ///< as in a plan

/// A number that is kept of each run; its name is that of its column.
struct KeptQuantity {
  enum class Kind {
    final_value,  ///< v(end), after what happens there
    minimum,      ///< over the run, both sides of jumps among it
    maximum,
    integral,  ///< ∫ v dt from start to stop; Σ v_k·Ts over the samples before the stop in discrete time
    average,   ///< that, divided by stop − start
    value_at,  ///< v(time), after what happens there
    event_count,
    event_time,  ///< of the `number`-th such event
  };
  using Event = EventWord;
  Kind kind = Kind::final_value;
  std::string name = {};
  std::string signal = {};  ///< or what the event is about
  double time = 0.0;
  Event event = Event::reach;
  int number = 1;
};

/// A study: one model, what varies, what is kept of each run (docs/studies.md).
struct StudyPlan {
  std::string name;
  Composition model;
  Overrides common;  ///< values that hold for all runs
  StudyDesign design = StudyDesign::list;
  long runs = 0;
  std::uint64_t seed = 1;
  std::vector<StudyFactor> factors;
  SimulationOptions simulation;
  std::vector<KeptQuantity> kept;
  std::vector<std::string> trajectories = {};  ///< signals of which all rows are kept, with * and ?
  std::vector<double> quantiles;
  std::string fingerprint;  ///< of all that decides about the results
  InputFiles inputs = {};   ///< the plan, its model and all tables
};

/// Reads the text of a plan, format "mti-study", version 1, with its model and its csv files, and builds the model of
/// the plan without variations to see that all names are there. Paths are relative to `directory`.
/// Errors: InvalidModel with every fault that could be found; those of the model with the model's file.
[[nodiscard]] StudyPlan read_study_plan(std::string_view json_text,
                                        const std::filesystem::path& directory = {},
                                        Reach reach = Reach::anywhere);
/// The same from a file; "-" is standard input.
[[nodiscard]] StudyPlan read_study_plan_file(const std::filesystem::path& path,
                                             Reach reach = Reach::anywhere);

}  // namespace mti
