import { type CrashLimits, crashLimits } from './crash-verdict.ts';

export interface PowerTiming {
  /** Between two looks at the process. */
  readonly pollMs: number;
  /** A game that lives this long counts as started. */
  readonly settleMs: number;
  /** For a service manager to bring it up or down. */
  readonly serviceMs: number;
  /** For the game's confirmation that it has saved. */
  readonly saveMs: number;
  /** From the shutdown command to the end of the process. */
  readonly shutdownMs: number;
  /** From the system's signal to the end of the process; after that it is killed. */
  readonly terminateMs: number;
  readonly killMs: number;
  /** Between two looks for a program that is not there. */
  readonly programLookMs: number;
  /** A stop on the machine itself that lasts this long counts as the owner's wish. */
  readonly ownStopMs: number;
  readonly crashes: CrashLimits;
}

export const powerTiming: PowerTiming = {
  pollMs: 1000,
  settleMs: 3000,
  // systemd's default is 90 s; Windows gives services 125 s and more at a shutdown.
  serviceMs: 150_000,
  // A large ARK map takes a minute.
  saveMs: 120_000,
  shutdownMs: 120_000,
  // Without a console, this is how the game saves; systemd's own default is 90 s.
  terminateMs: 120_000,
  killMs: 20_000,
  // A drive that is connected late, or an update that replaces the program, takes minutes.
  programLookMs: 30_000,
  // A machine that shuts down also stops the game's service, but within this time the agent too.
  ownStopMs: 45_000,
  crashes: crashLimits,
};
