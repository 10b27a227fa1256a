#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/analysis/write_analysis.hpp"
#include "io/json/writer.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"
#include "mti/model/differentiate.hpp"
#include "mti/model/freeze.hpp"
#include "mti/printing/print.hpp"
#include "solvers/mode/recombination_text.hpp"

namespace mti {
namespace {

using json::in_line;
using json::write_names;
using json::Writer;

/// Names and values of the binaries and binary inputs that make the mode.
std::vector<std::pair<std::string, int>> values_of(const Model& model, const Mode& mode) {
  std::vector<std::pair<std::string, int>> values;
  for (std::size_t i = 0; i < mode.z.size(); ++i)
    values.emplace_back(model.signature.binaries()[i].name, mode.z[i]);
  std::size_t b = 0;
  for (const Signal& input : model.signature.inputs())
    if (input.binary) values.emplace_back(input.name, mode.binary_inputs[b++]);
  return values;
}

/// Texts of the invariants that exclude the mode.
std::vector<std::string> broken_invariants(const Model& model, const Mode& mode) {
  const Signature& signature = model.signature;
  const auto value_of = [&](int row) {
    if (row >= signature.binary_row(0)) return mode.z[at(row - signature.binary_row(0))] != 0;
    const auto first = signature.inputs().begin();
    const auto before = std::count_if(first, first + (row - signature.input_row(0)),
                                      [](const Signal& input) { return input.binary; });
    return mode.binary_inputs[at(before)] != 0;
  };
  std::vector<std::string> texts;
  for (const BooleanFormula& invariant : model.invariants)
    if (!invariant.evaluate(value_of)) texts.push_back(invariant.text);
  return texts;
}

std::vector<std::string> equation_names(const Model& model, const ModePart& part) {
  std::vector<std::string> names;
  for (const int row : part.equations) names.push_back(model.equation_names[at(row)]);
  return names;
}

std::vector<std::string> row_names(const Model& model, const std::vector<int>& rows) {
  std::vector<std::string> names;
  for (const int row : rows) names.push_back(model.signature.row_name(row));
  return names;
}

std::vector<std::string> signal_names(const Model& model, const ModePart& part) {
  return row_names(model, part.signals);
}

void write_part(Writer& out, const Model& model, const ModePart& part) {
  out.begin_object(in_line);
  write_names(out, "equations", equation_names(model, part));
  write_names(out, "signals", signal_names(model, part));
  out.end_object();
}

void write_offsets(Writer& out, const Model& model, const ModeStructure& structure) {
  out.begin_object();
  out.key("equations").begin_object(in_line);
  for (std::size_t i = 0; i < structure.c.size(); ++i)
    out.member(model.equation_names[at(structure.equations[i])], structure.c[i]);
  out.end_object();
  out.key("signals").begin_object(in_line);
  for (std::size_t j = 0; j < structure.d.size(); ++j)
    out.member(model.signature.row_name(structure.signals[j]), structure.d[j]);
  out.end_object().end_object();
}

std::string listed_or_nothing(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : joined(names);
}

std::string part_text(const Model& model, const ModePart& part) {
  return listed_or_nothing(signal_names(model, part)) + " from " +
         listed_or_nothing(equation_names(model, part)) + "\n";
}

/// What differentiation makes of an equation of a frozen map, one line for each derivative, as far as it can
/// be read.
std::string derivatives_text(const CpMap& f, const Signature& signature, int equation, int times) {
  constexpr int most_derivatives = 3, most_columns = 60;
  constexpr const char* indent = "    ";
  std::string text;
  for (const FunctionColumn& function : f.functions())
    if (f.Phi().coeff(equation, function.column) != 0.0)
      return indent + row_to_text(f, equation, signature) + " = 0, by its Taylor coefficients\n";
  DifferentiatedMap map = differentiate(f, std::vector{equation}, signature, 0);
  for (int k = 1; k <= times; ++k) {
    if (k > most_derivatives) return text + indent + "…\n";
    map = differentiate(map);
    if (map.map.columns() > most_columns)
      return text + indent + "… (" + std::to_string(map.map.columns()) + " terms)\n";
    text += indent + row_to_text(map, 0, signature) + " = 0\n";
  }
  return text;
}

/// The latent equations, those whose offset is not 0.
std::string latent_text(const Model& model, const Mode& mode, const ModeStructure& structure) {
  constexpr int most_shown = 20;
  if (structure.index == 0) return {};
  const CpMap f = freeze(model, mode).f;
  std::string text;
  int shown = 0;
  for (std::size_t i = 0; i < structure.c.size(); ++i) {
    const int equation = structure.equations[i], times = structure.c[i];
    if (times == 0) continue;
    const bool in_full = shown++ < most_shown && !model.is_discrete();
    text += "  " + model.equation_names[at(equation)] +
            (model.is_discrete() ? " is needed at later samples, shifted " : " is differentiated ") +
            (times == 1 ? "once" : std::to_string(times) + " times") + (in_full ? ":\n" : "\n");
    if (in_full) text += derivatives_text(f, model.signature, equation, times);
  }
  return text;
}

/// The signals of a block as the derivatives that the leading system gives.
std::string leading_signals(const Model& model, const ModeStructure& structure, const ModePart& block) {
  std::vector<std::string> names;
  for (const int row : block.signals) {
    const auto found = std::ranges::find(structure.signals, row);
    const auto j = at(found - structure.signals.begin());
    names.push_back(derivative_name(model.signature, row, structure.d[j]));
  }
  return listed_or_nothing(names);
}

void write_rank(Writer& out, const Model& model, const std::optional<SystemJacobianRank>& rank) {
  if (!rank) {
    out.null();
    return;
  }
  out.begin_object(in_line);
  out.member("size", rank->size);
  if (rank->rank_is_bound)
    out.key("rank").null();
  else
    out.member("rank", rank->rank);
  out.member("point", rank->consistent ? "motion" : "start");
  write_names(out, "equations", equation_names(model, rank->null_vectors));
  write_names(out, "signals", signal_names(model, rank->null_vectors));
  out.end_object();
}

/// How the rows of a mode that is singular as it stands are put together anew.
std::vector<std::string> lines_of_recombination(const Model& model, const Mode& mode,
                                                const ModeStructure& structure,
                                                const std::optional<SystemJacobianRank>& rank) {
  if (!structure.singular && (!rank || rank->full())) return {};
  return recombination_lines(model, mode);
}

std::string recombination_text(const Model& model, const Mode& mode, const ModeStructure& structure,
                               const std::optional<SystemJacobianRank>& rank) {
  std::string text;
  for (const std::string& line : lines_of_recombination(model, mode, structure, rank))
    text += (text.empty() ? "recombined for simulation:\n  " : "  ") + line + "\n";
  return text;
}

std::string rank_text(const Model& model, const ModeStructure& structure, const SystemJacobianRank& rank) {
  const std::string text = std::string("system Jacobian ") +
                           (rank.consistent ? "where the motion begins" : "at the start values") + ": rank " +
                           (rank.rank_is_bound ? "at most " : "") + std::to_string(rank.rank) + " of " +
                           std::to_string(rank.size);
  if (rank.full()) return text + "\n";
  return text + "; a combination of " + listed_or_nothing(equation_names(model, rank.null_vectors)) +
         " leaves " + leading_signals(model, structure, rank.null_vectors) + " undetermined\n";
}

}  // namespace

std::string mode_json(const Model& model, const Mode& mode, const ModeStructure& structure,
                      const std::optional<SystemJacobianRank>& rank) {
  Writer out;
  out.begin_object();
  out.key("mode").begin_object(in_line);
  for (const auto& [name, value] : values_of(model, mode)) out.member(name, value);
  out.end_object();
  write_names(out, "excluded_by", broken_invariants(model, mode));
  const bool regular = !structure.singular;
  out.member("regular", regular);
  if (regular) {
    out.member("index", structure.index);
    out.member("differentiation_index",
               structure.index + (structure.differentiation_index_is_one_more ? 1 : 0));
    write_offsets(out.key("offsets"), model, structure);
    out.member("degrees_of_freedom", structure.degrees_of_freedom);
  } else {
    for (const char* key : {"index", "differentiation_index", "offsets", "degrees_of_freedom"})
      out.key(key).null();
  }
  out.key("blocks").begin_array();
  for (const ModePart& block : structure.blocks) write_part(out, model, block);
  out.end_array();
  write_rank(out.key("system_jacobian"), model, rank);
  write_names(out, "recombined", lines_of_recombination(model, mode, structure, rank));
  write_part(out.key("overdetermined"), model, structure.overdetermined);
  write_part(out.key("underdetermined"), model, structure.underdetermined);
  write_names(out, "absent", row_names(model, structure.absent));
  out.end_object();
  return std::move(out).finish();
}

std::string mode_text(const Model& model, const Mode& mode, const ModeStructure& structure,
                      const std::optional<SystemJacobianRank>& rank) {
  std::string text = "mode";
  for (const auto& [name, value] : values_of(model, mode)) text += " " + name + "=" + std::to_string(value);
  text += "\n";
  for (const std::string& invariant : broken_invariants(model, mode))
    text += "excluded by the invariant: " + invariant + "\n";
  if (structure.singular) {
    text += "structurally singular\n";
    if (!structure.overdetermined.empty())
      text += "over-determined: " + part_text(model, structure.overdetermined);
    if (!structure.underdetermined.empty())
      text += "under-determined: " + part_text(model, structure.underdetermined);
    return text + recombination_text(model, mode, structure, rank);
  }
  text += std::string("structurally regular, ") + (model.is_discrete() ? "shift index " : "index ") +
          std::to_string(structure.index) +
          (structure.differentiation_index_is_one_more && !model.is_discrete()
               ? " (differentiation index " + std::to_string(structure.index + 1) + ")"
               : "") +
          ", " + std::to_string(structure.degrees_of_freedom) +
          (structure.degrees_of_freedom == 1 ? " degree" : " degrees") + " of freedom\n";
  if (!structure.absent.empty())
    text += "absent, keeping what value they have: " + listed_or_nothing(row_names(model, structure.absent)) +
            "\n";
  text += latent_text(model, mode, structure);
  if (model.is_discrete() && structure.index > 0)
    text += "  a simulation does not shift equations: it ends in this mode\n";
  text +=
      std::to_string(structure.blocks.size()) + (structure.blocks.size() == 1 ? " block:\n" : " blocks:\n");
  for (std::size_t b = 0; b < structure.blocks.size(); ++b)
    text += "  " + std::to_string(b + 1) + "  {" + leading_signals(model, structure, structure.blocks[b]) +
            "} from " + listed_or_nothing(equation_names(model, structure.blocks[b])) + "\n";
  if (rank) text += rank_text(model, structure, *rank);
  return text + recombination_text(model, mode, structure, rank);
}

}  // namespace mti
