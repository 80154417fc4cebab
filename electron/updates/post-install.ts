import type { StackStatus } from '#contracts/stack.ts';
import type { PendingInstallation, UpdateOutcome } from './update-record.ts';

/** After this many starts of a new version that did not end in order, the user is asked whether to go back. */
const mayCrash = 2;

export type InstallOutcome =
  | { readonly kind: 'nothing' }
  /** The version that was to be replaced still runs, or runs again. */
  | {
      readonly kind: 'not-installed';
      readonly outcome: UpdateOutcome;
      readonly pending: PendingInstallation;
    }
  /** The new version is in its first starts, and must show that it runs. */
  | { readonly kind: 'on-trial'; readonly pending: PendingInstallation }
  | { readonly kind: 'crashed'; readonly pending: PendingInstallation }
  | { readonly kind: 'went-back'; readonly outcome: UpdateOutcome }
  /** Something else was installed by hand. */
  | { readonly kind: 'superseded' };

/** What became of a started installation, at whichever moment the power went; derived only from known facts. */
export const installOutcome = (pending: PendingInstallation | null, installed: string): InstallOutcome => {
  if (pending === null) return { kind: 'nothing' };
  const { kind, from, to, backup, failure } = pending;
  if (installed === from)
    return {
      kind: 'not-installed',
      outcome: { kind: 'not-installed', from, to, backup, detail: failure },
      // A version that crashes must show again that it does not: otherwise the user would not be asked a second time.
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
