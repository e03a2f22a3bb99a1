// SPDX-License-Identifier: Apache-2.0
// All of Kiln's public interface.
#pragma once

#include "kiln/diagnostic.h"  // IWYU pragma: export
#include "kiln/shader.h"      // IWYU pragma: export
