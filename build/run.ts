import { join } from 'node:path';
import { bundleForScript, endWithNpm } from './script-process.ts';

endWithNpm();
await bundleForScript();

const [name = '', ...args] = process.argv.slice(2);
const program = join(import.meta.dirname, '..', 'dist', `${name}.mjs`);
process.argv = [process.execPath, program, ...args];
await import(program);
