const a = 1e;
