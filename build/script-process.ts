import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundlePrograms } from './bundle.ts';

const pollMs = 100;

/**
 * Ends this script when npm is told to end. npm starts a script through a shell, which dies of SIGTERM without passing
 * it on, so the end of the shell counts as SIGTERM. Windows has no such signal.
 */
export const endWithNpm = (): void => {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const polling = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(polling);
    process.kill(process.pid, 'SIGTERM');
  }, pollMs).unref();
};

/** How long processes get to end by themselves. */
const graceMs = 8000;
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A signal to this script ends every process below it, including those in other sessions, until this is disposed. */
export const endAllAtSignal = (): Disposable => {
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    const until = performance.now() + graceMs;
    let told: ProcessFacts[] = [];
    // One that is told to end may just have started another one.
    do {
      const found = processesBelow(process.pid).filter(({ pid }) => !told.some((one) => one.pid === pid));
      for (const { pid } of found) signal(pid, 'SIGTERM');
      told = [...told, ...found].filter(isThere);
      if (told.length > 0) await delay(pollMs);
    } while (told.length > 0 && performance.now() < until);
    for (const { pid } of told) signal(pid, 'SIGKILL');
    process.exit(1);
  };
  const onSignal = () => void end();
  for (const name of endSignals) process.on(name, onSignal);
  return {
    [Symbol.dispose]() {
      for (const name of endSignals) process.off(name, onSignal);
    },
  };
};

/** Brings dist/ up to date; ends this script where that fails. */
export const bundleForScript = async (): Promise<void> => {
  using _ending = endAllAtSignal();
  const say = (line: string) => process.stderr.write(`${line}\n`);
  await bundlePrograms(say).catch((error: Error) => {
    say(error.message);
    process.exit(1);
  });
};

/** A process on Linux; the start time tells it apart from a later one with the same ID. */
interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startedAt: string;
}

/** Null when there is none, or it is a zombie. */
const processFacts = (pid: number): ProcessFacts | null => {
  try {
    // The name before the last bracket may hold any character; the state comes right after it.
    const fields = readFileSync(join('/proc', String(pid), 'stat'), 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (fields[0] === 'Z') return null;
    return { pid, parent: Number(fields[1]), group: Number(fields[2]), startedAt: fields[19] ?? '' };
  } catch {
    return null;
  }
};

const isThere = ({ pid, startedAt }: ProcessFacts): boolean => processFacts(pid)?.startedAt === startedAt;

/** With those of its group whose parent has ended. */
const processesBelow = (root: number): ProcessFacts[] => {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processFacts(Number(name)) ?? []);
  const below = (parent: number): ProcessFacts[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  const self = processFacts(root);
  const isOrphan = ({ pid, parent, group, startedAt }: ProcessFacts) =>
    parent === 1 && pid !== root && group === self?.group && Number(startedAt) >= Number(self.startedAt);
  return [...below(root), ...all.filter(isOrphan)];
};

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
};
