// Contracts made by hand, as small as the tests need them.
#pragma once

#include "support/ContractJson.h"

namespace autokernel::tests {

inline const ElementType Int32{ElementType::Int, 32, "int"};
inline const ElementType Float32{ElementType::Float, 32, "float"};

inline IndexExpr expr(const std::string &code) {
  return {llvm::cantFail(parseCode(code)), code};
}

inline Param scalar(const std::string &name, const ElementType &type) {
  Param p;
  p.name = p.argument = name;
  p.type = type;
  p.sizeLike = type.kind != ElementType::Float;
  return p;
}

inline Param array(const std::string &name, const ElementType &type,
                   Role role) {
  Param p;
  p.name = p.argument = name;
  p.type = type;
  p.isArray = true;
  p.role = role;
  return p;
}

inline Access access(const std::string &array, bool writes,
                     const std::string &index) {
  Access a;
  a.array = array;
  a.writes = writes;
  a.index = expr(index);
  a.path = {0};
  return a;
}

inline Loop countTo(const std::string &last) {
  Loop l;
  l.counter = "i";
  l.counterType = Int32;
  l.first = expr("0");
  l.last = expr(last);
  l.step = expr("1");
  l.comparison = "<";
  l.order = Order::Proved;
  l.why = "independent";
  return l;
}

/// for i < n: y[i] = f(x[i]); parameters n, x, y.
inline Contract mapContract(const ElementType &type = Float32) {
  Contract c;
  c.id = c.function = "map";
  c.place = {"map.cpp", 1, 1};
  c.regionClass = "map";
  c.fingerprint = std::string(32, '0');
  c.params = {scalar("n", Int32), array("x", type, Role::In),
              array("y", type, Role::InOut)};
  c.loops = {countTo("n0 1 -")};
  c.accesses = {access("x", false, "i0"), access("y", true, "i0")};
  return c;
}

/// for i < n: y[i] = x[idx[i]]; parameters n, m, idx, x with m elements, y.
inline Contract gatherContract() {
  Contract c = mapContract();
  c.id = c.function = "gather";
  Param index = array("idx", Int32, Role::In);
  index.indexLike = true;
  Param x = array("x", Float32, Role::In);
  x.extent = expr("n1");
  x.nullable = true;
  c.params = {scalar("n", Int32), scalar("m", Int32), index, x,
              array("y", Float32, Role::InOut)};
  c.accesses = {access("idx", false, "i0"), access("x", false, "d2"),
                access("y", true, "i0")};
  c.guards = {{expr("n0"), expr("n1 1 +"), {}, "n is at most m"}};
  c.assumptions = {expr("n1 1 -")};
  c.tolerance.relative = 1e-3;
  return c;
}

/// for i < n: sum += x[i]; parameters n, x, sum.
inline Contract sumContract() {
  Contract c = mapContract();
  c.id = c.function = "sum";
  c.regionClass = "reduction";
  Param sum = scalar("sum", Float32);
  sum.role = Role::InOut;
  sum.sizeLike = false;
  c.params = {scalar("n", Int32), array("x", Float32, Role::In), sum};
  c.params[0].typical = 100;
  c.loops[0].reductions = {{"sum", "+", Float32}};
  c.accesses = {access("x", false, "i0")};
  c.accesses[0].conditions = {expr("i0 1 -")};
  return c;
}

} // namespace autokernel::tests
