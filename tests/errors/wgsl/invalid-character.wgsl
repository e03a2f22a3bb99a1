const a = "text";
