const a = 012;
