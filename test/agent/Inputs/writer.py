"""A program that answers prompts: writer.py KIND...

The n-th attempt gets the n-th KIND of candidate, later ones the last.
"""
import re
import sys
import time

GOOD = """// One block: each thread adds its share, warps combine by shuffles.
#include <cuda_runtime.h>
namespace {
__global__ void total_kernel(const float *x, int n, float *sum) {
  __shared__ float part[8];
  float own = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    own += x[i];
  for (int d = 16; d > 0; d /= 2)
    own += __shfl_down_sync(0xffffffffu, own, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 0; w < 8; ++w)
      *sum += part[w];
}
}
extern "C" cudaError_t autokernel_total(const float *x, int n, float *sum, void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  if (n > 0)
    total_kernel<<<1, 256, 0, stream>>>(x, n, sum);
  return cudaGetLastError();
}
"""

CANDIDATES = {
    "good": GOOD,
    "syntax": GOOD.replace("own += x[i]", "own += x[i]]"),
    "race": GOOD.replace("  __syncthreads();\n", ""),
    "wrong": GOOD.replace("i < n;", "i < n - 1;"),
    "outside": GOOD.replace("i < n;", "i <= n;"),
    "rule": GOOD.replace("own += x[i];", "own += x[i]; printf(\"%f\", own);").replace(
        "<cuda_runtime.h>", "<cuda_runtime.h>\n#include <cstdio>"
    ),
    "forever": GOOD.replace("i += 256", "i += 0"),
    "bare": GOOD.split("\n", 1)[1],
    "cheat": GOOD.replace("own += x[i];", "own += x[0];"),
}


def answer(kind):
    if kind == "empty":
        return ""
    if kind == "words":
        return "I am sorry, but that loop is fine as it is."
    if kind == "cut":
        return "Idea: cut short\n```cuda\n" + GOOD[:400]
    if kind == "other":
        return "```cuda\nint main() {}\n```"
    return f"Idea: one block with shuffles ({kind})\n\n```cuda\n{CANDIDATES[kind]}```\n"


def main():
    kinds = sys.argv[1:]
    prompt = sys.stdin.read()
    attempt = len(re.findall(r"^\| \d+ \|", prompt, re.M))
    kind = kinds[min(attempt, len(kinds) - 1)]
    if kind == "sleep":
        time.sleep(60)
    if kind == "fail":
        sys.exit(3)
    if kind == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    sys.stdout.write(answer(kind))


if __name__ == "__main__":
    main()
