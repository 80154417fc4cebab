import type { StartMethod } from '#contracts/agent-tasks.ts';
import type { GameExit } from '../holder/holder-record.ts';

/**
 * What is proven of the game's process now.
 * - `running`: this very process, started by this way, is there
 * - `changing`: the system starts or stops it
 * - `ended`: it ran since the machine started, and does no more
 * - `absent`: it did not run since then
 */
export type Sighting =
  | {
      readonly is: 'running';
      /** As for `ended`. */
      readonly launch: string | null;
      readonly pid: number | null;
      readonly upMs: number | null;
      /** For people; null when all is as it should be. */
      readonly detail: string | null;
    }
  | { readonly is: 'changing'; readonly to: 'running' | 'stopped' }
  | {
      readonly is: 'ended';
      /** The launch that ended; null where the way knows no launches. */
      readonly launch: string | null;
      readonly exit: GameExit;
      readonly ranMs: number | null;
      /** Where its lines begin in the held console; null where none are held. */
      readonly firstLine: number | null;
      /** Somebody stopped it on the machine in order, which is no crash. */
      readonly wasStopped: boolean;
      readonly detail: string | null;
    }
  | { readonly is: 'absent' }
  | { readonly is: 'unknown'; readonly detail: string };

/** How the machine's owner lets the game be started. */
export interface StartWay extends AsyncDisposable {
  readonly method: Exclude<StartMethod, 'none'>;
  /** Never rejects. */
  look(): Promise<Sighting>;
  /** @param launch names this start. @returns null when the order was taken, else why not, for people */
  start(launch: string): Promise<string | null>;
  /** Asks the process to end in order, without the game's console. @returns as `start` */
  stop(): Promise<string | null>;
  /** Ends all its processes at once. @returns as `start` */
  kill(): Promise<string | null>;
  /** Whether the game's own shutdown command is given before `stop`: a service's manager would take it for a crash. */
  readonly takesShutdownCommand: boolean;
  /** Writes a line into the game's console; null where the way does not have it. */
  readonly write: ((line: string) => Promise<string | null>) | null;
  /** Called when it is worth to look again before the next round. */
  onChange(listener: () => void): void;
}
