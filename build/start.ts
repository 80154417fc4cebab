import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { programsFolder } from './bundle.ts';
import { electronRuntime, thisSystem } from './electron-runtime.ts';

/** Where there is nobody to look, or nothing to show it on, the same stack runs without a window. */
const hasDisplay = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

const say = (line: string) => process.stderr.write(`${line}\n`);
const args = process.argv.slice(2);

const findRuntime = async () => {
  if (!hasDisplay()) {
    say('There is no display: Castellan runs without a window.');
    return null;
  }
  try {
    return await electronRuntime(thisSystem(), say);
  } catch (error) {
    say(`No Electron can be had (${(error as Error).message}): Castellan runs without a window.`);
    return null;
  }
};

// Bundling in a process of its own keeps the bundler out of the memory of a program that runs for days.
execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts')], { stdio: 'inherit' });
const runtime = await findRuntime();

if (runtime) {
  say(`Electron ${runtime.version}`);
  // Chromium's own sandbox is not to be had for root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const desktop = spawn(runtime.executable, [...sandbox, join(programsFolder, 'desktop.mjs'), ...args], {
    env: { ...process.env, CASTELLAN_NODE: process.execPath },
    stdio: 'inherit',
  });
  // A terminal tells the desktop by itself, which stops the stack in order; told twice, it would end at once.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => desktop.kill('SIGTERM'));
  desktop.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
} else {
  const program = join(programsFolder, 'castellan.mjs');
  process.argv = [process.execPath, program, 'start', ...args];
  await import(program);
}
