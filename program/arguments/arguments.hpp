#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fmi/packaging/export_fmu.hpp"
#include "io/files/reach.hpp"
#include "io/identification/read_experiments.hpp"
#include "io/results/write_results.hpp"
#include "io/studies/study.hpp"
#include "mti/lifting/interpolate_functions.hpp"
#include "mti/transform/discretise.hpp"
#include "program/arguments/command_tree.hpp"
#include "program/console/exit_status.hpp"
#include "solvers/orbits/orbit.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {

/// NAME=VALUE as given with --set.
using Settings = std::vector<std::pair<std::string, double>>;

struct SimulateArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  SimulationOptions options = {};
  Settings settings = {};
  std::optional<std::string> scenario = {};       ///< with which the run begins
  std::optional<std::string> sensitivities = {};  ///< "p1,p2,start(x)"
  std::string directory = "out";
  bool report = true;
  bool mat = false;  ///< also results.mat
  ResultSelection selection = {};
  std::string output_times = {};  ///< file
  bool quiet = false;
  std::optional<std::string> checkpoint = {};  ///< a file that is written on the way
  double every = 60.0;                         ///< seconds from one to the next
};

struct ResumeArguments {
  /// `model` is the checkpoint; results do not take the place of what the run has written before.
  SimulateArguments run = {.model = {}, .directory = "resumed"};
};

struct CheckArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  double max_seconds = std::numeric_limits<double>::infinity();
  bool json = false;
};

struct AnalyzeArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  double max_seconds = std::numeric_limits<double>::infinity();
  std::optional<std::string> mode = {};  ///< "z1=1,z2=0"
  bool all_modes = false;
  std::optional<std::string> before = {}, after = {};  ///< formulas of the mode changes asked for
  std::optional<std::string> directory = {};           ///< of report.html
  bool json = false;
};

struct LinearizeArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  double max_seconds = std::numeric_limits<double>::infinity();
  std::vector<double> times = {};        ///< default: the start
  bool events = false;                   ///< both sides of every event
  std::optional<std::string> mode = {};  ///< "z1=1,z2=0", in place of the mode of the run
  bool as_given = false;                 ///< with `mode`: nothing is solved for
  std::optional<int> count = {};         ///< eigenvalues nearest to `near`; 0: none
  std::string near = "0";                ///< "-1+2i"
  bool participation = false;
  bool state_space = false;
  std::optional<std::string> directory = {};
  Settings settings = {};
  bool json = false;
};

struct EquilibriumArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  double max_seconds = std::numeric_limits<double>::infinity();
  std::optional<double> time = {};       ///< at which inputs stand still; default: the start
  std::optional<std::string> mode = {};  ///< "z1=1,z2=0"
  bool all = false;                      ///< one in each mode
  Settings settings = {};
  bool json = false;
};

struct ConvertArguments {
  enum class Form { equations, matrices };
  enum class Multilinear { exact, approximate };
  std::string in, out;
  Reach reach = Reach::anywhere;
  std::optional<Form> form = {};  ///< default: the other one than the file has; changed: the same
  bool force = false;             ///< also over the file that is read
  bool reduce = false, scale = false;
  bool reduced_index = false;                   ///< one structure of index 0 in all modes
  std::vector<std::string> keep = {};           ///< signals that a reduction leaves
  int most_new_columns = 0;                     ///< by one substitution of a reduction
  std::optional<Multilinear> multilinear = {};  ///< functions of signals become multilinear equations
  InterpolationOptions interpolation = {};      ///< of `approximate`
  std::optional<double> rank_tolerance = {};
  std::optional<double> sample_time = {};  ///< make a continuous model discrete
  bool continuous = false;                 ///< make a discrete model continuous
  std::optional<DifferenceMethod> method = {};
};

struct PrintArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  bool latex = false;
  bool modelica = false;
  bool reduced_index = false;  ///< of `modelica`
  bool expanded = false;
  int digits = 12;
  int width = 100;
};

struct ReportArguments {
  std::string first, second;  ///< folders of results
  std::string out;            ///< the page
};

struct ExportArguments {
  std::string in, out;
  Reach reach = Reach::anywhere;
  fmi::ExportOptions options = {};
  std::vector<std::string> interfaces = {"cs"};
};

struct CompletionArguments {
  std::string shell;  ///< bash, zsh or fish
  CommandTree tree = {};
};

struct ManualArguments {
  std::string directory;
  bool markdown = false;
  CommandTree tree = {};
};

struct StudyArguments {
  std::string plan;
  Reach reach = Reach::anywhere;
  StudyOptions options = {};
  std::string directory = "out";
  std::vector<std::string> parts = {};  ///< folders to be merged
  bool quiet = false;
};

struct IdentifyArguments {
  std::vector<std::string> files = {};
  ExperimentColumns columns = {};
  IdentificationOptions options = {.ranks = {1, 2, 3, 4, 5, 6}};
  std::string out = "identified.json";
  bool json = false, quiet = false;
};

struct FitArguments {
  std::string plan;
  Reach reach = Reach::anywhere;
  std::optional<int> starts = {}, iterations = {};  ///< in place of what the plan says
  std::optional<std::uint64_t> seed = {};
  double max_seconds = std::numeric_limits<double>::infinity();
  std::string directory = "out";
  bool json = false, quiet = false;
};

/// A parameter that varies from a value to another.
struct FollowedParameter {
  std::string name;
  double from = 0.0, to = 0.0;
};

struct OrbitArguments {
  std::string model;
  Reach reach = Reach::anywhere;
  OrbitOptions options = {};
  Settings settings = {};
  std::optional<FollowedParameter> follow = {};
  int steps = 40;
  std::string directory = "out";
  bool json = false;
};

using Arguments = std::variant<StudyArguments, FitArguments, IdentifyArguments, OrbitArguments,
                               SimulateArguments, ResumeArguments, CheckArguments, AnalyzeArguments,
                               LinearizeArguments, ConvertArguments, ExportArguments, PrintArguments,
                               ReportArguments, CompletionArguments, ManualArguments, EquilibriumArguments>;

/// What the command line asks for; an exit status where nothing is left to do (help, version, wrong usage:
/// the text is printed then).
[[nodiscard]] std::variant<Arguments, ExitStatus> parse_arguments(int argc, char** argv);

}  // namespace mti
