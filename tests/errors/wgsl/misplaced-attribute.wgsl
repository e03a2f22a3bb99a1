@align(4) const a = 1;
