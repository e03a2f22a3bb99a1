fn f(a: bool) {
  loop {
    if a { continue; }
    let step = 1;
    continuing {
      break if step > 1;
    }
  }
}
