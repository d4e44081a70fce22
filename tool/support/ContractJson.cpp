#include "support/ContractJson.h"

#include "support/JsonReader.h"

#include "llvm/ADT/StringExtras.h"

namespace autokernel {

static constexpr const char *ContractSchema = "autokernel-contract/1";

static const std::pair<Op, const char *> OpNames[] = {
    {Op::Add, "+"},  {Op::Sub, "-"},   {Op::Mul, "*"},   {Op::Div, "/"},
    {Op::Rem, "%"},  {Op::Neg, "neg"}, {Op::Min, "min"}, {Op::Max, "max"},
    {Op::Shl, "<<"}, {Op::Shr, ">>"},  {Op::And, "&"},   {Op::Unknown, "?"}};

static std::string instrText(const Instr &i) {
  switch (i.op) {
  case Op::Const:
    return std::to_string(i.value);
  case Op::Param:
    return "n" + std::to_string(i.value);
  case Op::Counter:
    return "i" + std::to_string(i.value);
  case Op::Data:
    return "d" + std::to_string(i.value);
  default:
    for (const auto &[op, name] : OpNames)
      if (op == i.op)
        return name;
    return "?";
  }
}

std::string codeText(const std::vector<Instr> &code) {
  std::string out;
  for (const Instr &i : code)
    out += (out.empty() ? "" : " ") + instrText(i);
  return out;
}

static bool parseInstr(llvm::StringRef word, Instr &out) {
  for (const auto &[op, name] : OpNames)
    if (word == name) {
      out = {op, 0};
      return true;
    }
  Op op = Op::Const;
  if (word.consume_front("n"))
    op = Op::Param;
  else if (word.consume_front("i"))
    op = Op::Counter;
  else if (word.consume_front("d"))
    op = Op::Data;
  int64_t value;
  if (word.getAsInteger(10, value) || (op != Op::Const && value < 0) ||
      (op != Op::Const && value > 100000))
    return false;
  out = {op, value};
  return true;
}

llvm::Expected<std::vector<Instr>> parseCode(const std::string &text) {
  std::vector<Instr> code;
  llvm::SmallVector<llvm::StringRef, 16> words;
  llvm::SplitString(text, words, " ");
  if (words.size() > 4096)
    return jsonError("the index expression is too long");
  for (llvm::StringRef word : words) {
    Instr i;
    if (!parseInstr(word, i))
      return jsonError("'" + word.str() +
                       "' is no part of an index expression");
    code.push_back(i);
  }
  return code;
}

const char *orderName(Order order) {
  switch (order) {
  case Order::Sequential:
    return "sequential";
  case Order::Proved:
    return "proved";
  case Order::Claimed:
    return "claimed";
  }
  llvm_unreachable("all orders are named");
}

static const char *roleName(Role role) {
  return role == Role::In ? "in" : role == Role::Out ? "out" : "inout";
}

static const char *kindName(ElementType::Kind kind) {
  static const char *const names[] = {"bool", "int", "uint", "float"};
  return names[kind];
}

static Json toJson(const ElementType &type) {
  return {{"name", type.spelling},
          {"kind", kindName(type.kind)},
          {"bits", type.bits}};
}

static Json toJson(const IndexExpr &e) {
  return {{"text", e.text}, {"code", codeText(e.code)}};
}

static Json toJson(const SourcePlace &place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

static Json toJson(const Param &p) {
  Json j = {{"name", p.name},
            {"type", toJson(p.type)},
            {"array", p.isArray},
            {"role", roleName(p.role)}};
  if (p.isArray) {
    j["declaration"] = p.declaration;
    j["nullable"] = p.nullable;
    j["index"] = p.indexLike;
    j["overwritten"] = p.overwritten;
    if (p.extent)
      j["extent"] = toJson(*p.extent);
  } else {
    j["size"] = p.sizeLike;
    if (p.derived)
      j["derived"] = toJson(*p.derived);
    if (p.typical)
      j["typical"] = *p.typical;
  }
  j["argument"] = p.argument;
  return j;
}

static Json toJson(const Loop &l) {
  Json j = {{"counter", l.counter},        {"type", toJson(l.counterType)},
            {"parent", l.parent},          {"first", toJson(l.first)},
            {"last", toJson(l.last)},      {"step", toJson(l.step)},
            {"comparison", l.comparison},  {"down", l.down},
            {"order", orderName(l.order)}, {"why", l.why},
            {"reductions", Json::array()}, {"atomics", l.atomics}};
  for (const Reduction &r : l.reductions)
    j["reductions"].push_back(
        {{"variable", r.variable}, {"op", r.op}, {"type", toJson(r.type)}});
  for (const Selection &s : l.selections) {
    Json one = {{"variables", Json::array()}};
    if (!s.key.empty()) {
      one["key"] = s.key;
      one["op"] = s.op;
    }
    for (const Reduction &v : s.variables)
      one["variables"].push_back(
          {{"variable", v.variable}, {"type", toJson(v.type)}});
    j["selections"].push_back(std::move(one));
  }
  for (const Reduction &r : l.scans)
    j["scans"].push_back(
        {{"variable", r.variable}, {"op", r.op}, {"type", toJson(r.type)}});
  if (!l.ordered.empty())
    j["ordered"] = l.ordered;
  return j;
}

static Json toJson(const Access &a) {
  Json j = {{"array", a.array},
            {"writes", a.writes},
            {"index", toJson(a.index)},
            {"path", a.path}};
  if (a.accumulates)
    j["accumulates"] = a.op;
  if (!a.conditions.empty()) {
    j["conditions"] = Json::array();
    for (const IndexExpr &e : a.conditions)
      j["conditions"].push_back(codeText(e.code));
  }
  return j;
}

Json toJson(const Contract &c) {
  Json j = {{"schema", ContractSchema},
            {"abi", AbiVersion},
            {"id", c.id},
            {"function", c.function},
            {"place", toJson(c.place)},
            {"language", c.isC ? "c" : "c++"},
            {"class", c.regionClass},
            {"fingerprint", c.fingerprint}};
  j["parameters"] = Json::array();
  for (const Param &p : c.params)
    j["parameters"].push_back(toJson(p));
  j["loops"] = Json::array();
  for (const Loop &l : c.loops)
    j["loops"].push_back(toJson(l));
  j["accesses"] = Json::array();
  for (const Access &a : c.accesses)
    j["accesses"].push_back(toJson(a));
  j["guards"] = Json::array();
  for (const RangeGuard &g : c.guards)
    j["guards"].push_back({{"value", codeText(g.value.code)},
                           {"below", codeText(g.below.code)},
                           {"path", g.path},
                           {"why", g.why}});
  j["assumptions"] = Json::array();
  for (const IndexExpr &e : c.assumptions)
    j["assumptions"].push_back(toJson(e));
  j["floats"] = {{"contract", c.floats.contract},
                 {"fast_math", c.floats.fastMath},
                 {"reassociate", c.floats.reassociate}};
  j["tolerance"] = {{"exact", c.tolerance.exact}};
  if (c.tolerance.relative)
    j["tolerance"]["relative"] = *c.tolerance.relative;
  return j;
}

// --- reading ----------------------------------------------------------------

static ElementType readType(JsonReader r) {
  ElementType t;
  t.spelling = r.text("name");
  std::string kind = r.text("kind");
  t.bits = r.small("bits");
  for (auto k : {ElementType::Bool, ElementType::Int, ElementType::UInt,
                 ElementType::Float})
    if (kind == kindName(k)) {
      t.kind = k;
      if (t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64)
        return t;
    }
  r.fail("names no type that a kernel can hold");
  return t;
}

static IndexExpr readExpr(JsonReader r) {
  IndexExpr e;
  e.text = r.text("text");
  e.code = r.code("code");
  return e;
}

static SourcePlace readPlace(JsonReader r) {
  return {r.text("file"), r.small("line"), r.small("column")};
}

static Param readParam(JsonReader &r) {
  Param p;
  p.name = r.text("name");
  p.type = readType(r.object("type"));
  p.isArray = r.flag("array");
  std::string role = r.text("role");
  p.role = role == "in" ? Role::In : role == "out" ? Role::Out : Role::InOut;
  if (role != "in" && role != "out" && role != "inout")
    r.fail("'role' is none of in, out, inout");
  p.argument = r.text("argument");
  if (p.isArray) {
    p.declaration = r.text("declaration");
    p.nullable = r.flag("nullable");
    p.indexLike = r.flag("index");
    p.overwritten = r.flag("overwritten");
    if (r.has("extent"))
      p.extent = readExpr(r.object("extent"));
  } else {
    p.sizeLike = r.flag("size");
    if (r.has("derived"))
      p.derived = readExpr(r.object("derived"));
    if (r.has("typical"))
      p.typical = r.number("typical");
  }
  return p;
}

static Order readOrder(JsonReader &r) {
  std::string name = r.text("order");
  for (Order o : {Order::Sequential, Order::Proved, Order::Claimed})
    if (name == orderName(o))
      return o;
  r.fail("'order' is not known");
  return Order::Sequential;
}

static Loop readLoop(JsonReader &r, unsigned id) {
  Loop l;
  l.id = id;
  l.counter = r.text("counter");
  l.counterType = readType(r.object("type"));
  l.parent = int(r.integer("parent"));
  if (l.parent < -1 || l.parent >= int(id))
    r.fail("'parent' is no earlier loop");
  l.first = readExpr(r.object("first"));
  l.last = readExpr(r.object("last"));
  l.step = readExpr(r.object("step"));
  l.comparison = r.text("comparison");
  l.down = r.flag("down");
  l.order = readOrder(r);
  l.why = r.text("why");
  r.list("reductions", [&](JsonReader &item) {
    l.reductions.push_back({item.text("variable"), item.text("op"),
                            readType(item.object("type"))});
  });
  l.atomics = r.texts("atomics");
  if (r.has("selections"))
    r.list("selections", [&](JsonReader &item) {
      Selection s;
      if (item.has("key")) {
        s.key = item.text("key");
        s.op = item.text("op");
      }
      item.list("variables", [&](JsonReader &v) {
        s.variables.push_back(
            {v.text("variable"), "", readType(v.object("type"))});
      });
      l.selections.push_back(std::move(s));
    });
  if (r.has("scans"))
    r.list("scans", [&](JsonReader &item) {
      l.scans.push_back({item.text("variable"), item.text("op"),
                         readType(item.object("type"))});
    });
  if (r.has("ordered"))
    l.ordered = r.texts("ordered");
  return l;
}

static std::vector<unsigned> readPath(JsonReader &r, const Json &json,
                                      size_t loops) {
  std::vector<unsigned> path;
  if (!json.contains("path") || !json["path"].is_array()) {
    r.fail("'path' is not a list");
    return path;
  }
  for (const Json &item : json["path"]) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() >= loops) {
      r.fail("'path' names no loop");
      return path;
    }
    path.push_back(item.get<unsigned>());
  }
  if (path.size() > detail::MaxDepth)
    r.fail("'path' is too deep");
  return path;
}

