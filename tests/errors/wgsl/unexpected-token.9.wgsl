const a = 1 +;
