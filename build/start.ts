import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { product } from '#contracts/kernel/product.ts';
import { homeFolder, logsFolder } from '#runtime/home.ts';
import { programsFolder } from './bundle.ts';
import { type ElectronRuntime, electronRuntime, thisSystem } from './electron-runtime.ts';
import { librariesRemedy, missingLibraries } from './missing-libraries.ts';
import { prepareAgentProgramsBeside } from './package/agent-programs-beside.ts';
import { bundleForScript, endAllAtSignal, endWithNpm } from './script-process.ts';

/** Where no one is watching, or there is no display, the same stack runs without a window. */
const hasDisplay = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

const say = (line: string) => process.stderr.write(`${line}\n`);
const args = process.argv.slice(2);

const findRuntime = async () => {
  if (!hasDisplay()) {
    say('No display: Castellan runs without a window.');
    return null;
  }
  try {
    const found = await electronRuntime(thisSystem(), say);
    const missing = process.platform === 'linux' ? await missingLibraries(found.executable) : [];
    if (missing.length === 0) return found;
    say(`${librariesRemedy(missing)}\nUntil then, Castellan runs without a window.`);
    return null;
  } catch (error) {
    say(`Could not get Electron (${(error as Error).message}): Castellan runs without a window.`);
    return null;
  }
};

/** Chromium's own lines begin with the ID of the process they come from. */
const isChromiums = (line: string): boolean => /^\[\d+:/.test(line);

const runDesktop = async ({ executable, version }: ElectronRuntime): Promise<void> => {
  say(`Electron ${version}`);
  // Chromium's own sandbox does not run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const desktop = spawn(executable, [...sandbox, join(programsFolder, 'desktop.mjs'), ...args], {
    env: { ...process.env, CASTELLAN_NODE: process.execPath },
    stdio: ['inherit', 'inherit', 'pipe'],
  });
  // The terminal signals the desktop directly, which stops the stack in order; a second signal would end it immediately.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => desktop.kill('SIGTERM'));
  let lastLine = 'no output';
  createInterface({ input: desktop.stderr }).on('line', (line) => {
    say(line);
    if (line.trim() !== '' && !isChromiums(line)) lastLine = line.trim();
  });
  const [exitCode, signal] = await once(desktop, 'close');
  process.exitCode = signal ? 1 : exitCode;
  if (process.exitCode === 0) return;
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  const home = homeFolder(product.name, 'CASTELLAN_HOME', process.env);
  say(`The desktop ${how}: ${lastLine}. Its logs: ${logsFolder(home)}`);
};

endWithNpm();
await bundleForScript();
const searching = endAllAtSignal();
const runtime = await findRuntime();
searching[Symbol.dispose]();

prepareAgentProgramsBeside(say);
if (runtime) await runDesktop(runtime);
else {
  const program = join(programsFolder, 'castellan.mjs');
  process.argv = [process.execPath, program, 'start', ...args];
  await import(program);
}
