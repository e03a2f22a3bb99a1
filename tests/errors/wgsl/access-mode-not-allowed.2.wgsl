@group(0) @binding(0) var<storage, write> a: u32;
