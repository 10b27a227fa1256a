#include "io/files.hpp"
#include "io/read_model.hpp"
#include "io/write_model.hpp"
#include "mti/text/print.hpp"
#include "program/commands.hpp"

namespace mti {

ExitStatus run(const ConvertArguments& arguments) {
  using Form = ConvertArguments::Form;
  const std::filesystem::path directory =
      arguments.in == "-" ? std::filesystem::path() : std::filesystem::path(arguments.in).parent_path();
  const std::string text = read_file(arguments.in);
  const Model model = read_model_text(text, directory);
  const Source original = read_source(text, directory);
  const Form form = arguments.form.value_or(original.matrices ? Form::equations : Form::matrices);
  write_model(form == Form::equations ? to_equations(model) : to_matrices(model), arguments.out);
  return ExitStatus::done;
}

}  // namespace mti
