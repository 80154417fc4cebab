import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import type { HoldOrder } from './holder-wire.ts';

/** Starts the program of this process again, as a holder. */
export const ownProgram = (): readonly string[] =>
  isSea() ? [process.execPath] : [process.execPath, process.argv[1] ?? ''];

interface LaunchedHolder {
  /** Why it ended immediately; pending while it lives. */
  readonly failed: Promise<string>;
}

/** A process that outlives this one and inherits none of its open files. */
export const launchHolder = (order: HoldOrder, program: readonly string[]): LaunchedHolder => {
  const { powerFolder } = order;
  const [executable = process.execPath, ...args] = program;
  const complaints = join(powerFolder, 'holder.log');
  const file = openSync(complaints, 'w', 0o600);
  const child = spawn(executable, [...args, 'hold'], {
    cwd: powerFolder,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', file],
  });
  closeSync(file);
  child.unref();
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(order));
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  child.on('error', (error: NodeJS.ErrnoException) =>
    resolve(`The holder of the game cannot be started: ${error.code}.`),
  );
  child.on('exit', (code, signal) => {
    if (code === 0) return;
    void readFile(complaints, 'utf8')
      .catch(() => '')
      .then((text) => resolve(text.trim().slice(0, 400) || `The holder ended (${signal ?? code}).`));
  });
  return { failed };
};
