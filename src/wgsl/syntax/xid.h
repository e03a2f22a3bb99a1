// SPDX-License-Identifier: Apache-2.0
// Which code points may stand in a WGSL identifier: XID_Start and XID_Continue of Unicode 14.0.0 (WGSL #identifiers).
#pragma once

namespace kiln::wgsl {

bool IsXidStart(char32_t code_point);
bool IsXidContinue(char32_t code_point);

}  // namespace kiln::wgsl
