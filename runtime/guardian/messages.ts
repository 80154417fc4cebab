import type { StopTarget } from '../postgres/stop-family.ts';

/** A process that must not outlive its supervisor. */
export interface WatchedProcess {
  readonly name: string;
  readonly pid: number;
  /** The cluster that this postmaster leads; any other process sees its own channel end and is killed only if it does not exit. */
  readonly cluster?: StopTarget;
}

/** One JSON line each, on the guardian's stdin. */
export type GuardianMessage =
  | { readonly type: 'watch'; readonly ward: WatchedProcess }
  | { readonly type: 'forget'; readonly name: string }
  /** The supervisor reacts. */
  | { readonly type: 'alive' }
  | { readonly type: 'end' };
