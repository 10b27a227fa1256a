#include <algorithm>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "io/analysis/linearization_writer.hpp"
#include "io/analysis/write_linearization.hpp"
#include "io/json/writer.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

using json::write_names;
using json::Writer;
using Names = std::vector<std::string>;
using json::in_line;

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

void write_mode_of(Writer& out, const Model& model, const Mode& mode) {
  const Signature& signature = model.signature;
  out.key("mode").begin_object(in_line);
  for (std::size_t i = 0; i < mode.z.size(); ++i)
    out.member(signature.binaries()[i].name, static_cast<int>(mode.z[i]));
  out.end_object();
  if (mode.slides.empty()) return;
  out.key("sliding").begin_object(in_line);
  for (const Slide& slide : mode.slides) {
    out.key(model.constraint_names[at(slide.constraint)]).begin_array();
    for (const int binary : slide.binaries) out.value(signature.binaries()[at(binary)].name);
    out.end_array();
  }
  out.end_object();
}

bool has_vectors(const Linearization& linearization) {
  return std::ranges::any_of(linearization.eigenvalue_details,
                             [](const Eigenvalue& value) { return !value.participation.empty(); });
}

void write_eigenvalues(Writer& out, const Linearization& linearization) {
  out.key("eigenvalues");
  if (!linearization.eigenvalues_computed) {
    out.null().member("eigenvalues_note", linearization.eigenvalues_note);
    return;
  }
  out.begin_array(in_line);
  for (const std::complex<double>& eigenvalue : linearization.eigenvalues)
    out.begin_array().value(eigenvalue.real()).value(eigenvalue.imag()).end_array();
  out.end_array();
  if (!has_vectors(linearization)) return;
  out.key("participation").begin_array();
  for (const Eigenvalue& eigenvalue : linearization.eigenvalue_details) {
    out.begin_object(in_line);
    out.member("residual", eigenvalue.residual).member("condition", eigenvalue.condition);
    out.key("shares").begin_object();
    for (const Participation& part : eigenvalue.participation)
      out.member(linearization.unknowns[at(part.unknown)], part.share);
    out.end_object().end_object();
  }
  out.end_array();
}

void write_state_space(Writer& out, const StateSpaceForm& form) {
  out.key("state_space").begin_object();
  write_names(out, "states", form.states);
  write_names(out, "inputs", form.inputs);
  write_names(out, "outputs", form.outputs);
  write_matrix(out, "A", form.A);
  write_matrix(out, "B", form.B);
  write_matrix(out, "C", form.C);
  write_matrix(out, "D", form.D);
  out.end_object();
}

}  // namespace

void write(json::Writer& out, const Model& model, const Linearization& linearization) {
  out.begin_object();
  out.member("time", linearization.time).member("side", linearization.side);
  write_mode_of(out, model, linearization.mode);
  out.key("point").begin_object(in_line);
  for (int row = 0; row < model.signature.size(); ++row)
    out.member(model.signature.row_name(row), linearization.v[at(row)]);
  out.end_object();
  out.member("residual", linearization.residual);
  write_names(out, "on_boundary", linearization.on_boundary);
  write_names(out, "violated", linearization.violated);
  write_names(out, "equations", linearization.equations);
  write_names(out, "unknowns", linearization.unknowns);
  write_names(out, "inputs", linearization.inputs);
  write_names(out, "outputs", linearization.outputs);
  write_matrix(out, "E", linearization.E);
  write_matrix(out, "A", linearization.A);
  write_matrix(out, "B", linearization.B);
  write_matrix(out, "C", linearization.C);
  write_matrix(out, "D", linearization.D);
  if (model.is_discrete()) out.member("sample_time", model.sample_time);
  write_eigenvalues(out, linearization);
  if (linearization.state_space) write_state_space(out, *linearization.state_space);
  out.end_object();
}

std::string linearization_json(const Model& model, const Linearization& linearization) {
  Writer out;
  write(out, model, linearization);
  return std::move(out).finish();
}

std::string linearizations_json(const Model& model, std::span<const Linearization> linearizations) {
  Writer out;
  out.begin_object().key("linearizations").begin_array();
  for (const Linearization& linearization : linearizations) write(out, model, linearization);
  out.end_array().end_object();
  return std::move(out).finish();
}

}  // namespace mti
