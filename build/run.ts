import { join } from 'node:path';
import { bundleApart, endWithNpm } from './script-process.ts';

endWithNpm();
await bundleApart();

const [name = '', ...args] = process.argv.slice(2);
const program = join(import.meta.dirname, '..', 'dist', `${name}.mjs`);
process.argv = [process.execPath, program, ...args];
await import(program);
