// The CUDA runtime header as candidates see it on the emulator.
#ifndef AUTOKERNEL_CUDA_RUNTIME_H
#define AUTOKERNEL_CUDA_RUNTIME_H
#include "autokernel_atomics.h"
#include "autokernel_host.h"
#include "autokernel_loads.h"
#include "autokernel_math.h"
#include "autokernel_runtime.h"
#include "autokernel_warp.h"
#include "stdio.h"
#include "stdlib.h"
#include "string.h"
#include "vector_types.h"
#if defined(__AUTOKERNEL_CHECK__) && defined(__AUTOKERNEL_DEVICE__)
#include "autokernel_check.h"
#endif
#endif
