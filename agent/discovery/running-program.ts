import type { SeenProgram } from '#games/layout.ts';

/** A program that runs on this machine. Whatever is not visible without more rights is null or empty. */
export interface RunningProgram extends SeenProgram {
  readonly pid: number;
  readonly account: string | null;
  /** Null on Windows. */
  readonly uid: number | null;
  /** The systemd unit that started it, if that is a service of the system. */
  readonly unit: string | null;
  /** What runs the container that it is in; null outside of any, and in this program's own. */
  readonly container: string | null;
  /** The Windows services that run in this process or in its parent. */
  readonly services: readonly string[];
  /** TCP ports that it listens on. */
  listeningPorts(): Promise<readonly number[]>;
}
