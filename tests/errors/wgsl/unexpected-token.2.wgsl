const a 1;
