#include "tests/solvers/random_linear_model.hpp"

#include <algorithm>
#include <cstddef>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::test {

RandomLinearModel::RandomLinearModel(unsigned seed) : random_(seed) {
  states_ = integer(1, 4);
  binaries_ = integer(1, 4);
  rows_.resize(at(states_ + integer(1, 4)));
  for (int own = 0; own < signals(); ++own) {
    std::vector<Alternative>& row = rows_[at(own)];
    row.push_back({{}, draw_form(own)});
    if (chance(own < states_ ? 70 : 35)) continue;
    const int chosen_by = integer(0, binaries_ - 1);
    row.front().where = {{chosen_by, true}};
    Form other = chance(20) ? row.front().form : draw_form(own);
    const double factor = number();
    for (Term& term : other) term.coefficient *= factor;
    row.push_back({{{chosen_by, false}}, std::move(other)});
    if (binaries_ == 1 || chance(70)) continue;
    const int further = (chosen_by + integer(1, binaries_ - 1)) % binaries_;
    row.back().where.emplace_back(further, true);
    row.push_back({{{chosen_by, false}, {further, false}}, draw_form(own)});
  }
}

RandomLinearModel::Form RandomLinearModel::draw_form(int own) {
  return own < states_ ? draw_state_form(own) : draw_algebraic_form(own);
}

RandomLinearModel::Form RandomLinearModel::draw_state_form(int own) {
  Form form;
  const int kind = integer(1, 10);
  if (kind <= 2 && states_ > 1) {  // position and speed
    const int other = (own + integer(1, states_ - 1)) % states_;
    return {{own, true, number()}, {other, false, number()}};
  }
  if (kind <= 8) {
    form = {{own, true, number()}};
    add_values(form, 0, states_, 30, -1);
    add_values(form, states_, signals(), 50, -1);
  } else {
    form = {{own, false, number()}};
    add_values(form, 0, states_, 25, own);
  }
  if (chance(30)) form.push_back({-1, false, number()});
  return form;
}

RandomLinearModel::Form RandomLinearModel::draw_algebraic_form(int own) {
  Form form;
  if (chance(55)) {
    form = {{own, false, number()}};
    add_values(form, 0, states_, 30, -1);
    add_values(form, states_, signals(), 20, own);
  } else {
    const int first = integer(0, states_ - 1);
    form = {{first, false, number()}};
    add_values(form, 0, states_, 30, first);
  }
  if (chance(30)) form.push_back({-1, false, number()});
  return form;
}

void RandomLinearModel::add_values(Form& form, int first, int last, int percent, int own) {
  for (int signal = first; signal < last; ++signal)
    if (signal != own && chance(percent)) form.push_back({signal, false, number()});
}

Mode RandomLinearModel::mode(unsigned bits) const {
  Mode mode;
  for (int i = 0; i < binaries_; ++i) mode.z.push_back((bits >> i & 1U) != 0 ? 1 : 0);
  return mode;
}

RandomLinearModel::Numbers RandomLinearModel::numbers(unsigned bits) const {
  const Eigen::Index size = signals();
  Numbers result{Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(size, size),
                 Eigen::VectorXd::Zero(size)};
  for (Eigen::Index i = 0; i < size; ++i)
    for (const Alternative& alternative : rows_[at(i)]) {
      if (!std::ranges::all_of(alternative.where, [&](const auto& literal) {
            return ((bits >> literal.first & 1U) != 0) == literal.second;
          }))
        continue;
      for (const Term& term : alternative.form) {
        if (term.signal < 0)
          result.b[i] -= term.coefficient;
        else
          (term.derivative ? result.E : result.A)(i, term.signal) += term.coefficient;
      }
    }
  return result;
}

std::string RandomLinearModel::signal_name(int signal) const {
  return signal < states_ ? "x" + std::to_string(signal + 1) : "y" + std::to_string(signal - states_ + 1);
}

std::string RandomLinearModel::row_text(const std::vector<Alternative>& row) const {
  std::string text;
  for (const Alternative& alternative : row) {
    text += text.empty() ? "" : " + ";
    for (const auto& [binary, value] : alternative.where) {
      const std::string z = "z" + std::to_string(binary + 1);
      text += value ? z + "*" : "(1 - " + z + ")*";
    }
    std::string form;
    for (const Term& term : alternative.form) {
      form += (form.empty() ? "(" : " + (") + text::format_number(term.coefficient) + ")";
      if (term.signal < 0) continue;
      const std::string name = signal_name(term.signal);
      form += "*" + (term.derivative ? "der(" + name + ")" : name);
    }
    text += "(" + form + ")";
  }
  return text + " = 0";
}

Source RandomLinearModel::source() const {
  Source source;
  for (int j = 0; j < states_; ++j) source.states.push_back({signal_name(j)});
  for (int j = states_; j < signals(); ++j) source.algebraic.push_back({signal_name(j)});
  for (int i = 0; i < binaries_; ++i) source.binaries.push_back({"z" + std::to_string(i + 1)});
  for (const std::vector<Alternative>& row : rows_) source.equations.emplace_back(row_text(row));
  return source;
}

std::string RandomLinearModel::text() const {
  std::string text;
  for (const std::vector<Alternative>& row : rows_) text += "  " + row_text(row) + "\n";
  return text;
}

}  // namespace mti::test
