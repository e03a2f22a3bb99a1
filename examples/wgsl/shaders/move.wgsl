// SPDX-License-Identifier: Apache-2.0
// Moves particles: towards a point, or away from each other.

struct Particle {
  place: vec3f,
  mass: f32,
  speed: vec3f,
}

struct Frame {
  seconds: f32,
  point: vec3f,
}

@id(7) override group_size: u32 = 64;
override damping: f32 = 1;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;

/// The places of the particles of one workgroup, so that each is read from the buffer once.
var<workgroup> places: array<vec4f, group_size>;

fn push(particle: ptr<function, Particle>, force: vec3f) {
  let p = particle;
  (*p).speed = ((*p).speed + force * frame.seconds / (*p).mass) * damping;
  (*p).place += (*p).speed * frame.seconds;
}

@compute @workgroup_size(group_size)
fn attract(@builtin(global_invocation_id) id: vec3u) {
  if id.x >= arrayLength(&particles) {
    return;
  }
  var particle = particles[id.x];
  push(&particle, frame.point - particle.place);
  particles[id.x] = particle;
}

@compute @workgroup_size(group_size)
fn scatter(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  let count = arrayLength(&particles);
  var particle = particles[min(id.x, count - 1)];
  places[local] = vec4f(particle.place, select(0f, particle.mass, id.x < count));
  workgroupBarrier();
  var force = vec3f();
  for (var i = 0u; i < group_size; i++) {
    let away = particle.place - places[i].xyz;
    force += away * places[i].w / max(dot(away, away), 1e-3);
  }
  push(&particle, force);
  if id.x < count {
    particles[id.x] = particle;
  }
}
