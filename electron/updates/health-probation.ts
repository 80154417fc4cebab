import type { StackStatus } from '#contracts/operations/stack.ts';
import type { PendingInstallation, UpdateOutcome, UpdateRecordStore } from './update-record.ts';

/** After this many starts of a new version that did not end in order, the user is asked whether to go back. */
const mayCrash = 2;

type InstallOutcome =
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

/** The outcome of a started installation, even after a power cut at any moment; derived only from known facts. */
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

/** Whether the stack is at least as healthy as before the update: what was down then may still be down. */
export const probationVerdict = (
  { components }: Pick<StackStatus, 'components'>,
  { answered }: Pick<PendingInstallation, 'answered'>,
): 'well' | 'failed' | 'not-yet' => {
  const concerned = components.filter(({ name }) => answered.includes(name));
  if (concerned.some(({ state }) => state === 'failed')) return 'failed';
  return concerned.every(({ state }) => state === 'running') ? 'well' : 'not-yet';
};

/** After being well for this long, it is not about to crash again. */
const wellForMs = 20_000;
/** Migrating a large database to the new version takes time. */
const patienceMs = 15 * 60_000;

/** A new version in its first minutes. */
interface HealthProbation extends Disposable {
  /** The state of the stack has changed. */
  look(): void;
  /** The user accepts the version as it is. */
  accept(): Promise<void>;
  /** It ends because it was asked to: that is no crash. */
  noteOrderlyEnd(): Promise<void>;
}

export const openHealthProbation = ({
  pending,
  record,
  stackStatus,
  ...options
}: {
  readonly pending: PendingInstallation;
  readonly record: UpdateRecordStore;
  readonly stackStatus: () => StackStatus;
  readonly onWell: () => void;
  /** Called once. */
  readonly onUnwell: () => void;
  readonly limits?: { readonly wellForMs: number; readonly patienceMs: number };
}): HealthProbation => {
  const limits = options.limits ?? { wellForMs, patienceMs };
  let wellTimer: NodeJS.Timeout | null = null;
  let isOver = false;

  const forget = () => {
    if (wellTimer) clearTimeout(wellTimer);
    wellTimer = null;
  };
  const end = () => {
    isOver = true;
    forget();
    clearTimeout(patience);
  };
  const accept = async () => {
    end();
    const { from, to, backup } = pending;
    await record.change({ pending: null, outcome: { kind: 'updated', from, to, backup, detail: null } });
  };
  const beUnwell = () => {
    if (isOver) return;
    end();
    options.onUnwell();
  };
  const patience = setTimeout(beUnwell, limits.patienceMs);
  patience.unref();

  return {
    look() {
      if (isOver) return;
      const verdict = probationVerdict(stackStatus(), pending);
      if (verdict === 'failed') return beUnwell();
      if (verdict === 'not-yet') return forget();
      wellTimer ??= setTimeout(() => void accept().then(options.onWell), limits.wellForMs);
    },
    accept,
    async noteOrderlyEnd() {
      const now = record.now().pending;
      // The way back has already begun.
      if (now?.kind !== 'update' || now.to !== pending.to) return;
      await record.change({ pending: { ...now, starts: 0 } });
    },
    [Symbol.dispose]: end,
  };
};
