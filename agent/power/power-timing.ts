import { type CrashLimits, crashLimits } from './crash-verdict.ts';

export interface PowerTiming {
  /** Between two looks at the process. */
  readonly pollMs: number;
  /** A game that lives for so long counts as started. */
  readonly settleMs: number;
  /** For a service's manager to bring it up or down. */
  readonly serviceMs: number;
  /** For the game's answer that it has saved. */
  readonly saveMs: number;
  /** From the shutdown command to the end of the process. */
  readonly shutdownMs: number;
  /** From the system's signal to the end of the process; then it is killed. */
  readonly terminateMs: number;
  readonly killMs: number;
  /** A stop on the machine itself that stands for so long is what its owner wants. */
  readonly ownStopMs: number;
  readonly crashes: CrashLimits;
}

export const powerTiming: PowerTiming = {
  pollMs: 1000,
  settleMs: 3000,
  // The default of systemd is 90 s, Windows gives services 125 s and more at a shutdown.
  serviceMs: 150_000,
  // A large ARK map takes a minute.
  saveMs: 120_000,
  shutdownMs: 120_000,
  // Without a console this is the game's save; systemd's own default is 90 s.
  terminateMs: 120_000,
  killMs: 20_000,
  // The machine that shuts down stops the game's service, too, and by then the agent.
  ownStopMs: 45_000,
  crashes: crashLimits,
};
