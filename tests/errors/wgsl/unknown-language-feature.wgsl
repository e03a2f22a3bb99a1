requires f61;
