#include "io/analysis/write_analysis.hpp"

#include <vector>

#include "io/json/writer.hpp"
#include "mti/common/at.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

using json::in_line;
using json::write_names;
using json::Writer;

/// 2^exponent in decimal digits.
std::string power_of_two(int exponent) {
  std::vector<int> digits = {1};  // lowest first
  for (; exponent > 0; --exponent) {
    int carry = 0;
    for (int& digit : digits) {
      digit = 2 * digit + carry;
      carry = digit / 10;
      digit %= 10;
    }
    if (carry > 0) digits.push_back(carry);
  }
  std::string text;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) text += static_cast<char>('0' + *digit);
  return text;
}

std::vector<std::string> row_names(const Model& model, const SubProblem& problem) {
  std::vector<std::string> names;
  for (const int row : problem.equations) names.push_back(model.equation_names[at(row)]);
  for (const int row : problem.constraints) names.push_back(model.constraint_names[at(row)]);
  return names;
}

std::vector<std::string> unknown_names(const Model& model, const SubProblem& problem) {
  std::vector<std::string> names;
  for (const int row : problem.unknowns) names.push_back(model.signature.row_name(row));
  return names;
}

long nnz_Phi(const Model& model) { return model.Phi_eq.nonZeros() + model.Phi_ineq.nonZeros(); }

}  // namespace

std::string structure_json(const Model& model, const Structure& structure) {
  const Signature& signature = model.signature;
  Writer out;
  out.begin_object();
  out.key("sizes").begin_object(in_line);
  out.member("n", signature.n()).member("m", signature.m()).member("p", signature.p());
  out.member("q", signature.q()).member("equations", model.equations());
  out.member("constraints", model.constraints()).member("columns", model.columns());
  out.member("nnz_S", static_cast<long>(model.S.nonZeros())).member("nnz_Phi", nnz_Phi(model));
  out.end_object();
  out.key("sub_sets").begin_array();
  for (const SubSet& sub_set : structure.sub_sets) {
    out.begin_object().key("sub_problems").begin_array();
    for (const SubProblem& problem : sub_set.sub_problems) {
      out.begin_object(in_line);
      write_names(out, "rows", row_names(model, problem));
      write_names(out, "unknowns", unknown_names(model, problem));
      out.key("combinations").integer(power_of_two(problem.binaries)).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array();
  out.key("combinations").begin_object(in_line).member("all", structure.combinations_all);
  out.key("reduced").integer(structure.combinations_reduced).end_object();
  out.end_object();
  return std::move(out).finish();
}

std::string structure_text(const Model& model, const Structure& structure) {
  const Signature& signature = model.signature;
  std::string text = (model.name.empty() ? "model" : model.name) + ": ";
  text += counted(signature.n(), "state") + ", " + counted(signature.m(), "input") + ", " +
          counted(signature.p(), "algebraic signal") + ", " + counted(signature.q(), "binary") + "; " +
          counted(model.equations(), "equation") + ", " + counted(model.constraints(), "constraint") + "\n";
  text += "incidence: " + counted(model.columns(), "column") + ", " + std::to_string(model.S.nonZeros()) +
          " non-zeros in S, " + std::to_string(nnz_Phi(model)) + " in Phi\n";
  for (std::size_t s = 0; s < structure.sub_sets.size(); ++s) {
    const SubSet& sub_set = structure.sub_sets[s];
    text += "\nsub-set " + std::to_string(s + 1) + " of " + std::to_string(structure.sub_sets.size()) + ", " +
            counted(static_cast<long>(sub_set.sub_problems.size()), "sub-problem") + ":\n";
    for (std::size_t i = 0; i < sub_set.sub_problems.size(); ++i) {
      const SubProblem& problem = sub_set.sub_problems[i];
      text += "  " + std::to_string(i + 1) + "  {" + joined(unknown_names(model, problem)) + "} from " +
              joined(row_names(model, problem));
      if (problem.binaries > 0) text += ": " + power_of_two(problem.binaries) + " combinations";
      text += '\n';
    }
  }
  text += "\ncombinations of binaries: " + structure.combinations_reduced + " instead of " +
          structure.combinations_all + "\n\n";
  return text + block_triangular_picture(model, structure);
}

}  // namespace mti
