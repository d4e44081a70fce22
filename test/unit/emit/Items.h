// Regions for the tests of emit: what scan, model and store would give.
#pragma once

#include "emit/Emit.h"

namespace autokernel {

inline IndexExpr expr(std::vector<Instr> code, std::string text = "") {
  return {std::move(code), std::move(text)};
}

inline Param scalarParam(std::string name, ElementType type,
                         Role role = Role::In) {
  Param p;
  p.name = p.argument = std::move(name);
  p.type = std::move(type);
  p.role = role;
  return p;
}

inline Param arrayParam(std::string name, ElementType type, Role role) {
  Param p = scalarParam(std::move(name), std::move(type), role);
  p.isArray = true;
  return p;
}

inline const ElementType IntType = {ElementType::Int, 32, "int"};
inline const ElementType FloatType = {ElementType::Float, 32, "float"};
inline const ElementType DoubleType = {ElementType::Float, 64, "double"};
inline const ElementType BoolType = {ElementType::Bool, 8, "bool"};

/// for (i = 0; i < n; ++i) ... over one loop and parameter 0 as its bound.
inline Loop plainLoop() {
  Loop l;
  l.counter = "i";
  l.first = expr({{Op::Const, 0}});
  l.last = expr({{Op::Param, 0}, {Op::Const, 1}, {Op::Sub, 0}});
  l.step = expr({{Op::Const, 1}});
  l.order = Order::Proved;
  return l;
}

inline Access plainAccess(std::string array, bool writes) {
  Access a;
  a.array = std::move(array);
  a.writes = writes;
  a.index = expr({{Op::Counter, 0}});
  a.path = {0};
  return a;
}

inline const char SaxpyKernel[] = R"(// saxpy
#include <cuda_runtime.h>
#define BLOCK 256
namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
} // namespace
extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
)";

inline EmitItem saxpyItem() {
  EmitItem item;
  Contract &c = item.contract;
  c.id = "saxpy";
  c.place = {"src/saxpy.cpp", 3, 1};
  c.fingerprint = "00112233445566778899aabbccddeeff";
  c.params = {scalarParam("n", IntType), scalarParam("a", FloatType),
              arrayParam("x", FloatType, Role::In),
              arrayParam("y", FloatType, Role::InOut)};
  c.loops = {plainLoop()};
  c.accesses = {plainAccess("x", false), plainAccess("y", false),
                plainAccess("y", true)};
  item.kernelPath = "/store/saxpy.cu";
  item.kernelSource = SaxpyKernel;
  item.kernelDigest = "digest";
  return item;
}

inline const char SumKernel[] = R"(// sum: every kind of parameter
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#define BLOCK 128
namespace {
__global__ void kernel(int n, bool twice, const float *x, double *sum) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int i = 0; i < n; ++i)
      *sum += (twice ? 2 : 1) * x[i];
}
} // namespace
extern "C" size_t autokernel_sum_workspace(int n, bool twice, size_t x_extent) {
  return n + twice + x_extent;
}
extern "C" cudaError_t autokernel_sum(int n, bool twice, const float *x,
                                      double *sum, void *workspace,
                                      size_t workspace_bytes,
                                      cudaStream_t stream) {
  kernel<<<1, BLOCK, 0, stream>>>(n, twice, x, sum);
  return cudaGetLastError();
}
)";

inline EmitItem sumItem() {
  EmitItem item;
  Contract &c = item.contract;
  c.id = "sum";
  c.place = {"src/sum.cpp", 9, 1};
  c.fingerprint = "ffeeddccbbaa99887766554433221100";
  c.params = {scalarParam("n", IntType), scalarParam("twice", BoolType),
              arrayParam("x", FloatType, Role::In),
              scalarParam("total", DoubleType, Role::InOut)};
  Loop loop = plainLoop();
  loop.reductions = {{"total", "+", DoubleType}};
  c.loops = {loop};
  c.accesses = {plainAccess("x", false)};
  c.accesses[0].conditions = {expr({{Op::Counter, 0}}),
                              expr({{Op::Unknown, 0}})};
  c.assumptions = {expr({{Op::Const, 1}})};
  c.guards = {{expr({{Op::Counter, 0}}), expr({{Op::Param, 0}}), {0}, "why"}};
  c.tolerance.relative = 1e-5;
  item.kernelPath = "/store/sum.cu";
  item.kernelSource = SumKernel;
  item.kernelDigest = "other";
  return item;
}

/// Sets the region to the statement between the marks «from» and «to».
inline void place(EmitItem &item, const std::string &source,
                  const std::string &from, const std::string &to) {
  item.region.begin = unsigned(source.find(from));
  item.region.end = unsigned(source.find(to, item.region.begin) + to.size());
  size_t attribute = source.rfind("[[autokernel", item.region.begin);
  if (attribute == std::string::npos)
    return;
  item.region.attributeBegin = unsigned(attribute);
  item.region.attributeEnd = unsigned(source.find("]]", attribute) + 2);
}

} // namespace autokernel
