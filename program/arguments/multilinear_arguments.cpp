#include "program/arguments/multilinear_arguments.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>

#include "program/arguments/setting_arguments.hpp"

namespace mti {
namespace {

/// NAME=LOW:HIGH
SignalRange parse_range(const std::string& text) {
  const std::size_t colon = text.rfind(':'), equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && colon != std::string::npos && colon > equals) {
    const double low = number_in(text.substr(equals + 1, colon - equals - 1));
    const double high = number_in(text.substr(colon + 1));
    if (std::isfinite(low) && std::isfinite(high)) return {text.substr(0, equals), {low, high}};
  }
  throw CLI::ValidationError("--range", "found \"" + text + "\", expected NAME=LOW:HIGH with two numbers");
}

}  // namespace

void add_multilinear(CLI::App& command, ConvertArguments& arguments) {
  using Multilinear = ConvertArguments::Multilinear;
  static const std::map<std::string, Multilinear> ways = {{"exact", Multilinear::exact},
                                                          {"approximate", Multilinear::approximate}};
  command
      .add_option_function<std::string>(
          "--multilinear", [&arguments](const std::string& way) { arguments.multilinear = ways.at(way); },
          "Write functions of signals as multilinear equations: exact, with auxiliary states, or "
          "approximate, "
          "with lines between break points")
      ->check(CLI::IsMember(ways));
  command
      .add_option("--tolerance", arguments.interpolation.tolerance,
                  "With --multilinear approximate: largest error of each function (default: 0.001)")
      ->check(check_positive)
      ->type_name("ERROR");
  command
      .add_option_function<std::vector<std::string>>(
          "--range",
          [&arguments](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) arguments.interpolation.ranges.push_back(parse_range(text));
          },
          "With --multilinear approximate: the values of a signal; may be repeated")
      ->type_name("NAME=LOW:HIGH")
      ->allow_extra_args(false);
}

void require_approximate(const CLI::App& app, const ConvertArguments& arguments) {
  if (arguments.multilinear == ConvertArguments::Multilinear::approximate || !app.got_subcommand("convert"))
    return;
  for (const char* option : {"--tolerance", "--range"})
    if (app.get_subcommand("convert")->count(option) > 0)
      throw CLI::RequiresError(option, "--multilinear approximate");
}

}  // namespace mti
