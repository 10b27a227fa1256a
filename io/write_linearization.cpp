#include "io/write_linearization.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "io/json/writer.hpp"

namespace mti {
namespace {

using json::Writer;
using Names = std::vector<std::string>;
constexpr auto in_line = Writer::Layout::in_line;

void write_matrix(Writer& out, std::string_view key, const SparseColumns& matrix) {
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry) {
      rows.push_back(static_cast<int>(entry.row()));
      columns.push_back(k);
      values.push_back(entry.value());
    }
  const auto write = [&out](std::string_view name, const auto& list) {
    out.key(name).begin_array();
    for (const auto item : list) out.value(item);
    out.end_array();
  };
  out.key(key).begin_object(in_line);
  out.member("rows", static_cast<int>(matrix.rows())).member("cols", static_cast<int>(matrix.cols()));
  write("i", rows);
  write("k", columns);
  write("v", values);
  out.end_object();
}

void write_names(Writer& out, std::string_view key, const Names& names) {
  out.key(key).begin_array(in_line);
  for (const std::string& name : names) out.value(name);
  out.end_array();
}

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
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
    std::size_t width = columns[static_cast<std::size_t>(k)].size();
    for (int i = 0; i < dense.rows(); ++i) width = std::max(width, number(dense(i, k)).size());
    widths.push_back(width);
    text += "  " + padded(columns[static_cast<std::size_t>(k)], width);
  }
  text += '\n';
  for (int i = 0; i < dense.rows(); ++i) {
    text += "  " + padded(rows[static_cast<std::size_t>(i)], margin);
    for (int k = 0; k < dense.cols(); ++k)
      text += "  " + padded(number(dense(i, k)), widths[static_cast<std::size_t>(k)]);
    text += '\n';
  }
  return text;
}

std::string list(const SparseColumns& matrix, const Names& rows, const Names& columns) {
  std::string text;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry)
      text += "  " + rows[static_cast<std::size_t>(entry.row())] + ", " +
              columns[static_cast<std::size_t>(k)] + ": " + number(entry.value()) + "\n";
  return text;
}

std::string matrix_text(const std::string& name, const SparseColumns& matrix, const Names& rows,
                        const Names& columns) {
  constexpr int widest_table = 12;
  const std::string title =
      name + " (" + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) + ")";
  if (matrix.rows() == 0 || matrix.cols() == 0) return title + "\n";
  return title + "\n" +
         (matrix.cols() <= widest_table ? table(matrix, rows, columns) : list(matrix, rows, columns));
}

}  // namespace

std::string linearization_json(const Model& model, const Linearization& linearization) {
  Writer out;
  out.begin_object();
  out.member("time", linearization.time);
  out.key("point").begin_object(in_line);
  for (int row = 0; row < model.signature.size(); ++row)
    out.member(model.signature.row_name(row), linearization.v[static_cast<std::size_t>(row)]);
  out.end_object();
  write_names(out, "equations", linearization.equations);
  write_names(out, "unknowns", linearization.unknowns);
  write_names(out, "inputs", linearization.inputs);
  write_names(out, "outputs", linearization.outputs);
  write_matrix(out, "E", linearization.E);
  write_matrix(out, "A", linearization.A);
  write_matrix(out, "B", linearization.B);
  write_matrix(out, "C", linearization.C);
  write_matrix(out, "D", linearization.D);
  out.key("eigenvalues");
  if (linearization.eigenvalues_computed) {
    out.begin_array(in_line);
    for (const std::complex<double>& eigenvalue : linearization.eigenvalues)
      out.begin_array().value(eigenvalue.real()).value(eigenvalue.imag()).end_array();
    out.end_array();
  } else {
    out.null().member("eigenvalues_note", linearization.eigenvalues_note);
  }
  out.end_object();
  return std::move(out).finish();
}

std::string linearization_text(const Model& model, const Linearization& linearization) {
  const Linearization& l = linearization;
  std::string text = (model.name.empty() ? "model" : model.name) + " at t = " + number(l.time);
  for (int i = 0; i < model.signature.q(); ++i)
    text += " " + model.signature.binaries()[static_cast<std::size_t>(i)].name + "=" +
            number(l.v[static_cast<std::size_t>(model.signature.binary_row(i))]);
  text += "\nE w' = A w + B u,  y = C w + D u\n\n";
  text += matrix_text("E", l.E, l.equations, l.unknowns) + "\n";
  text += matrix_text("A", l.A, l.equations, l.unknowns) + "\n";
  text += matrix_text("B", l.B, l.equations, l.inputs) + "\n";
  text += matrix_text("C", l.C, l.outputs, l.unknowns) + "\n";
  text += matrix_text("D", l.D, l.outputs, l.inputs) + "\n";
  if (!l.eigenvalues_computed) return text + "eigenvalues: " + l.eigenvalues_note + "\n";
  text += "finite eigenvalues:\n";
  for (const std::complex<double>& eigenvalue : l.eigenvalues) {
    text += "  " + number(eigenvalue.real());
    if (eigenvalue.imag() != 0.0)
      text += (eigenvalue.imag() > 0 ? " + " : " - ") + number(std::abs(eigenvalue.imag())) + "i";
    text += '\n';
  }
  return text;
}

}  // namespace mti
