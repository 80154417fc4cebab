import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// Bundling in a process of its own keeps the bundler out of the memory of a program that runs for days.
execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts')], { stdio: 'inherit' });

const [name = '', ...args] = process.argv.slice(2);
const program = join(import.meta.dirname, '..', 'dist', `${name}.mjs`);
process.argv = [process.execPath, program, ...args];
await import(program);
