#include "mti/components/interconnect.hpp"

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/components/append.hpp"
#include "mti/components/connect.hpp"
#include "mti/components/rename.hpp"

namespace mti {
namespace {

Source side_by_side(const Source& first, const char* first_name, const Source& second,
                    const char* second_name) {
  Source system;
  system.experiment = first.experiment;
  ExperimentSource& experiment = system.experiment;
  const std::string prefix = std::string(first_name) + ".";
  for (Number* number : {&experiment.start, &experiment.stop, &experiment.rtol, &experiment.atol})
    *number = number_with_prefix(*number, prefix);
  if (experiment.output_interval)
    experiment.output_interval = number_with_prefix(*experiment.output_interval, prefix);
  if (first.sample_time) system.sample_time = number_with_prefix(*first.sample_time, prefix);
  if (const double one = sample_time_value(first), other = sample_time_value(second); one != other)
    throw InvalidModel("sample-time-mismatch", "/sample_time",
                       "found " + text::format_number(one) + " and " + text::format_number(other) +
                           ", expected the same (0: continuous time)");
  if (second.experiment.fixed_start) {
    const double one = start_time_value(first), other = start_time_value(second);
    if (one != other)
      throw InvalidModel("start-time-mismatch", "/experiment/start",
                         "found " + text::format_number(one) + ", expected the fixed start of " +
                             second_name + ", " + text::format_number(other));
    experiment.fixed_start = true;
  }
  append(system, first, first_name);
  append(system, second, second_name);
  return system;
}

/// An input of the system that is given like one of its components'.
void add_input_like(Source& system, const std::string& like, const std::string& name) {
  for (const InputSource& input : system.inputs)
    if (input.name == like) {
      InputSource copy = input;
      copy.name = name;
      system.inputs.push_back(std::move(copy));
      return;
    }
  system.inputs.push_back({.name = name});  // drive() says that there is no such input
}

void drive_all(Source& system, const std::vector<Drive>& drives) {
  std::vector<Fault> faults;
  for (const DriveFault& fault : drive(system, drives).faults)
    faults.push_back({fault.id, "", fault.message});
  if (!faults.empty()) throw InvalidModel(std::move(faults));
}

}  // namespace

Source series(const Source& first, const Source& second, const std::vector<Link>& links) {
  Source system = side_by_side(first, "first", second, "second");
  std::vector<Drive> drives;
  for (const Link& link : links)
    drives.push_back({"second." + link.to, "first." + link.from, "second." + link.to + ".source"});
  drive_all(system, drives);
  return system;
}

Source parallel(const Source& first, const Source& second, const std::vector<SharedSignal>& inputs,
                const std::vector<SharedSignal>& outputs) {
  Source system = side_by_side(first, "first", second, "second");
  std::vector<Drive> drives;
  for (const SharedSignal& input : inputs) {
    add_input_like(system, "first." + input.first, input.name);
    drives.push_back({"first." + input.first, input.name, "first." + input.first + ".source"});
    drives.push_back({"second." + input.second, input.name, "second." + input.second + ".source"});
  }
  drive_all(system, drives);
  for (const SharedSignal& output : outputs) {
    system.algebraic.push_back({.name = output.name});
    system.equations.emplace_back(output.name + ".sum",
                                  output.name + " = first." + output.first + " + second." + output.second);
  }
  return system;
}

Source feedback(const Source& forward, const Source& backward, const Link& forward_link,
                const Link& backward_link, const std::string& reference, double sign) {
  Source system = side_by_side(forward, "forward", backward, "backward");
  const std::string u = "forward." + backward_link.to, back = "backward." + forward_link.to;
  add_input_like(system, u, reference);
  drive_all(system, {{u, reference + " + (" + text::format_number(sign) + ")*backward." + backward_link.from,
                      u + ".source"},
                     {back, "forward." + forward_link.from, back + ".source"}});
  return system;
}

}  // namespace mti
