const a = 1e40f;
