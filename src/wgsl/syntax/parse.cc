// SPDX-License-Identifier: Apache-2.0
#include "wgsl/syntax/parse.h"
