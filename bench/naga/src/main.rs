// SPDX-License-Identifier: Apache-2.0
//! naga in process, as one side of the WGSL benchmark. What it is asked and answers is in bench/wgsl_side.h.
use naga::back::spv;
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn cpu_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

struct Stages {
    checked: bool,
    spirv: bool,
}

/// A new parser, validator and writer each time: a module stands for itself.
fn run(text: &str, to_spirv: bool) -> Stages {
    let Ok(module) = wgsl::parse_str(text) else { return Stages { checked: false, spirv: false } };
    let Ok(info) = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module) else {
        return Stages { checked: false, spirv: false };
    };
    if !to_spirv {
        return Stages { checked: true, spirv: false };
    }
    let spirv = spv::write_vec(&module, &info, &spv::Options::default(), None).is_ok();
    Stages { checked: true, spirv }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let usage = "usage: kiln-bench-naga accepts LIST | checked LIST SECONDS | spirv LIST SECONDS";
    let mode = arguments.get(1).expect(usage).as_str();
    let list = std::fs::read_to_string(arguments.get(2).expect(usage)).expect("the list can be read");
    let texts: Vec<String> =
        list.lines().map(|path| std::fs::read_to_string(path).expect("a file of the list can be read")).collect();
    if mode == "accepts" {
        std::panic::set_hook(Box::new(|_| {}));
        for text in &texts {
            // It panics on some modules, in the writer mostly.
            let checked = std::panic::catch_unwind(|| run(text, false).checked).unwrap_or(false);
            let spirv = checked && std::panic::catch_unwind(|| run(text, true).spirv).unwrap_or(false);
            println!("@ {} {}", checked as u8, spirv as u8);
        }
        return;
    }
    let to_spirv = mode == "spirv";
    let budget: f64 = arguments.get(3).expect(usage).parse().expect("seconds are a number");
    let start = cpu_seconds();
    let mut best = f64::INFINITY;
    loop {
        let before = cpu_seconds();
        let mut accepted = 0;
        for text in &texts {
            let stages = run(text, to_spirv);
            accepted += (stages.checked && stages.spirv == to_spirv) as usize;
        }
        let after = cpu_seconds();
        assert_eq!(accepted, texts.len());
        best = best.min(after - before);
        if after - start >= budget {
            break;
        }
    }
    println!("@ {best:.9}");
}
