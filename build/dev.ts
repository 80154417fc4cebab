import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { endWithNpm } from './script-process.ts';

/** Runs the stack from bundles of the sources and restarts it after each change. */

const root = resolve(import.meta.dirname, '..');
/** The programs of the stack, and the parts that they import. */
const watched = new Set(['server', 'bot', 'electron']);
for (const part of watched) {
  const { references } = JSON.parse(readFileSync(join(root, part, 'tsconfig.json'), 'utf8')) as {
    readonly references?: readonly { readonly path: string }[];
  };
  for (const { path } of references ?? []) watched.add(basename(path));
}
const settleMs = 200;

const startStack = (): ChildProcess =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, 'run.ts'), 'castellan', 'start', ...process.argv.slice(2)],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );

endWithNpm();
let stack = startStack();
let turn: Promise<void> = Promise.resolve();

/** Closing its channel stops it in order, on every system. */
const stopStack = async () => {
  if (stack.exitCode !== null || stack.signalCode !== null) return;
  const exited = once(stack, 'exit');
  stack.disconnect();
  await exited;
};

/** Restarts run one after another: a change during a restart causes another. */
const restart = () => {
  turn = turn.then(async () => {
    process.stderr.write('source changed: restarting\n');
    await stopStack();
    stack = startStack();
  });
};

let timer: NodeJS.Timeout | undefined;
for (const folder of watched) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(restart, settleMs);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stopStack().finally(() => process.exit(0)));
}
