import type { StackStatus } from '#contracts/stack.ts';
import type { PendingInstallation, UpdateOutcome } from './update-record.ts';

/** Starts of a new version that may end otherwise than in order before it is asked whether to go back. */
const mayCrash = 2;

export type InstallOutcome =
  | { readonly kind: 'nothing' }
  /** The one that was to be replaced runs still, or again. */
  | {
      readonly kind: 'not-installed';
      readonly outcome: UpdateOutcome;
      readonly pending: PendingInstallation;
    }
  /** The new version runs for the first times, and has to show that it does. */
  | { readonly kind: 'on-trial'; readonly pending: PendingInstallation }
  | { readonly kind: 'crashed'; readonly pending: PendingInstallation }
  | { readonly kind: 'went-back'; readonly outcome: UpdateOutcome }
  /** Something else was installed by hand. */
  | { readonly kind: 'superseded' };

/** What a start finds of an installation that was begun, at whichever moment the power went; from what is known alone. */
export const installOutcome = (pending: PendingInstallation | null, installed: string): InstallOutcome => {
  if (pending === null) return { kind: 'nothing' };
  const { kind, from, to, backup, failure } = pending;
  if (installed === from)
    return {
      kind: 'not-installed',
      outcome: { kind: 'not-installed', from, to, backup, detail: failure },
      // What crashes has to show again that it does not: otherwise nobody would be asked a second time.
      pending:
        kind === 'way-back' && pending.starts >= mayCrash
          ? { ...pending, kind: 'update', from: to, to: from, starts: 0, failure: null }
          : pending,
    };
  if (installed !== to) return { kind: 'superseded' };
  if (kind === 'way-back')
    return { kind: 'went-back', outcome: { kind: 'went-back', from, to, backup, detail: null } };
  return { kind: pending.starts >= mayCrash ? 'crashed' : 'on-trial', pending };
};

/** Whether the stack is as well as it was before the update: what was down then may be down now. */
export const probationVerdict = (
  { components }: Pick<StackStatus, 'components'>,
  { answered }: Pick<PendingInstallation, 'answered'>,
): 'well' | 'failed' | 'not-yet' => {
  const concerned = components.filter(({ name }) => answered.includes(name));
  if (concerned.some(({ state }) => state === 'failed')) return 'failed';
  return concerned.every(({ state }) => state === 'running') ? 'well' : 'not-yet';
};
