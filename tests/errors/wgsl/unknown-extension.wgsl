enable f61;
