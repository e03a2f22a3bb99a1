/* a comment
const a = 1;