/// Numbers in the code must name parameters and loops that exist.
static bool codeFits(const Contract &c, const std::vector<Instr> &code) {
  for (const Instr &i : code) {
    if ((i.op == Op::Param || i.op == Op::Data) &&
        (i.value >= int64_t(c.params.size()) ||
         c.params[i.value].isArray != (i.op == Op::Data)))
      return false;
    if (i.op == Op::Counter && i.value >= int64_t(c.loops.size()))
      return false;
  }
  return true;
}

static bool allCodeFits(const Contract &c) {
  bool ok = true;
  auto check = [&](const IndexExpr &e) { ok = ok && codeFits(c, e.code); };
  for (const Param &p : c.params)
    for (const auto &e : {p.extent, p.derived})
      if (e)
        check(*e);
  for (const Loop &l : c.loops) {
    check(l.first);
    check(l.last);
    check(l.step);
  }
  for (const Access &a : c.accesses) {
    check(a.index);
    for (const IndexExpr &e : a.conditions)
      check(e);
  }
  for (const RangeGuard &g : c.guards) {
    check(g.value);
    check(g.below);
  }
  for (const IndexExpr &e : c.assumptions)
    check(e);
  return ok;
}

static void readAccesses(const Json &json, JsonReader &r, Contract &c) {
  size_t n = 0;
  r.list("accesses", [&](JsonReader &item) {
    Access a;
    a.array = item.text("array");
    a.writes = item.flag("writes");
    a.index = readExpr(item.object("index"));
    a.path = readPath(item, json["accesses"][n], c.loops.size());
    if (item.has("accumulates")) {
      a.accumulates = true;
      a.op = item.text("accumulates");
    }
    if (item.has("conditions"))
      for (const std::string &text : item.texts("conditions")) {
        auto code = parseCode(text);
        if (code)
          a.conditions.push_back({*code, ""});
        else
          item.fail(llvm::toString(code.takeError()));
      }
    if (!c.param(a.array) || !c.param(a.array)->isArray)
      item.fail("'array' names no array parameter");
    c.accesses.push_back(std::move(a));
    ++n;
  });
}

