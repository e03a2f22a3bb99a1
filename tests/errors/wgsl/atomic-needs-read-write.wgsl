@group(0) @binding(0) var<storage> a: atomic<u32>;
