fn f() { while true { continuing { } } }
