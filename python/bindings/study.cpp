#include "io/studies/study.hpp"

#include <pybind11/stl.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/interruptible.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/told_progress.hpp"

namespace py = pybind11;

namespace mti::python {
namespace {

/// A plan from its text, whose files are looked for in `directory`; without a text from the file `directory`.
StudyPlan plan_of(const std::optional<std::string>& text, const std::string& directory, bool confine) {
  const Reach reach = confine ? Reach::own_folder : Reach::anywhere;
  return text ? read_study_plan(*text, directory, reach) : read_study_plan_file(directory, reach);
}

/// Writes the results into a folder; returns what a handler of signals has raised meanwhile, or None.
py::object study(const std::optional<std::string>& text, const std::string& directory, bool confine,
                 const std::string& out, int jobs, bool resume, bool report,
                 const std::optional<std::pair<int, int>>& shard, std::optional<double> max_seconds,
                 const py::object& progress) {
  StudyOptions options;
  options.jobs = jobs;
  options.resume = resume;
  options.page = report ? StudyPage::written : StudyPage::left_out;
  if (shard) options.shard = StudyShard{shard->first, shard->second};
  options.max_seconds = max_seconds.value_or(std::numeric_limits<double>::infinity());
  ToldProgress told(progress);
  if (told.is_wanted()) options.progress = [&told](long done, long runs) { told(done, runs); };
  auto raised = interruptibly([&](const std::stop_token& stop_token) {
    const auto linked = told.ends_with(stop_token);
    options.stop_token = told.token();
    run_study(plan_of(text, directory, confine), out, options);
  });
  if (!raised) raised = told.raised();
  return raised ? py::object(raised->value()) : py::object(py::none());
}

void merge(const std::optional<std::string>& text, const std::string& directory, bool confine,
           const std::vector<std::string>& parts, const std::string& out) {
  const py::gil_scoped_release unlocked;
  merge_studies(plan_of(text, directory, confine), {parts.begin(), parts.end()}, out);
}

}  // namespace

void bind_study(py::module_& module) {
  module.def("study", study, py::arg("text"), py::kw_only(), py::arg("directory"), py::arg("confine"),
             py::arg("out"), py::arg("jobs"), py::arg("resume"), py::arg("report"), py::arg("shard"),
             py::arg("max_seconds"), py::arg("progress"));
  module.def("merge_study", merge, py::arg("text"), py::kw_only(), py::arg("directory"), py::arg("confine"),
             py::arg("parts"), py::arg("out"));
}

}  // namespace mti::python
