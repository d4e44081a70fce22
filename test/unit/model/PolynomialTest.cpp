// Polynomial and ValueTable.
#include "model/Polynomial.h"

#include <gtest/gtest.h>

using namespace autokernel;

namespace {

Polynomial param(unsigned n) { return Polynomial::atom({Atom::Param, n}); }
Polynomial counter(unsigned n) { return Polynomial::atom({Atom::Counter, n}); }
Polynomial number(int64_t v) { return Polynomial::constant(v); }

std::string text(const Polynomial &p) {
  return toText(p, [](Atom a) {
    return std::string(1, "pco"[a.kind]) + std::to_string(a.number);
  });
}

TEST(Polynomial, AddsAndCancels) {
  EXPECT_EQ(text(param(0) + param(1)), "p0 + p1");
  EXPECT_EQ(param(0) - param(0), number(0));
  EXPECT_TRUE((param(0) - param(0)).terms.empty());
  EXPECT_EQ(text(number(3) + param(0) - number(3)), "p0");
}

TEST(Polynomial, MultiplicationCommutesAndDistributes) {
  Polynomial a = param(0) + counter(1), b = param(2) - number(4),
             c = counter(0) * counter(1) + number(7);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ((a * b) * c, a * (b * c));
  EXPECT_EQ(a * (b + c), a * b + a * c);
  EXPECT_EQ(a * (b - c), a * b - a * c);
}

TEST(Polynomial, BinomialFormula) {
  Polynomial a = param(0), b = param(1);
  EXPECT_EQ((a + b) * (a - b), a * a - b * b);
  EXPECT_EQ((a + b) * (a + b), a * a + number(2) * a * b + b * b);
}

TEST(Polynomial, Constants) {
  EXPECT_TRUE(number(0).isConstant());
  EXPECT_TRUE(number(5).isConstant());
  EXPECT_EQ(number(5).constantTerm(), 5);
  EXPECT_FALSE(param(0).isConstant());
  EXPECT_FALSE((param(0) + number(2)).isConstant());
  EXPECT_EQ((param(0) + number(2)).constantTerm(), 2);
  EXPECT_EQ(param(0) * number(0), number(0));
}

TEST(Polynomial, WrapsRatherThanTraps) {
  Polynomial big = number(INT64_MAX);
  EXPECT_EQ((big + number(1)).constantTerm(), INT64_MIN);
}

TEST(Polynomial, Text) {
  EXPECT_EQ(text(number(0)), "0");
  EXPECT_EQ(text(number(-3)), "-3");
  EXPECT_EQ(text(number(-1) * param(0)), "-p0");
  EXPECT_EQ(text(number(2) * param(0) * counter(1) - number(1)),
            "-1 + 2*p0*c1");
}

TEST(ValueTable, SumsAndProductsArePolynomials) {
  ValueTable t;
  Value v = t.combine(Op::Add, t.combine(Op::Mul, t.counter(0), t.param(1)),
                      t.counter(1));
  ASSERT_TRUE(v.known);
  EXPECT_EQ(v.poly, counter(0) * param(1) + counter(1));
  EXPECT_EQ(v.code.size(), 5u);
}

TEST(ValueTable, ConstantsFold) {
  ValueTable t;
  struct Case {
    Op op;
    int64_t a, b, want;
  };
  for (Case c : {Case{Op::Div, 7, 2, 3}, Case{Op::Div, -7, 2, -3},
                 Case{Op::Rem, -7, 2, -1}, Case{Op::Min, 3, -4, -4},
                 Case{Op::Max, 3, -4, 3}, Case{Op::Shl, 3, 4, 48},
                 Case{Op::Shr, -8, 1, -4}, Case{Op::And, 12, 10, 8}}) {
    Value v = t.combine(c.op, t.constant(c.a), t.constant(c.b));
    ASSERT_TRUE(v.known);
    ASSERT_TRUE(v.poly.isConstant()) << int(c.op);
    EXPECT_EQ(v.poly.constantTerm(), c.want) << int(c.op);
  }
}

TEST(ValueTable, DivisionByZeroIsNoConstant) {
  ValueTable t;
  EXPECT_FALSE(
      t.combine(Op::Div, t.constant(7), t.constant(0)).poly.isConstant());
  EXPECT_FALSE(
      t.combine(Op::Rem, t.constant(7), t.constant(0)).poly.isConstant());
}

TEST(ValueTable, ShiftByAConstantIsAProduct) {
  ValueTable t;
  EXPECT_EQ(t.combine(Op::Shl, t.counter(0), t.constant(3)).poly,
            number(8) * counter(0));
}

TEST(ValueTable, EqualQuotientsAreOneOpaqueValue) {
  ValueTable t;
  Value a = t.combine(Op::Div, t.param(0), t.param(1));
  Value b = t.combine(Op::Div, t.param(0), t.param(1));
  Value c = t.combine(Op::Div, t.param(1), t.param(0));
  EXPECT_EQ(a.poly, b.poly);
  EXPECT_NE(a.poly, c.poly);
}

TEST(ValueTable, CountersOfLooksIntoOpaqueValues) {
  ValueTable t;
  Value q = t.combine(Op::Div, t.counter(2), t.constant(4));
  Value v = t.combine(Op::Add, t.combine(Op::Mul, q, t.param(0)), t.counter(5));
  EXPECT_EQ(t.countersOf(v.poly), (std::set<unsigned>{2, 5}));
}

TEST(ValueTable, UnknownStaysUnknown) {
  ValueTable t;
  EXPECT_FALSE(t.combine(Op::Add, t.unknown(), t.constant(1)).known);
  EXPECT_FALSE(t.negate(t.unknown()).known);
  EXPECT_TRUE(t.element(0, t.unknown()).known); // some element: bounds exist
}

/// Runs postfix code on given values.
int64_t run(const std::vector<Instr> &code, const std::vector<int64_t> &params,
            const std::vector<int64_t> &counters) {
  std::vector<int64_t> stack;
  for (const Instr &i : code) {
    if (i.op == Op::Const)
      stack.push_back(i.value);
    else if (i.op == Op::Param)
      stack.push_back(params[i.value]);
    else if (i.op == Op::Counter)
      stack.push_back(counters[i.value]);
    else {
      int64_t b = stack.back();
      stack.pop_back();
      if (i.op == Op::Neg) {
        stack.push_back(-b);
        continue;
      }
      int64_t a = stack.back();
      stack.back() = i.op == Op::Add   ? a + b
                     : i.op == Op::Sub ? a - b
                     : i.op == Op::Mul ? a * b
                                       : a / b;
    }
  }
  EXPECT_EQ(stack.size(), 1u);
  return stack.back();
}

TEST(ValueTable, CodeForComputesThePolynomial) {
  ValueTable t;
  Value q = t.combine(Op::Div, t.param(0), t.constant(3));
  Value v = t.combine(
      Op::Sub,
      t.combine(Op::Mul, t.combine(Op::Add, q, t.counter(1)), t.param(1)),
      t.negate(t.combine(Op::Add, t.counter(0), t.constant(11))));
  std::vector<int64_t> params = {17, -5}, counters = {4, 9};
  EXPECT_EQ(run(v.code, params, counters), (5 + 9) * -5 + 15);
  EXPECT_EQ(run(t.codeFor(v.poly), params, counters), (5 + 9) * -5 + 15);
  EXPECT_EQ(run(t.codeFor(number(0)), params, counters), 0);
}

} // namespace
