const fn = 1;
