#include <sstream>

#include "io/files/files.hpp"
#include "io/report/report_comparison.hpp"
#include "program/commands/commands.hpp"

namespace mti {

ExitStatus run(const ReportArguments& arguments) {
  InputFiles inputs;
  const auto first = read_result_folder(arguments.first, &inputs);
  const auto second = read_result_folder(arguments.second, &inputs);
  inputs.keep_from(arguments.out);
  std::ostringstream page;
  write_comparison(page, first, second);
  write_file(arguments.out, page.view());
  return ExitStatus::done;
}

}  // namespace mti
