@bindng(0) @group(0) var<uniform> a: f32;
