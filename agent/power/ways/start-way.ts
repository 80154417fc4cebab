import type { StartMethod } from '#contracts/agent-tasks.ts';
import type { GameExit } from '../holder/holder-record.ts';

/**
 * What is proven about the game's process now.
 * - `running`: this very process, started in this way, exists
 * - `changing`: the system is starting or stopping it
 * - `ended`: it ran since the machine started, and no longer does
 * - `absent`: it has not run since then
 */
export type Sighting =
  | {
      readonly is: 'running';
      /** As for `ended`. */
      readonly launch: string | null;
      readonly pid: number | null;
      readonly upMs: number | null;
      /** For people; null when all is well. */
      readonly detail: string | null;
    }
  | { readonly is: 'changing'; readonly to: 'running' | 'stopped' }
  | {
      readonly is: 'ended';
      /** The launch that ended; null if this way has no launches. */
      readonly launch: string | null;
      readonly exit: GameExit;
      readonly ranMs: number | null;
      /** The first line of this run in the held console; null when none is held. */
      readonly firstLine: number | null;
      /** Someone stopped it in order on the machine, which is not a crash. */
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
  /** @param launch names this start. @returns null when the order was accepted, else why not, for people */
  start(launch: string): Promise<string | null>;
  /** Asks the process to exit in order, without the game's console. @returns as `start` */
  stop(): Promise<string | null>;
  /** Ends all its processes immediately. @returns as `start` */
  kill(): Promise<string | null>;
  /** Whether the game's own shutdown command is sent before `stop`: a service manager would treat that exit as a crash. */
  readonly takesShutdownCommand: boolean;
  /** Writes a line to the game's console; null when this way has no access to it. */
  readonly write: ((line: string) => Promise<string | null>) | null;
  /** Called when another look is worthwhile before the next round. */
  onChange(listener: () => void): void;
}
