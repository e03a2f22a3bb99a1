fn f(a: i32) { switch a { case 1: { } case 1: { } default: { } } }
