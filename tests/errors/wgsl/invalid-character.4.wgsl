const a = 1;﻿
