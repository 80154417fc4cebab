import type { StopCommand } from '../postgres/cluster.ts';

/** A process that must not outlive its supervisor. */
export interface Ward {
  readonly name: string;
  readonly pid: number;
  /** How it is asked to stop; without one it sees the end of its own channel and is only killed if it does not. */
  readonly stop?: StopCommand;
}

/** One JSON line each, on the guardian's stdin. */
export type GuardianMessage =
  | { readonly type: 'watch'; readonly ward: Ward }
  | { readonly type: 'forget'; readonly name: string }
  | { readonly type: 'end' };
