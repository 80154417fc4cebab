import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endAllAtSignal } from '../../../build/script-process.ts';

/** Runs a Node script and, on a signal, ends it together with everything that its tests have started. */

using _ending = endAllAtSignal();
const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'ignore' });
const [exitCode] = await once(child, 'exit');
process.exitCode = exitCode ?? 1;
