@compute @workgroup_size(64) fn f(@builtin(local_invocation_index) i: u32) {
  if i < 32 {
    workgroupBarrier();
  }
}
