#include "emit/Tables.h"
#include "emit/Symbols.h"

#include "llvm/Support/ErrorHandling.h"

namespace autokernel {
namespace {

const char *nameOf(Op op) {
  switch (op) {
  case Op::Const:
    return "Const";
  case Op::Param:
    return "Param";
  case Op::Counter:
    return "Counter";
  case Op::Data:
    return "Data";
  case Op::Add:
    return "Add";
  case Op::Sub:
    return "Sub";
  case Op::Mul:
    return "Mul";
  case Op::Div:
    return "Div";
  case Op::Rem:
    return "Rem";
  case Op::Neg:
    return "Neg";
  case Op::Min:
    return "Min";
  case Op::Max:
    return "Max";
  case Op::Shl:
    return "Shl";
  case Op::Shr:
    return "Shr";
  case Op::And:
    return "And";
  case Op::Unknown:
    return "Unknown";
  }
  llvm_unreachable("all operations are named");
}

const char *nameOf(Role role) {
  switch (role) {
  case Role::In:
    return "Role::In";
  case Role::Out:
    return "Role::Out";
  case Role::InOut:
    return "Role::InOut";
  }
  llvm_unreachable("all roles are named");
}

const char *nameOf(ElementType::Kind kind) {
  switch (kind) {
  case ElementType::Bool:
    return "Kind::Bool";
  case ElementType::Int:
    return "Kind::Int";
  case ElementType::UInt:
    return "Kind::UInt";
  case ElementType::Float:
    return "Kind::Float";
  }
  llvm_unreachable("all kinds are named");
}

/// INT64_MIN has no literal.
std::string literal(int64_t v) {
  return v == INT64_MIN ? "INT64_MIN" : std::to_string(v);
}

struct Writer {
  const Contract &contract;
  std::string instrs, paths, conditions; // entries so far
  unsigned instrCount = 0, pathCount = 0, conditionCount = 0;
  std::vector<bool> indexArrays =
      std::vector<bool>(contract.params.size(), false);

  explicit Writer(const Contract &c) : contract(c) {}

  unsigned loopIndex(uint64_t id) const {
    for (unsigned i = 0; i < contract.loops.size(); ++i)
      if (contract.loops[i].id == id)
        return i;
    llvm::report_fatal_error("a contract refers to a loop it doesn't have");
  }

  unsigned paramIndex(const std::string &name) const {
    for (unsigned i = 0; i < contract.params.size(); ++i)
      if (contract.params[i].name == name)
        return i;
    llvm::report_fatal_error("a contract refers to an array it doesn't have");
  }

  std::string code(const IndexExpr &e) {
    if (e.code.empty())
      return "{}";
    std::string text = "{instrs + " + std::to_string(instrCount) + ", " +
                       std::to_string(e.code.size()) + "}";
    for (const Instr &i : e.code) {
      int64_t value = i.op == Op::Counter ? loopIndex(i.value) : i.value;
      if (i.op == Op::Data)
        indexArrays.at(size_t(value)) = true;
      instrs += "    {Op::" + std::string(nameOf(i.op)) + ", " +
                literal(value) + "},\n";
      ++instrCount;
    }
    return text;
  }

  /// "pointer, depth".
  std::string path(const std::vector<unsigned> &ids) {
    if (ids.empty())
      return "nullptr, 0";
    std::string text = "paths + " + std::to_string(pathCount) + ", " +
                       std::to_string(ids.size());
    for (unsigned id : ids)
      paths += (pathCount++ ? ", " : "") + std::to_string(loopIndex(id));
    return text;
  }

  /// "pointer, count"; a condition nothing is known of narrows nothing.
  std::string conditionList(const std::vector<IndexExpr> &list) {
    unsigned first = conditionCount;
    for (const IndexExpr &e : list)
      if (e.known()) {
        conditions += "    " + code(e) + ",\n";
        ++conditionCount;
      }
    if (first == conditionCount)
      return "nullptr, 0";
    return "conditions + " + std::to_string(first) + ", " +
           std::to_string(conditionCount - first);
  }
};

const char *truth(bool b) { return b ? "true" : "false"; }

bool accumulates(const Loop &l) {
  return l.order == Order::Sequential || !l.reductions.empty() ||
         !l.atomics.empty() || !l.scans.empty();
}

std::string loopRows(Writer &w) {
  std::string rows;
  for (const Loop &l : w.contract.loops)
    rows += "    {" + w.code(l.first) + ", " + w.code(l.last) + ", " +
            w.code(l.step) + "},\n";
  return rows;
}

std::string factRows(const Writer &w) {
  std::string rows;
  for (const Loop &l : w.contract.loops) {
    int parent = l.parent < 0 ? -1 : int(w.loopIndex(uint64_t(l.parent)));
    rows += "    {" + std::to_string(parent) + ", " + truth(accumulates(l)) +
            "},\n";
  }
  return rows;
}

std::string accessRows(Writer &w) {
  std::string rows;
  for (const Access &a : w.contract.accesses)
    rows += "    {" + std::to_string(w.paramIndex(a.array)) + ", " +
            truth(a.writes) + ", " + w.code(a.index) + ", " + w.path(a.path) +
            ", " + w.conditionList(a.conditions) + "},\n";
  return rows;
}

std::string guardRows(Writer &w) {
  std::string rows;
  for (const RangeGuard &g : w.contract.guards)
    rows += "    {" + w.code(g.value) + ", " + w.code(g.below) + ", " +
            w.path(g.path) + ", " +
            quoted(g.why.empty() ? "a range guard fails" : g.why) + "},\n";
  return rows;
}

std::string assumptionRows(Writer &w) {
  std::string rows;
  for (const IndexExpr &e : w.contract.assumptions)
    rows += "    " + w.code(e) + ",\n";
  return rows;
}

/// Last, as it needs to know which arrays are index arrays.
std::string paramRows(Writer &w) {
  std::string rows;
  for (unsigned i = 0; i < w.contract.params.size(); ++i) {
    const Param &p = w.contract.params[i];
    unsigned bytes = p.type.bits < 8 ? 1 : p.type.bits / 8;
    std::string extent = p.extent ? w.code(*p.extent) : "{}";
    rows += "    {" + quoted(p.name) + ", " + nameOf(p.type.kind) + ", " +
            std::to_string(bytes) + ", " + truth(p.isArray) + ", " +
            nameOf(p.role) + ", " + truth(p.nullable) + ", " +
            truth(p.overwritten) + ", " + truth(w.indexArrays[i]) + ", " +
            extent + "},\n";
  }
  return rows;
}

std::string table(const char *type, const char *name, const std::string &rows) {
  std::string head = "[[maybe_unused]] constexpr " + std::string(type) + " ";
  if (rows.empty())
    return head + "*" + name + " = nullptr;\n";
  return head + name + "[] = {\n" + rows + "};\n";
}

} // namespace

std::string contractTables(const Contract &contract) {
  Writer w(contract);
  std::string loops = loopRows(w), facts = factRows(w);
  std::string accesses = accessRows(w), guards = guardRows(w);
  std::string assumptions = assumptionRows(w), params = paramRows(w);
  return table("Instr", "instrs", w.instrs) +
         table("unsigned", "paths",
               w.paths.empty() ? "" : "    " + w.paths + "\n") +
         table("Code", "conditions", w.conditions) +
         table("ParamInfo", "params", params) +
         table("LoopCode", "loops", loops) +
         table("LoopFacts", "facts", facts) +
         table("AccessCode", "accesses", accesses) +
         table("GuardCode", "guards", guards) +
         table("Code", "assumptions", assumptions);
}

} // namespace autokernel
