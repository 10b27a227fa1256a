#include "io/fitting/fit_plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "io/files/files.hpp"
#include "io/fitting/data_reader.hpp"
#include "io/fitting/plan_model.hpp"
#include "io/json/format_header.hpp"
#include "io/json/object_reader.hpp"
#include "io/plans/plan_values.hpp"
#include "io/plans/simulation_reader.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

class FitPlanReader {
 public:
  FitPlanReader(std::filesystem::path directory, Reach reach)
      : directory_(std::move(directory)), reach_(reach) {}

  FitPlan read(std::string_view json_text) {
    json::Document document = json::parse(json_text);
    faults_ = std::move(document.faults);
    json::ObjectReader plan(document.root, "", faults_);
    if (!plan.is_object()) throw_faults();
    if (!json::read_format(plan, "mti-fit", 1) || !faults_.empty()) throw_faults();
    result_.name = plan.string("name").value_or("");
    static_cast<void>(plan.string("description"));
    plan.require("model");
    std::optional<PlanModel> model;
    if (const json::Value* value = plan.find("model"))
      model.emplace(*value, directory_, reach_, result_.inputs, faults_);
    if (!faults_.empty()) throw_faults();
    const Overrides common = json::read_plan_values(plan);
    if (const json::Value* simulation = plan.find("simulation"))
      result_.problem.simulation = json::read_simulation(*simulation, "/simulation", faults_);
    read_parameters(plan);
    read_experiments(plan, *model, common);
    read_options(plan);
    plan.finish();
    if (!faults_.empty()) throw_faults();
    check(*model);
    return std::move(result_);
  }

 private:
  [[noreturn]] void throw_faults() { throw InvalidModel(std::move(faults_)); }

  void read_parameters(json::ObjectReader& plan) {
    plan.require("parameters");
    const json::Value* value = plan.find("parameters");
    if (value == nullptr) return;
    const json::ObjectReader members(*value, "/parameters", faults_);
    if (!members.is_object()) return;
    for (const json::Member& member : *value->object()) {
      json::ObjectReader one(member.value, members.pointer_to(member.key), faults_);
      if (!one.is_object()) continue;
      FitParameter parameter{.name = member.key};
      one.require("start");
      parameter.start = one.plain_number("start").value_or(0.0);
      parameter.lower = one.plain_number("lower").value_or(parameter.lower);
      parameter.upper = one.plain_number("upper").value_or(parameter.upper);
      parameter.quantity = one.string("quantity").value_or("");
      parameter.experiments = one.strings("experiments");
      one.finish();
      result_.problem.parameters.push_back(std::move(parameter));
    }
  }

  void read_experiments(json::ObjectReader& plan, const PlanModel& model, const Overrides& common) {
    json::DataReader data(directory_, reach_, result_.inputs, faults_);
    refuse_what_is_set_twice(plan, "", common, {});
    plan.require("experiments");
    plan.each_object("experiments", [&](json::ObjectReader& one) {
      FitExperiment& experiment = result_.problem.experiments.emplace_back();
      experiment.name = one.string("name").value_or("");
      experiment.start = one.plain_number("start");
      experiment.stop = one.plain_number("stop");
      experiment.signals = data.signals(one);
      experiment.events = data.events(one);
      Overrides values = common;
      const Overrides own = json::read_plan_values(one);
      values.insert(values.end(), own.begin(), own.end());
      const auto tables = data.tables(one);
      refuse_what_is_set_twice(one, experiment.name, own, tables);
      // Those of all experiments alone first: a fault has its place, and is told once.
      if (!own.empty() && !common.empty() && !model.source(common, "/set", faults_)) return;
      auto source = model.source(values, own.empty() ? "/set" : one.pointer_to("set"), faults_);
      if (!source) return;
      experiment.source = std::move(*source);
      experiment.settled = model.settling();
      for (const json::DataReader::InputTable& table : tables)
        put(table, experiment.source, json::pointer_to(one.pointer_to("inputs"), table.input));
    });
  }

  /// What is estimated, or has a table, is not what "set" of the same experiment says; nor is what is estimated in all of them
  /// what "set" of the plan says, which is the experiment without a name.
  void refuse_what_is_set_twice(json::ObjectReader& one, const std::string& experiment, const Overrides& own,
                                const std::vector<json::DataReader::InputTable>& tables) {
    for (const auto& [name, value] : own) {
      const std::string pointer = json::pointer_to(one.pointer_to("set"), name);
      for (const FitParameter& parameter : result_.problem.parameters) {
        if (!parameter.experiments.empty() && std::ranges::count(parameter.experiments, experiment) == 0)
          continue;
        const std::string& quantity = parameter.quantity.empty() ? parameter.name : parameter.quantity;
        if (quantity == name || quantity == "start(" + name + ")" || quantity == "input(" + name + ")")
          faults_.push_back({"bad-parameter", pointer, name + " is estimated here, as " + parameter.name});
      }
      if (std::ranges::count(tables, name, &json::DataReader::InputTable::input) > 0)
        faults_.push_back({"bad-data", pointer, "the input " + name + " has a table here"});
    }
  }

