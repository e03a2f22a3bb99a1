override a;
