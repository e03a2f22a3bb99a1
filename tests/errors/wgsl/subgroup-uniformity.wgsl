enable subgroups;
@compute @workgroup_size(64) fn f(@builtin(subgroup_invocation_id) i: u32) {
  var sum = 0u;
  for (var k = 0u; k < i; k++) {
    sum = subgroupAdd(sum);
  }
}
