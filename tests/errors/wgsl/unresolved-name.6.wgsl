fn f() { textureSamplee(); }
