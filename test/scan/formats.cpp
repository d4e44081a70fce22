// Refusals as SARIF and as GitHub's workflow commands; what mends them.
// RUN: rm -rf %t && mkdir -p %t
// RUN: not %autokernel scan --format=sarif %s -- -std=c++17 > %t/log.sarif
// RUN: %python %S/Inputs/check_sarif.py %t/log.sarif %s %t/mended.cpp | FileCheck --check-prefix=SARIF %s
// RUN: not %autokernel scan --format=github %s -- -std=c++17 | FileCheck --check-prefix=GITHUB %s
// RUN: not %autokernel scan --format=json %s -- -std=c++17 | FileCheck --check-prefix=JSON %s
// RUN: not %autokernel scan %s -- -std=c++17 | FileCheck --check-prefix=TEXT %s
// RUN: not %autokernel scan --format=xml %s -- 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: --format is one of text, json, sarif, github

// With the fixes the two attributes are fine.
// RUN: not %autokernel scan %t/mended.cpp -- -std=c++17 | FileCheck --check-prefix=MENDED --implicit-check-not=attribute-misuse %s
// MENDED: plain taken
// MENDED: refused [carried-dependence]

// The store's states are told, too.
// RUN: not %autokernel check --kernel-dir %t/none --format=github %s -- -std=c++17 | FileCheck --check-prefix=STORE %s
// STORE: ::error file={{.*}},title=plain [missing]::the kernel is missing

void plain(float *x, int n) {
  // SARIF: attribute-misuse - at autokernel_exakt{{\]\]}} - there is no clause 'autokernel_exakt'
  // GITHUB: ::error file={{.*}}formats.cpp,line=[[#@LINE+4]],col=17,title=[attribute-misuse]::there is no clause 'autokernel_exakt'; docs/annotations.md lists them%0A{{.*}}formats.cpp:[[#@LINE+4]]: replace by 'autokernel_exact'
  // TEXT: fix: {{.*}}formats.cpp:[[#@LINE+3]]:17: replace by 'autokernel_exact'
  // JSON: "fixes":
  // JSON: "text": "autokernel_exact"
  [[autokernel, autokernel_exakt]] for (int i = 0; i < n; ++i) x[i] *= 2;
  // SARIF: attribute-misuse - at autokernel{{\]\]}} - this spelling is not known
  // TEXT: fix: {{.*}}formats.cpp:[[#@LINE+1]]:5: remove 5 characters
  [[gnu::autokernel]] for (int i = 0; i < n; ++i) x[i] *= 2;
}

// SARIF: carried-dependence carried at x[i] -
// SARIF-NEXT: note:
void carried(float *x, int n) {
  // GITHUB: ::error file={{.*}}formats.cpp,line=[[#@LINE+1]],col={{[0-9]+}},title=carried [carried-dependence]::{{.*}}%0A{{.*}}formats.cpp:[[#@LINE+1]]:
  [[autokernel]] for (int i = 1; i < n; ++i) x[i] += x[i - 1];
}
