const a = 4294967296u;
