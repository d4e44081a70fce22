// Cases as JSON and as text.

#include "support/JsonReader.h"
#include "verify/Case.h"

namespace autokernel {

const char *regimeName(Regime regime) {
  static const char *const names[RegimeCount] = {
      "uniform",      "positive", "integers", "wide",
      "cancellation", "constant", "ties",     "denormal",
      "signed-zero",  "infinite", "nan",      "offset"};
  return names[unsigned(regime)];
}

Json toJson(const Case &c) {
  return {{"number", c.number},           {"seed", std::to_string(c.seed)},
          {"regime", unsigned(c.regime)}, {"indices", unsigned(c.indices)},
          {"integers", c.integers},       {"reals", c.reals},
          {"index_bound", c.indexBound},  {"nulls", c.nulls},
          {"misalign", c.misalign},       {"poison", c.poison},
          {"extremes", c.extremes},       {"large", c.large}};
}

template <class T>
static std::vector<T> numbers(const Json &json, const char *key,
                              JsonReader &r) {
  std::vector<T> out;
  if (!json.contains(key) || !json[key].is_array()) {
    r.fail(std::string("'") + key + "' is not a list");
    return out;
  }
  for (const Json &item : json[key])
    if (item.is_number())
      out.push_back(item.get<T>());
    else
      r.fail(std::string("'") + key + "' holds something that is no number");
  return out;
}

llvm::Expected<Case> caseFromJson(const Json &json, const Contract &contract) {
  std::string error;
  JsonReader r(json, "", error);
  Case c;
  if (!error.empty())
    return jsonError("case " + error);
  c.number = r.small("number");
  if (llvm::StringRef(r.text("seed")).getAsInteger(10, c.seed))
    r.fail("'seed' is not a number");
  unsigned regime = r.small("regime"), indices = r.small("indices");
  if (regime >= RegimeCount || indices > 3)
    r.fail("'regime' or 'indices' is out of range");
  c.regime = Regime(regime);
  c.indices = Indices(indices);
  c.integers = numbers<int64_t>(json, "integers", r);
  c.reals = numbers<double>(json, "reals", r);
  if (c.integers.size() != contract.params.size() ||
      c.reals.size() != contract.params.size())
    r.fail("'integers' or 'reals' doesn't fit the contract");
  c.indexBound = r.integer("index_bound");
  c.nulls = r.flag("nulls");
  c.misalign = r.small("misalign");
  c.poison = r.small("poison");
  c.extremes = r.flag("extremes");
  c.large = r.flag("large");
  if (!error.empty())
    return jsonError("case: " + error);
  return c;
}

std::string caseText(const Contract &contract, const Case &c) {
  std::string out = "case " + std::to_string(c.number) + " (";
  bool first = true;
  for (size_t p = 0; p < contract.params.size(); ++p) {
    const Param &param = contract.params[p];
    if (param.isArray || param.role == Role::Out)
      continue;
    uint8_t raw[8] = {};
    if (param.type.kind == ElementType::Float)
      storeElement(param.type, raw, c.reals[p]);
    else
      std::memcpy(raw, &c.integers[p], param.type.bits / 8);
    out +=
        (first ? "" : ", ") + param.name + " = " + elementText(param.type, raw);
    first = false;
  }
  out += std::string(first ? "" : "; ") + regimeName(c.regime) +
         (c.extremes ? " values, integers of all magnitudes)" : " values)");
  return out;
}

} // namespace autokernel
