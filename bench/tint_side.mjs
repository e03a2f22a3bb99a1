// SPDX-License-Identifier: Apache-2.0
// Tint as one side of the WGSL benchmark, through the npm package `webgpu` and its null backend: createShaderModule and
// getCompilationInfo, which is parse and validate. What it is asked and answers is in wgsl_side.h.
//   node --expose-gc tint_side.mjs PACKAGE_FOLDER accepts LIST | checked LIST SECONDS
import fs from 'fs';
import {createRequire} from 'module';
import {pathToFileURL} from 'url';

const [folder, mode, list, seconds] = process.argv.slice(2);
const entry = createRequire(folder + '/').resolve('webgpu');
const {create, globals} = await import(pathToFileURL(entry).href);
Object.assign(globalThis, globals);
const gpu = create(
    ['backend=null', 'enable-dawn-features=allow_unsafe_apis,expose_wgsl_experimental_features']);
const adapter = await gpu.requestAdapter();
const wanted = [...adapter.features].filter(f => !f.includes('experimental'));
const device = await adapter.requestDevice({requiredFeatures: wanted});
const texts = fs.readFileSync(list, 'utf8').split('\n').filter(x => x).map(x => fs.readFileSync(x, 'utf8'));

let serial = 0;
// Dawn keeps the modules it has seen; another comment makes another text.
const varied = text => text + '\n//' + process.pid + '.' + ++serial + '\n';

async function pass(codes) {
  device.pushErrorScope('validation');
  const begin = process.cpuUsage();
  const modules = codes.map(code => device.createShaderModule({code}));
  const infos = await Promise.all(modules.map(m => m.getCompilationInfo()));
  const used = process.cpuUsage(begin);
  const accepted = infos.map(info => !info.messages.some(x => x.type === 'error'));
  await device.popErrorScope();
  return [(used.user + used.system) * 1e-6, accepted];
}

if (mode === 'accepts') {
  const [, accepted] = await pass(texts);
  for (const ok of accepted) console.log(`@ ${ok ? 1 : 0} 0`);
} else {
  let best = Infinity;
  for (let spent = 0; spent < Number(seconds);) {
    const codes = texts.map(varied);
    global.gc();
    const [time, accepted] = await pass(codes);
    if (accepted.includes(false)) throw new Error('a text of the list is rejected');
    best = Math.min(best, time);
    spent += time;
  }
  console.log('@ ' + best.toFixed(9));
}
process.exit(0);
