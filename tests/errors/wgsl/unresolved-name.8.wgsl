var<private> a: flot32;
