const a = 12px;
