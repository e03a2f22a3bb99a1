@compute @workgroup_size(1)
fn main() {
  loop {
    if true { break; } else { break; }
    let ends = vec2(false, false);
    continuing {
      break if ends.x;
    }
  }
}
