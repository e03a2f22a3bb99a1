diagnostic(off, derivatives);
