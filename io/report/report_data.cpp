#include "io/report/report_data.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/json/writer.hpp"
#include "io/report/report_date.hpp"
#include "io/report/report_matrices.hpp"
#include "io/report/report_modes.hpp"
#include "io/report/report_text.hpp"
#include "io/runs/write_summary.hpp"
#include "mti/common/at.hpp"
#include "mti/printing/readable.hpp"
#include "solvers/structure/incidence.hpp"
#include "solvers/structure/mode_structure.hpp"

namespace mti {
namespace {

using Json = nlohmann::ordered_json;

template <typename Name>
Json names_of(const std::vector<int>& indices, const Name& name) {
  Json names = Json::array();
  for (const int index : indices) names.push_back(name(index));
  return names;
}

/// Rows and unknowns in the order of the sub-problems; what belongs to none of them stands at the end.
Json structure_to_json(const Model& model, const Structure& structure) {
  const auto& signature = model.signature;
  std::vector<std::pair<bool, int>> rows;  // (is a constraint, index)
  std::vector<int> unknowns;
  Json blocks = Json::array();
  for (std::size_t s = 0; s < structure.sub_sets.size(); ++s) {
    for (const auto& problem : structure.sub_sets[s].sub_problems) {
      for (const int j : problem.equations) rows.emplace_back(false, j);
      for (const int l : problem.constraints) rows.emplace_back(true, l);
      unknowns.insert(unknowns.end(), problem.unknowns.begin(), problem.unknowns.end());
      blocks.push_back({{"sub_set", s},
                        {"rows", problem.equations.size() + problem.constraints.size()},
                        {"unknowns", problem.unknowns.size()},
                        {"binaries", problem.binaries}});
    }
  }
  std::vector<char> has_equation(at(model.equations())), has_constraint(at(model.constraints()));
  for (const auto& [is_constraint, index] : rows) {
    (is_constraint ? has_constraint : has_equation)[at(index)] = 1;
  }
  for (int j = 0; j < model.equations(); ++j) {
    if (!has_equation[at(j)]) rows.emplace_back(false, j);
  }
  for (int l = 0; l < model.constraints(); ++l) {
    if (!has_constraint[at(l)]) rows.emplace_back(true, l);
  }

  std::vector<int> equations, constraints;
  for (const auto& [is_constraint, index] : rows) (is_constraint ? constraints : equations).push_back(index);
  const Indexed<PatternColumn, SignalRow> signals = pattern_columns({unknowns});
  const Incidence of_f = incidence(model.S, model.Phi_eq, equations, signals);
  const Incidence of_g = incidence(model.S, model.Phi_ineq, constraints, signals);

  Json row_list = Json::array(), unknown_list = Json::array();
  PatternRow next_equation(0), next_constraint(0);
  for (const auto& [is_constraint, index] : rows) {
    PatternRow& next = is_constraint ? next_constraint : next_equation;
    const auto columns = (is_constraint ? of_g : of_f).row(next);
    ++next;
    const auto& names = is_constraint ? model.constraint_names : model.equation_names;
    row_list.push_back({{"name", names[at(index)]},
                        {"kind", is_constraint ? "constraint" : "equation"},
                        {"unknowns", values(columns)}});
  }
  const auto row_name = [&](int row) { return signature.row_name(row); };
  const auto equation_name = [&](int j) { return model.equation_names[at(j)]; };
  for (const int unknown : unknowns) unknown_list.push_back({{"name", signature.row_name(unknown)}});
  return {{"rows", std::move(row_list)},
          {"unknowns", std::move(unknown_list)},
          {"blocks", std::move(blocks)},
          {"undetermined", names_of(structure.unmatched_unknowns, row_name)},
          {"left_over", names_of(structure.unmatched_equations, equation_name)},
          {"combinations_all", structure.combinations_all},
          {"combinations_reduced", structure.combinations_reduced}};
}

Json mode_structure_to_json(const Model& model, const ModeStructure& structure) {
  Json differentiated = Json::array();
  for (std::size_t i = 0; i < structure.c.size(); ++i)
    if (structure.c[i] > 0)
      differentiated.push_back(
          Json::array({model.equation_names[at(structure.equations[i])], structure.c[i]}));
  std::size_t largest = 0;
  for (const ModePart& block : structure.blocks) largest = std::max(largest, block.equations.size());
  return {{"singular", structure.singular},
          {"index", structure.index},
          {"differentiation_index", structure.index + (structure.differentiation_index_is_one_more ? 1 : 0)},
          {"degrees_of_freedom", structure.degrees_of_freedom},
          {"differentiated", std::move(differentiated)},
          {"blocks", structure.blocks.size()},
          {"largest_block", largest}};
}

/// The structure of each mode that the run entered; of large models of the first modes only.
Json modes_to_json(const Model& model, const Trajectory& trajectory) {
  constexpr std::size_t rows_of_a_page = 2'000'000;
  const Signature& signature = model.signature;
  Json names = Json::array(), list = Json::array();
  for (const Signal& binary : signature.binaries()) names.push_back(binary.name);
  for (const Signal& input : signature.inputs())
    if (input.binary) names.push_back(input.name);
  const std::size_t room = std::max<std::size_t>(1, rows_of_a_page / at(signature.size() + 1));
  for (const auto& [time, mode] :
       std::span(trajectory.modes).first(std::min(room, trajectory.modes.size()))) {
    std::vector<int> values(mode.z.begin(), mode.z.end());
    values.insert(values.end(), mode.binary_inputs.begin(), mode.binary_inputs.end());
    Json sliding = Json::array();
    for (const Slide& slide : mode.slides) sliding.push_back(model.constraint_names[at(slide.constraint)]);
    Json entry = {{"time", time}, {"values", std::move(values)}, {"sliding", std::move(sliding)}};
    if (mode.slides.empty()) entry["structure"] = mode_structure_to_json(model, analyze_mode(model, mode));
    list.push_back(std::move(entry));
  }
  const std::size_t entered = std::max(trajectory.modes.size(), at(trajectory.statistics.modes_visited));
  return {{"names", std::move(names)}, {"left_out", entered - list.size()}, {"list", std::move(list)}};
}

Json model_to_json(const Model& model) {
  return {{"name", model.name},
          {"description", model.description},
          {"sizes",
           {{"states", model.signature.n()},
            {"inputs", model.signature.m()},
            {"algebraic signals", model.signature.p()},
            {"binaries", model.signature.q()},
            {"equations", model.equations()},
            {"constraints", model.constraints()},
            {"columns of S", model.columns()},
            {"non-zeros of S", model.S.nonZeros()},
            {"non-zeros of Φ", model.Phi_eq.nonZeros() + model.Phi_ineq.nonZeros()}}}};
}

/// Where the page comes from: version, date and, where the model has an input that is the time, its unit.
Json origin_to_json(const Model& model) {
  Json origin = {{"version", MTI_VERSION}, {"date", report_date()}, {"discrete", model.is_discrete()}};
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    if (std::holds_alternative<ClockInput>(model.inputs[i].form()))
      origin["time_unit"] = model.signature.inputs()[i].unit;
  return origin;
}

/// The model as `mti print` writes it; of a large one a sentence that says where it is.
Json equations_to_json(const Model& model) {
  constexpr Eigen::Index most_terms = 20'000;
  const Eigen::Index terms = model.Phi_eq.nonZeros() + model.Phi_ineq.nonZeros();
  if (terms > most_terms)
    return {{"left_out", "The equations have " + std::to_string(terms) +
                             " terms, too many for this page: mti print MODEL writes them."}};
  constexpr std::size_t width = 88;
  return {{"text", print_text(model, {.width = width})}};
}

Json parameters_to_json(const std::vector<ReportedParameter>& parameters) {
  Json list = Json::array();
  for (const auto& [name, value] : parameters) list.push_back(Json::array({name, value}));
  return list;
}

/// The object without its closing brace, with a comma instead: more members follow.
std::string opened(Json document, const Model& model, const ReportContext& context) {
  std::string text;
  document["origin"] = origin_to_json(model);
  document["equations"] = equations_to_json(model);
  document["parameters"] = parameters_to_json(context.parameters);
  const auto dumped = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  append_for_script(text, dumped(document));
  text.back() = ',';
  text += "\"matrices\":";
  append_for_script(text, report_matrices(model));
  text += ',';
  if (context.analysis || !context.left_out.empty()) {
    text += "\"all_modes\":";
    append_for_script(text, context.analysis ? report_modes(model, *context.analysis)
                                             : dumped({{"left_out", context.left_out}}));
    text += ',';
  }
  return text;
}

/// What summary.json holds, but for explanations, as a member of the object.
std::string summary_member(const Model& model, const Trajectory& trajectory,
                           const SimulationOptions& options) {
  json::Writer summary(json::in_line);
  write_summary(summary, model, trajectory, options, WithExplanation::no);
  std::string text = "\"summary\":";
  append_for_script(text, std::move(summary).finish());
  return text + ',';
}

}  // namespace

std::string structure_report_data(const Model& model, const Structure& structure,
                                  const ReportContext& context) {
  const Json document = {{"model", model_to_json(model)},
                         {"columns", Json::array()},
                         {"columns_left_out", 0},
                         {"events", Json::array()},
                         {"structure", structure_to_json(model, structure)},
                         {"modes", {{"names", Json::array()}, {"left_out", 0}, {"list", Json::array()}}}};
  return opened(document, model, context) + R"("time":[],"side":[],"values":[]})";
}

std::string report_data(const Model& model, const ReportRun& run, const Trajectory& trajectory,
                        const Structure& structure, const SimulationOptions& options,
                        const ReportContext& context) {
  const auto [shown, thinned, left_out] = run.columns();
  Json columns = Json::array();
  for (const ReportColumn& column : shown)
    columns.push_back({{"name", column.name}, {"unit", column.unit}, {"group", column.group}});
  const Json document = {{"model", model_to_json(model)},
                         {"columns", std::move(columns)},
                         {"columns_left_out", left_out},
                         {"columns_thinned", thinned},
                         {"structure", structure_to_json(model, structure)},
                         {"modes", modes_to_json(model, trajectory)}};
  // The object goes on with the rows, which are many and written without a document.
  return opened(document, model, context) + summary_member(model, trajectory, options) + run.members() + '}';
}

std::string report_data(const Model& model, const Trajectory& trajectory, const Structure& structure,
                        const SimulationOptions& options, const ReportContext& context) {
  const ResolvedOptions resolved = resolve(model, options);
  ReportRun run(model, trajectory, resolved.start, resolved.stop);
  run.add(trajectory);
  return report_data(model, run, trajectory, structure, options, context);
}

}  // namespace mti
