import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '#runtime/program.ts';
import { untilAborted } from '#runtime/until-aborted.ts';
import { halfFolders } from './bundle/half-folder.ts';
import type { BuildMessage } from './bundle/main.ts';
import type { PartName } from './bundle/parts.ts';

const copy = process.env.CASTELLAN_PROGRAMS;
/** CASTELLAN_PROGRAMS names a copy that a test run made when it began, and that stays unchanged. */
export const programsFolder = copy ?? resolve(import.meta.dirname, '../dist');

interface Build extends AsyncDisposable {
  /** Resolves when these are up to date in dist/. @throws {StartupError} when the build ends before */
  ready(parts: readonly PartName[], signal: AbortSignal): Promise<void>;
  /** Resolves when everything is. @throws {StartupError} when something could not be built */
  readonly finished: Promise<void>;
}

const silent = () => undefined;

/**
 * Builds what is not up to date in dist/ in a process that ends, since a bundler holds more than a gigabyte. The process ends
 * with this one, too, or when disposed, and leaves no half-built file.
 */
export const startBuild = ({
  say = silent,
  root = resolve(import.meta.dirname, '..'),
  parts = [],
}: {
  /** What the build does, in words. */
  readonly say?: (line: string) => void;
  /** Another checkout than this one. */
  readonly root?: string;
  /** All of them unless named. */
  readonly parts?: readonly PartName[];
} = {}): Build => {
  if (copy !== undefined)
    return {
      ready: async () => undefined,
      finished: Promise.resolve(),
      [Symbol.asyncDispose]: async () => undefined,
    };
  const child = fork(join(root, 'build/bundle/main.ts'), parts, {
    execArgv: [],
    // What is read from our own output must not have the words of a bundler in it.
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  });
  const done = new Map<PartName, PromiseWithResolvers<void>>();
  let failure: StartupError | null = null;
  const part = (name: PartName) => {
    const known = done.get(name);
    if (known) return known;
    const made = Promise.withResolvers<void>();
    made.promise.catch(silent);
    if (failure) made.reject(failure);
    done.set(name, made);
    return made;
  };
  child.on('message', (message: BuildMessage) => {
    if ('say' in message) say(message.say);
    else part(message.ready).resolve();
  });
  const exited = Promise.all([once(child, 'exit'), once(child, 'disconnect')]).then(
    async ([[exitCode, signal]]: readonly [readonly (number | string | null)[], unknown]) => {
      // A killed process cannot delete what it was writing.
      for (const folder of halfFolders(join(root, 'dist'), child.pid))
        await rm(folder, { recursive: true, force: true });
      return signal ?? exitCode;
    },
  );
  const finished = exited.then((how) => {
    if (how === 0) return;
    failure = new StartupError(
      typeof how === 'string'
        ? `The build was ended by ${how}.`
        : 'The programs could not be built; see above.',
    );
    for (const { reject } of done.values()) reject(failure);
    throw failure;
  });
  finished.catch(silent);
  return {
    finished,
    async ready(names, signal) {
      await untilAborted(Promise.all(names.map((name) => part(name).promise)), signal);
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};

/** Brings dist/ up to date. @throws {StartupError} when something could not be built */
export const bundlePrograms = async (say?: (line: string) => void): Promise<void> => {
  await using build = startBuild(say ? { say } : {});
  await build.finished;
};

if (import.meta.main) await bundlePrograms((line) => process.stderr.write(`${line}\n`));
