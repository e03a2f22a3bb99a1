enable (f16);
