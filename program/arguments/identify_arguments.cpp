#include "program/arguments/identify_arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "program/arguments/arguments.hpp"

namespace mti {
namespace {

/// Whole numbers with one character between them; nothing if the text is another one.
std::optional<std::vector<int>> whole_numbers(std::string_view text, char between) {
  std::vector<int> numbers;
  const char* place = text.data();
  const char* const end = place + text.size();
  while (true) {
    const auto [rest, error] = std::from_chars(place, end, numbers.emplace_back());
    if (error != std::errc() || numbers.back() < 0) return std::nullopt;
    if (rest == end) return numbers;
    if (*rest != between) return std::nullopt;
    place = rest + 1;
  }
}

/// "6", "2,4" or "1:6".
std::vector<int> parse_ranks(const std::string& text) {
  constexpr int highest = 100;
  auto ranks = whole_numbers(text, ',');
  if (const auto bounds = whole_numbers(text, ':');
      bounds && bounds->size() == 2 && bounds->back() <= highest && bounds->front() <= bounds->back()) {
    ranks.emplace();
    for (int rank = bounds->front(); rank <= bounds->back(); ++rank) ranks->push_back(rank);
  }
  if (!ranks || ranks->front() < 1 || ranks->back() > highest ||
      std::ranges::adjacent_find(*ranks, std::ranges::greater_equal()) != ranks->end())
    throw CLI::ValidationError(
        "--rank", "found \"" + text + "\", expected ascending ranks from 1 to 100: 4, 2,4,6 or 1:6");
  return *ranks;
}

LocalPolynomial parse_polynomial(const std::string& text) {
  const auto numbers = whole_numbers(text, ':');
  if (!numbers || numbers->size() != 2)
    throw CLI::ValidationError("--polynomial", "found \"" + text + "\", expected DEGREE:SAMPLES");
  return {numbers->front(), numbers->back()};
}

void add_columns(CLI::App& command, ExperimentColumns& columns) {
  const auto add = [&command](const char* name, std::vector<std::string>& names, const char* text) {
    return command.add_option(name, names, text)->delimiter(',')->type_name("NAMES")->allow_extra_args(false);
  };
  add("--states", columns.states, "Columns that are the states x")->required();
  add("--inputs", columns.inputs, "Columns that are the inputs u");
  add("--targets", columns.targets,
      "Columns with der(x) or next(x) as measured, one for each state (default: from the states)");
  add("--modes", columns.modes,
      "Columns whose values name the mode of a sample; F is another one in each mode");
}

}  // namespace

void add_identify(CLI::App& app, IdentifyArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "identify",
      "Find a multilinear model of low rank, der(x) = F(x, u) or next(x) = F(x, u), from measured data");
  command
      .add_option("DATA", arguments.files, "csv files, one for each experiment; the first column is the time")
      ->required()
      ->type_name("FILE");
  add_columns(command, arguments.columns);
  IdentificationOptions& options = arguments.options;
  command
      .add_option_function<std::string>(
          "--rank", [&options](const std::string& text) { options.ranks = parse_ranks(text); },
          "CP rank of F: 4, or 1:6 or 2,4,6 of which cross-validation chooses one (default: 1:6)")
      ->type_name("RANKS");
  CLI::Option* discrete =
      command.add_flag("--discrete", options.discrete, "next(x) = F(x, u), in discrete time");
  command
      .add_flag_callback(
          "--explicit", [&options] { options.discrete = false; },
          "der(x) = F(x, u), in continuous time (default)")
      ->excludes(discrete);
  command.add_flag_callback(
      "--nonnegative", [&options] { options.signs = Signs::nonnegative; },
      "Entries of S and Phi are not negative");
  command
      .add_option_function<std::string>(
          "--polynomial",
          [&options](const std::string& text) { options.polynomial = parse_polynomial(text); },
          "der(x) is the slope of polynomials of this degree over so many samples (default: chosen)")
      ->type_name("DEGREE:SAMPLES");
  command.add_option("--seed", options.seed, "Chooses starts and folds (default: 1)")->type_name("NUMBER");
  command.add_option("--starts", options.starts, "Starts for each rank at most (default: 300)")
      ->type_name("COUNT");
  command.add_option("--folds", options.folds, "Parts of the cross-validation, 0: none (default: 5)")
      ->type_name("COUNT");
  command.add_option("--max-seconds", options.max_seconds, "Give up after so many seconds")
      ->type_name("SECONDS");
  command
      .add_option("-o,--out", arguments.out,
                  "The model file (default: identified.json; - for standard output)")
      ->type_name("FILE");
  command.add_flag("--json", arguments.json, "Print what was found as JSON");
  command.add_flag("--quiet", arguments.quiet, "Print errors only");
}

}  // namespace mti
