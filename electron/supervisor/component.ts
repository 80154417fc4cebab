import type { LicenseState } from '#contracts/license/license-state.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';

/** How a process that answers says it is. A process that does not answer rejects the probe instead. */
export interface Health {
  /** `down`: it lives, but cannot do its work. `degraded`: it works, but something around it does not. */
  readonly condition: 'ok' | 'degraded' | 'down';
  /** In words, or null when there is nothing to say. */
  readonly detail: string | null;
  /** What the process says about the license, where it says so. */
  readonly license?: LicenseState;
}

export interface ProcessEnd {
  /** Why, in words for people. */
  readonly reason: string;
  /** It ended because of its configuration: starting it again would change nothing. */
  readonly needsConfiguration: boolean;
  readonly lastLines: readonly string[];
  /** As in {@link CannotStartError}. */
  readonly untilMended?: CannotStartError['untilMended'];
  readonly blockedPort?: CannotStartError['blockedPort'];
}

/** One life of a component's process. */
export interface RunningProcess {
  readonly pid: number | null;
  /** Settles when it ends, for whatever reason; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the process how it is; rejects when it does not answer before `signal` is aborted. */
  probe(signal: AbortSignal): Promise<Health>;
  /**
   * Resolves when the process is gone, and never rejects. `orderly` lets it finish its work, within a deadline of the host;
   * `now` is for a process that no longer answers, or a person who does not want to wait.
   */
  stop(how: 'orderly' | 'now'): Promise<void>;
}

/** What runs a component's process: as a child of ours, a Postgres cluster, a Windows Service. */
export interface ComponentHost {
  /**
   * Resolves when there is a process, which need not be healthy yet. When `signal` is aborted, it settles soon, one way or the
   * other.
   * @param say what takes long, in words
   * @throws {CannotStartError} when trying again would change nothing
   */
  start(signal: AbortSignal, say: (reason: string) => void): Promise<RunningProcess>;
}

export interface Component {
  readonly name: ComponentName;
  readonly host: ComponentHost;
  /** The port that it listens on, read at each look, since a restart may have changed it. */
  port(): number | null;
}

type Obstacle = Pick<CannotStartError, 'untilMended' | 'blockedPort'>;

/** Something must change before a start can succeed, such as a taken port. */
export class CannotStartError extends Error {
  override readonly name = 'CannotStartError';
  /** Resolves when it is worth another try, or `signal` is aborted. Absent where only a person can tell. */
  readonly untilMended: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** The port that it is about, if any. */
  readonly blockedPort: number | undefined;

  constructor(message: string, { untilMended, blockedPort }: Partial<Obstacle> = {}) {
    super(message);
    this.untilMended = untilMended;
    this.blockedPort = blockedPort;
  }
}
