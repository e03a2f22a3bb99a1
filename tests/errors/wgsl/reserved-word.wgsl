const enum = 1;
