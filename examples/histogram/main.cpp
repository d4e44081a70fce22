// How often each byte occurs: iterations that add to the same counters.
#include <cstdio>
#include <vector>

static void histogram(int n, const unsigned char *bytes, unsigned *counts) {
  [[autokernel]]
  for (int i = 0; i < n; ++i)
    counts[bytes[i]] += 1;
}

int main() {
  const int n = 1 << 22;
  std::vector<unsigned char> bytes(n);
  std::vector<unsigned> counts(256, 0);
  for (int i = 0; i < n; ++i)
    bytes[i] =
        static_cast<unsigned char>((i % 16) * (i % 16)); // 0, 1, 4, ... 225

  histogram(n, bytes.data(), counts.data());

  unsigned total = 0;
  int wrong = 0;
  for (int v = 0; v < 256; ++v) {
    unsigned expected = 0;
    for (int k = 0; k < 16; ++k)
      expected += k * k == v ? n / 16 : 0;
    wrong += counts[v] != expected;
    total += counts[v];
  }
  std::printf("histogram: %u bytes counted, %d of 256 counters wrong\n", total,
              wrong);
  return wrong != 0 || total != unsigned(n);
}
