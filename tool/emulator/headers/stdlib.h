#pragma once
#include "autokernel_math.h"
__device__
    __AK_UNSUPPORTED("memory allocation in kernels") void *malloc(size_t);
__device__ __AK_UNSUPPORTED("memory allocation in kernels") void free(void *);