static void readGuards(const Json &json, JsonReader &r, Contract &c) {
  size_t n = 0;
  r.list("guards", [&](JsonReader &item) {
    RangeGuard g;
    g.value.code = item.code("value");
    g.below.code = item.code("below");
    g.path = readPath(item, json["guards"][n++], c.loops.size());
    g.why = item.text("why");
    c.guards.push_back(std::move(g));
  });
}

llvm::Expected<Contract> contractFromJson(const Json &json) {
  std::string error;
  JsonReader r(json, "", error);
  Contract c;
  if (error.empty() && r.text("schema") != ContractSchema)
    r.fail("'schema' is not " + std::string(ContractSchema) +
           "; it was written by another version of autokernel");
  if (error.empty() && r.integer("abi") != AbiVersion)
    r.fail("'abi' is not the one of this version");
  if (!error.empty())
    return jsonError("contract " + error);
  c.id = r.text("id");
  c.function = r.text("function");
  c.place = readPlace(r.object("place"));
  c.isC = r.text("language") == "c";
  c.regionClass = r.text("class");
  c.fingerprint = r.text("fingerprint");
  r.list("parameters",
         [&](JsonReader &item) { c.params.push_back(readParam(item)); });
  r.list("loops", [&](JsonReader &item) {
    c.loops.push_back(readLoop(item, c.loops.size()));
  });
  readAccesses(json, r, c);
  readGuards(json, r, c);
  r.list("assumptions",
         [&](JsonReader &item) { c.assumptions.push_back(readExpr(item)); });
  JsonReader floats = r.object("floats");
  c.floats = {floats.text("contract"), floats.flag("fast_math"),
              floats.flag("reassociate")};
  JsonReader tolerance = r.object("tolerance");
  c.tolerance.exact = tolerance.flag("exact");
  if (tolerance.has("relative"))
    c.tolerance.relative = tolerance.number("relative");
  if (error.empty() && !allCodeFits(c))
    r.fail("an index expression names a parameter or loop that isn't there");
  if (!error.empty())
    return jsonError("contract: " + error);
  return c;
}

llvm::Expected<Json> parseJson(const std::string &text,
                               const std::string &where) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return jsonError(where + ": is not valid JSON; it may have been cut short "
                             "or edited; restore it or delete it and generate "
                             "again");
  return json;
}

} // namespace autokernel
