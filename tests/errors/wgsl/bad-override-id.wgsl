@id(70000) override a = 1;
