// Members of structs in C.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c2x | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/c-members-main.c %t/run -std=c2x
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/aliased.reference.c

typedef struct { float *weights, *bias; int width; } Layer;
typedef struct { Layer layers[2]; Layer last; int limit; } Network;
typedef struct { float x, y, z; } Point;

// CHECK: forward fresh template {{.*}} verified on the emulator
void forward(const Network *net, const float *in, float *out) {
  [[autokernel]] for (int o = 0; o < net->last.width; o++) {
    float s = net->last.bias[o];
    for (int i = 0; i < net->last.width; i++)
      s += net->last.weights[o * net->last.width + i] * in[i];
    out[o] = s;
  }
}

// CHECK: aliased fresh template map{{.*}} verified on the emulator
// REFERENCE: void autokernel_reference(const int *net_limit, int *y, int n)
// REFERENCE: y[i] += net_limit[0];
void aliased(const Network *net, int *y, int n) {
  [[autokernel]] for (int i = 0; i < n; i++) y[i] += net->limit;
}

// CHECK: move fresh template map{{.*}} verified on the emulator
void move(Point *p, const Point *v, int n, float dt) {
  [[autokernel]] for (int i = 0; i < n; i++) {
    p[i].x += dt * v[i].x;
    p[i].y += dt * v[i].y;
    (p + i)->z = v[i].z;
  }
}
