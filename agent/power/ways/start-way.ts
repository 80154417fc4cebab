import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { StartMethod } from '#contracts/servers/agent-tasks.ts';
import type { GameExit } from '../holder/holder-record.ts';
import type { StartFault } from '../program/fault.ts';

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
  | {
      readonly is: 'changing';
      readonly to: 'running' | 'stopped';
      /** No one stops it: its process is gone, and how it ended is known in a moment. */
      readonly hasEnded?: true;
      /** The manager tries again and again to run a program that is not there. */
      readonly program?: ProgramFault | null;
    }
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

type EndedRun = Pick<Extract<Sighting, { is: 'ended' }>, 'exit' | 'ranMs' | 'firstLine'>;

/** How the machine's owner lets the game be started. */
export interface StartWay extends AsyncDisposable {
  readonly method: Exclude<StartMethod, 'none'>;
  /** Never rejects. */
  look(): Promise<Sighting>;
  /** @param launch names this start. @returns null when the order was accepted, else why not */
  start(launch: string): Promise<StartFault | null>;
  /**
   * Why the program cannot be run now; null when it can, or when that cannot be told. Runs no part of it.
   * @param known what was found before: what only a start reveals, such as a missing library, is looked for as well
   */
  inspect(known: ProgramFault | null): Promise<ProgramFault | null>;
  /** What the end of a run says about its program; null when the program itself has run. */
  explain(ended: EndedRun): Promise<ProgramFault | null>;
  /** Asks the process to exit in order, without the game's console. @returns null when the order was accepted, else why not, for people */
  stop(): Promise<string | null>;
  /** Ends all its processes immediately. @returns as `stop` */
  kill(): Promise<string | null>;
  /** Whether the game's own shutdown command is sent before `stop`: a service manager would treat that exit as a crash. */
  readonly takesShutdownCommand: boolean;
  /** Writes a line to the game's console; null when this way has no access to it. */
  readonly write: ((line: string) => Promise<string | null>) | null;
  /** Called when another look is worthwhile before the next round. */
  onChange(listener: () => void): void;
}

/** A way whose program a service manager knows. */
export interface CheckedWay extends StartWay {
  /** As `inspect`, for people who set the game up: nothing has to be known before. After a look. */
  check(): Promise<ProgramFault | null>;
}
