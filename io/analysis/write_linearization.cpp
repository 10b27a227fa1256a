#include "io/analysis/write_linearization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

using Names = std::vector<std::string>;

constexpr int widest_table = 12, highest_table = 60;
constexpr int longest_list = 200;
constexpr std::size_t most_eigenvalues = 50;

std::string number(double value) {
  return text::format_number(value + 0.0, 6);  // 0 for −0
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string table(const SparseColumns& matrix, const Names& rows, const Names& columns) {
  std::size_t margin = 0;
  for (const std::string& name : rows) margin = std::max(margin, name.size());
  const Eigen::MatrixXd dense(matrix);
  std::vector<std::size_t> widths;
  std::string text(margin + 2, ' ');
  for (int k = 0; k < dense.cols(); ++k) {
    std::size_t width = columns[at(k)].size();
    for (int i = 0; i < dense.rows(); ++i) width = std::max(width, number(dense(i, k)).size());
    widths.push_back(width);
    text += "  " + padded(columns[at(k)], width);
  }
  text += '\n';
  for (int i = 0; i < dense.rows(); ++i) {
    text += "  " + padded(rows[at(i)], margin);
    for (int k = 0; k < dense.cols(); ++k) text += "  " + padded(number(dense(i, k)), widths[at(k)]);
    text += '\n';
  }
  return text;
}

std::string list(const SparseColumns& matrix, const Names& rows, const Names& columns) {
  std::string text;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      text += "  " + rows[at(entry.row())] + ", " + columns[at(k)] + ": " + number(entry.value()) + "\n";
  return text;
}

std::string matrix_text(const std::string& name, const SparseColumns& matrix, const Names& rows,
                        const Names& columns) {
  const std::string title =
      name + " (" + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) + ")";
  if (matrix.rows() == 0 || matrix.cols() == 0) return title + "\n\n";
  if (matrix.cols() <= widest_table && matrix.rows() <= highest_table)
    return title + "\n" + table(matrix, rows, columns) + "\n";
  if (matrix.nonZeros() <= longest_list) return title + "\n" + list(matrix, rows, columns) + "\n";
  return title + "\n  " + std::to_string(matrix.nonZeros()) +
         " entries; --json prints them, --out DIR writes them\n\n";
}

std::string binaries_text(const Model& model, const Linearization& l) {
  std::string text;
  const int shown = std::min(model.signature.q(), highest_table);
  for (int i = 0; i < shown; ++i)
    text +=
        " " + model.signature.binaries()[at(i)].name + "=" + number(l.v[at(model.signature.binary_row(i))]);
  if (shown < model.signature.q()) text += " …";
  return text;
}

std::string remarks(const Model& model, const Linearization& l) {
  std::string text;
  for (const Slide& slide : l.mode.slides)
    text += "slides on the surface of " + model.constraint_names[at(slide.constraint)] + "\n";
  if (!l.on_boundary.empty()) text += "on the boundary of " + joined(l.on_boundary) + "\n";
  if (!l.violated.empty()) text += "outside the domain of the mode: " + joined(l.violated) + "\n";
  constexpr double visible = 1e-9;
  if (l.residual > visible)
    text += "not consistent: " + l.residual_equation + " is off by " + number(l.residual) + "\n";
  return text;
}

/// What an eigenvalue means in time: exp(λt), or λ^k for samples k.
std::string meaning(std::complex<double> value, bool discrete) {
  if (discrete) return "  modulus " + number(std::abs(value));
  std::string text;
  if (value.real() != 0.0)
    text = (value.real() < 0.0 ? "  time constant " : "  grows, time constant ") +
           number(1.0 / std::abs(value.real()));
  if (value.imag() != 0.0)
    text += (text.empty() ? "  frequency " : ", frequency ") +
            number(std::abs(value.imag()) / (2.0 * std::numbers::pi)) + ", damping ratio " +
            number(-value.real() / std::abs(value));
  return text;
}

std::string shares(const Eigenvalue& eigenvalue, const Names& unknowns) {
  constexpr std::size_t most = 6;
  constexpr double least = 0.01;
  std::string text;
  std::size_t shown = 0;
  for (const Participation& part : eigenvalue.participation) {
    if (part.share < least || shown++ == most) break;
    text += (text.empty() ? "" : ", ") + unknowns[at(part.unknown)] + " " +
            number(std::round(1000.0 * part.share) / 1000.0);
  }
  if (text.empty()) return text;
  constexpr double defective = 1e6;
  if (eigenvalue.condition > defective) text += "  (multiple: shares are not reliable)";
  return "      " + text + "\n";
}

std::string eigenvalues_text(const Linearization& l, bool discrete) {
  if (!l.eigenvalues_computed) return "eigenvalues: " + l.eigenvalues_note + "\n";
  const std::size_t count = l.eigenvalues.size();
  std::string text = count == 0 ? "finite eigenvalues: none\n"
                     : discrete ? "finite eigenvalues (of the z-plane: stable within the unit circle):\n"
                                : "finite eigenvalues:\n";
  const std::size_t first = count > most_eigenvalues ? count - most_eigenvalues : 0;
  if (first > 0)
    text = "finite eigenvalues: " + std::to_string(count) + ", the " + std::to_string(most_eigenvalues) +
           " with the largest real parts:\n";
  for (std::size_t i = first; i < count; ++i) {
    const std::complex<double> eigenvalue = l.eigenvalues[i];
    text += "  " + number(eigenvalue.real());
    if (eigenvalue.imag() != 0.0)
      text += (eigenvalue.imag() > 0 ? " + " : " - ") + number(std::abs(eigenvalue.imag())) + "i";
    text += meaning(eigenvalue, discrete) + "\n" + shares(l.eigenvalue_details[i], l.unknowns);
  }
  return text;
}

std::string state_space_text(const StateSpaceForm& form, bool discrete) {
  return std::string(discrete ? "\nnext(x)" : "\nx'") + " = A x + B u,  y = C x + D u\n\n" +
         matrix_text("A", form.A, form.states, form.states) +
         matrix_text("B", form.B, form.states, form.inputs) +
         matrix_text("C", form.C, form.outputs, form.states) +
         matrix_text("D", form.D, form.outputs, form.inputs);
}

}  // namespace

std::string linearization_text(const Model& model, const Linearization& linearization) {
  const Linearization& l = linearization;
  std::string text = (model.name.empty() ? "model" : model.name) + " at t = " + number(l.time) +
                     (l.side == 0  ? ""
                      : l.side < 0 ? " (left limit)"
                                   : " (right limit)") +
                     binaries_text(model, l) + "\n";
  text += remarks(model, l);
  text += model.is_discrete() ? "E next(w) = A w + B u,  y = C w + D u\n\n"
                              : "E w' = A w + B u,  y = C w + D u\n\n";
  text += matrix_text("E", l.E, l.equations, l.unknowns);
  text += matrix_text("A", l.A, l.equations, l.unknowns);
  text += matrix_text("B", l.B, l.equations, l.inputs);
  text += matrix_text("C", l.C, l.outputs, l.unknowns);
  text += matrix_text("D", l.D, l.outputs, l.inputs);
  text += eigenvalues_text(l, model.is_discrete());
  if (l.state_space) text += state_space_text(*l.state_space, model.is_discrete());
  return text;
}

}  // namespace mti
