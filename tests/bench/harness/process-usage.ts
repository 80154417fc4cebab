import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc/PID/stat; fixed at 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

const statFields = (pid: number | string): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** CPU seconds, user and system, of a process and of its ended children. */
export const cpuSeconds = (pid: number): number => {
  const fields = statFields(pid);
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

/** @returns the direct children of a process */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(statFields(pid)[1]) === parent;
      } catch {
        // It ended between the two looks.
        return false;
      }
    })
    .map(Number);

/** @returns a process and everything below it */
export const descendantsOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(descendantsOf)];

/** CPU seconds of a process and all its children, such as a postmaster with its backends. */
export const familyCpuSeconds = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + cpuSecondsWhileItLives(child), cpuSeconds(pid));

const cpuSecondsWhileItLives = (pid: number): number => {
  try {
    return cpuSeconds(pid);
  } catch {
    // It ended between the two looks; its parent counts it from now on.
    return 0;
  }
};

/** Proportional set size in MiB: private memory plus a fair share of what is shared. */
export const pssMiB = (pid: number): number => {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
};

/** PSS of a process and all its children. */
export const familyPssMiB = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, member) => sum + pssMiB(member), 0);

/** Resident set size in MiB, and the part of it that is anonymous memory rather than pages of files. */
export const residentMiB = (pid: number): { readonly all: number; readonly anonymous: number } => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { all: mib('VmRSS'), anonymous: mib('RssAnon') };
};
