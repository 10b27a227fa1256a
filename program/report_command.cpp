#include <sstream>

#include "io/files/files.hpp"
#include "io/report/report_comparison.hpp"
#include "program/commands.hpp"

namespace mti {

ExitStatus run(const ReportArguments& arguments) {
  std::ostringstream page;
  write_comparison(page, read_result_folder(arguments.first), read_result_folder(arguments.second));
  write_file(arguments.out, page.view());
  return ExitStatus::done;
}

}  // namespace mti