  /// The table of an input; how it is read stays as the model says.
  void put(const json::DataReader::InputTable& data, Source& source, const std::string& pointer) {
    const auto input = std::ranges::find(source.inputs, data.input, &InputSource::name);
    if (input == source.inputs.end()) {
      faults_.push_back({"unknown-override", pointer, "there is no input " + data.input});
      return;
    }
    const auto is_bit = [](double value) { return value == 0.0 || value == 1.0; };
    if (input->binary && !std::ranges::all_of(data.value, is_bit)) {
      faults_.push_back({"not-binary", pointer,
                         "expected 0 or 1 for a binary, found " +
                             text::format_number(*std::ranges::find_if_not(data.value, is_bit))});
      return;
    }
    TableSource table{.time = {data.time.begin(), data.time.end()},
                      .value = {data.value.begin(), data.value.end()}};
    if (const auto* own = std::get_if<TableSource>(&input->form)) {
      table.interpolation = own->interpolation;
      table.repeat = own->repeat;
      table.start = own->start;
    }
    input->form = std::move(table);
  }

  void read_options(json::ObjectReader& plan) {
    FitOptions& options = result_.options;
    if (const json::Value* loss = plan.find("loss")) read_loss(*loss);
    if (const auto starts = plan.index("starts")) options.starts = *starts;
    if (const auto seed = plan.index("seed")) options.seed = static_cast<std::uint64_t>(*seed);
    if (const auto iterations = plan.index("iterations")) options.most_iterations = *iterations;
    if (const auto confidence = plan.plain_number("confidence")) options.confidence = *confidence;
    if (const auto noise = plan.string("noise")) {
      options.noise_is_known = *noise == "known";
      if (*noise != "known" && *noise != "estimated")
        plan.fault("bad-option", "/noise",
                   "found " + json::in_quotes(*noise) + ", expected known or estimated");
    }
  }

  /// "squares", or {"huber": k}, {"soft_l1": k}, {"cauchy": k}.
  void read_loss(const json::Value& value) {
    static constexpr std::array<std::pair<std::string_view, Loss::Kind>, 3> kinds = {
        {{"huber", Loss::Kind::huber}, {"soft_l1", Loss::Kind::soft_l1}, {"cauchy", Loss::Kind::cauchy}}};
    if (value.string() != nullptr && *value.string() == "squares") return;
    const std::string expected = R"(expected "squares", or {"huber": k}, {"soft_l1": k} or {"cauchy": k})";
    if (value.object() == nullptr || value.object()->size() != 1) {
      faults_.push_back({"bad-option", "/loss", "found " + json::describe(value) + ", " + expected});
      return;
    }
    json::ObjectReader loss(value, "/loss", faults_);
    for (const auto& [word, kind] : kinds)
      if (loss.has(word)) result_.options.loss = {kind, loss.plain_number(word).value_or(1.0)};
    loss.finish();
  }

  /// Names are in the model, data and bounds make sense.
  void check(const PlanModel& model) {
    for (Fault& fault : result_.options.validate(result_.problem)) {
      // Of the form "starts: expected …".
      const std::string member = fault.message.substr(0, fault.message.find(':'));
      fault.pointer = "/" + (member == "most_iterations" ? "iterations" : member);
      faults_.push_back(std::move(fault));
    }
    std::vector<Fault> of_model;
    for (Fault& fault : result_.problem.validate()) {
      const std::size_t number = std::string_view("/experiments/").size();
      const std::size_t place = fault.pointer.find("/model", std::min(number, fault.pointer.size()));
      if (!fault.pointer.starts_with("/experiments/") || place == std::string::npos ||
          place != fault.pointer.find('/', number)) {
        faults_.push_back(std::move(fault));
        continue;
      }
      fault.pointer.erase(0, place + std::string_view("/model").size());
      of_model.push_back(std::move(fault));
    }
    model.add_faults(of_model, faults_);
    if (!faults_.empty()) throw_faults();
  }

  std::filesystem::path directory_;
  Reach reach_;
  std::vector<Fault> faults_;
  FitPlan result_;
};

}  // namespace

FitPlan read_fit_plan(std::string_view json_text, const std::filesystem::path& directory, Reach reach) {
  return FitPlanReader(directory, reach).read(json_text);
}

FitPlan read_fit_plan_file(const std::filesystem::path& path, Reach reach) {
  FitPlan plan =
      read_fit_plan(read_file(path), path == "-" ? std::filesystem::path() : path.parent_path(), reach);
  plan.inputs.add(path);
  return plan;
}

}  // namespace mti
