fn f(x: i32) { switch x { case 1: return; } }
