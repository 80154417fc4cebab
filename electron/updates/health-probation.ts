import type { StackStatus } from '#contracts/stack.ts';
import { probationVerdict } from './post-install.ts';
import type { PendingInstallation, UpdateRecordStore } from './update-record.ts';

/** After being well for this long, it is not about to crash again. */
const wellForMs = 20_000;
/** Migrating a large database to the new version takes time. */
const patienceMs = 15 * 60_000;

export interface HealthProbationOptions {
  readonly pending: PendingInstallation;
  readonly record: UpdateRecordStore;
  readonly stackStatus: () => StackStatus;
  readonly onWell: () => void;
  /** Called once. */
  readonly onUnwell: () => void;
  readonly limits?: { readonly wellForMs: number; readonly patienceMs: number };
}

/** A new version in its first minutes. */
export interface HealthProbation extends Disposable {
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
}: HealthProbationOptions): HealthProbation => {
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
