# What the lit suites share. Loaded by the lit.site.cfg.py of a build.
import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

config.name = "autokernel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs", "unit", "cmake", "fuzz", "lit"]

path = [config.autokernel_llvm_tools, config.environment.get("PATH", "")]
if config.autokernel_nvcc:
    path.append(os.path.dirname(config.autokernel_nvcc))
config.environment["PATH"] = os.pathsep.join(path)
config.environment["CLANG_NO_DEFAULT_CONFIG"] = "1"
for name in ("CUDACXX", "CUDA_HOME", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Keys, budgets and modes of the person who runs the tests are not the tests'.
for name in [n for n in config.environment if n.startswith("AUTOKERNEL")]:
    del config.environment[name]

config.substitutions += [
    ("%autokernel", config.autokernel_tool),
    ("%source_dir", config.autokernel_source_dir),
    ("%binary_dir", config.autokernel_binary_dir),
    ("%python", shlex.quote(sys.executable)),
]


def has_gpu():
    if not shutil.which("nvidia-smi"):
        return False
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0


if config.autokernel_nvcc:
    config.available_features.add("nvcc")
for program in ("bash", "zsh", "fish", "mandoc"):
    if shutil.which(program):
        config.available_features.add(program)
if has_gpu():
    config.available_features.add("gpu")
else:
    lit_config.note("no GPU here: the tests of test/gpu are skipped")
