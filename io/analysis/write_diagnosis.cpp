#include "io/analysis/write_diagnosis.hpp"

#include "io/json/writer.hpp"

namespace mti {
namespace {

using json::in_line;
using json::write_names;
using json::Writer;

void begin(Writer& out, bool valid) {
  out.begin_object().member("format", "mti-check").member("version", 1).member("valid", valid);
}

void write_remarks(Writer& out, std::string_view key, const Diagnosis& diagnosis, bool errors) {
  out.key(key).begin_array();
  for (const Remark& remark : diagnosis.remarks) {
    if (remark.is_error != errors) continue;
    out.begin_object().member("id", remark.id).member("message", remark.message);
    if (remark.modes.empty()) {
      out.key("modes").null().key("where").null();
    } else {
      out.member("modes", remark.modes).member("where", remark.where);
    }
    write_names(out, "equations", remark.equations);
    write_names(out, "signals", remark.signals);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string diagnosis_json(const Model& model, const Diagnosis& diagnosis) {
  const Signature& signature = model.signature;
  Writer out;
  begin(out, diagnosis.errors() == 0);
  out.member("model", model.name);
  out.key("sizes").begin_object(in_line);
  out.member("states", signature.n()).member("inputs", signature.m()).member("algebraic", signature.p());
  out.member("binaries", signature.q()).member("equations", model.equations());
  out.member("constraints", model.constraints()).end_object();
  out.key("modes");
  if (diagnosis.modes)
    out.begin_object(in_line)
        .member("all", diagnosis.modes->all)
        .member("considered", diagnosis.modes->considered)
        .member("solvable", diagnosis.modes->solvable)
        .end_object();
  else
    out.null();
  write_remarks(out, "errors", diagnosis, true);
  write_remarks(out, "warnings", diagnosis, false);
  out.end_object();
  return std::move(out).finish();
}

std::string faults_json(const std::vector<Fault>& faults) {
  Writer out;
  begin(out, false);
  for (const char* key : {"model", "sizes", "modes"}) out.key(key).null();
  out.key("errors").begin_array();
  for (const Fault& fault : faults) {
    out.begin_object(in_line).member("id", fault.id).member("message", fault.message);
    out.member("file", fault.file).member("pointer", fault.pointer).end_object();
  }
  out.end_array().key("warnings").begin_array().end_array().end_object();
  return std::move(out).finish();
}

}  // namespace mti
