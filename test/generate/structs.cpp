// Arrays of structs whose numbers have one type.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++20 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/structs-main.cpp %t/run -std=c++20
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/drift.reference.cpp
#include <array>
#include <cstddef>
#include <vector>

struct Vec { float x, y, z; };
struct Particle { Vec pos, vel; float mass, history[3]; };

// CHECK: drift fresh template map{{.*}} verified on the emulator
// REFERENCE: void autokernel_reference(float (*p)[10], int n, float dt)
// REFERENCE: p[i][0] += dt * p[i][3];
// REFERENCE: (p[i] + 7)[1] = p[i][6];
void drift(Particle *p, int n, float dt) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    p[i].pos.x += dt * p[i].vel.x;
    p[i].history[1] = p[i].mass;
  }
}

// CHECK: containers fresh template map{{.*}} verified on the emulator
void containers(std::vector<Particle> &p, const std::vector<std::array<double, 3>> &f, float dt) {
  [[autokernel]] for (std::size_t i = 0; i < p.size(); ++i) {
    p[i].vel.x += dt * f[i][0];
    p[i].vel.y += dt * f[i][1];
    p[i].vel.z += dt * f[i][2];
  }
}

// CHECK: references fresh template map{{.*}} verified on the emulator
void references(std::vector<Particle> &p, const Vec *force, float dt) {
  [[autokernel]] for (std::size_t i = 0; i < p.size(); ++i) {
    Particle &one = p[i];
    const auto &f = force[i];
    one.vel.x += f.x * dt;
    one.history[2] += f.y;
  }
}

// CHECK: range fresh template map{{.*}} verified on the emulator
void range(std::vector<Particle> &particles, float g) {
  [[autokernel]] for (auto &p : particles) {
    p.vel.z -= g;
    p.pos.z += p.vel.z;
  }
}

// CHECK: energy fresh template {{.*}} verified on the emulator
float energy(const std::vector<Particle> &particles) {
  float e = 0;
  [[autokernel]] for (const Particle &p : particles) e += p.mass * p.vel.x * p.vel.x;
  return e;
}
