import { readdir, readFile } from 'node:fs/promises';
import { isAlive, runScript } from './script.ts';

/** A postmaster and its children, by the parent id in /proc. */
export const familyOfPostmaster = async (postmaster: number): Promise<number[]> => {
  const family = [postmaster];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may contain spaces.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) === postmaster) family.push(Number(entry));
  }
  return family;
};

/** False for a process that has ended, including a zombie that waits for its parent. */
export const isRunning = async (pid: number): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
};

/** Stops these processes, and stops them again immediately whenever something wakes them, until it is disposed. */
export const keepFrozen = async (pids: readonly number[]): Promise<AsyncDisposable> => {
  const script = runScript(`
    let pids = ${JSON.stringify(pids)};
    const halt = (pid) => { try { process.kill(pid, 'SIGSTOP'); return true; } catch { return false; } };
    pids = pids.filter(halt);
    process.stdout.write('frozen\\n');
    const again = () => { for (let n = 0; n < 200; n += 1) pids = pids.filter(halt); if (pids.length) setImmediate(again); };
    again();`);
  await script.line();
  return script;
};
