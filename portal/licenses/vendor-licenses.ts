import type { Kysely, Transaction } from 'kysely';
import type { LicenseRow } from '../database/rows.ts';
import type { LicenseEventKind } from '../database/stored-values.ts';
import type { PortalTables } from '../database/tables.ts';
import { createLicenseFinder } from './find-license.ts';
import { type Issue, issueLicense, type NewLicense } from './issue-license.ts';
import { newestChangeOf, recordEvent } from './license-events.ts';
import {
  decideExtension,
  decideResumption,
  decideRevocation,
  decideSuspension,
  type Extension,
  type Refusal,
  type RefusedChange,
  type StatusChange,
} from './license-status.ts';
import type { LicenseView } from './license-view.ts';

/**
 * Unbinds a license from its machine, under the lock of the license's row. This also ends a pending transfer: any
 * machine may activate now, and the transfer would keep all others out.
 */
const freeLicense = async (
  trx: Transaction<PortalTables>,
  {
    licenseId,
    by,
    at,
  }: {
    readonly licenseId: string;
    /** Name of the vendor account, or `command line`. */
    readonly by: string;
    readonly at: Date;
  },
): Promise<Refusal | null> => {
  const machine = await trx
    .deleteFrom('machines')
    .where('license_id', '=', licenseId)
    .returning('hwid')
    .executeTakeFirst();
  const transfer = await trx
    .updateTable('hwid_transfers')
    .set({ state: 'cancelled', settled_at: at })
    .where('license_id', '=', licenseId)
    .where('state', '=', 'pending')
    .returning('to_hwid')
    .executeTakeFirst();
  if (!machine && !transfer)
    return { allowed: false, code: 'not-bound', reason: 'The license is not bound to any machine.' };
  const data = { hwid: machine?.hwid ?? null, cancelledTransferTo: transfer?.to_hwid ?? null };
  await recordEvent(trx, { licenseId, kind: 'unbound', actor: 'vendor', actorName: by, at, data });
  return null;
};

type Trx = Transaction<PortalTables>;

export type Change =
  | { readonly outcome: 'changed'; readonly license: LicenseView }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'refused'; readonly code: RefusedChange; readonly reason: string };

/** What the vendor may do. Licenses are referred to by key or id. Every change and its event commit together. */
export interface VendorLicenses {
  issue(wanted: NewLicense): Promise<Issue>;
  find(reference: string): Promise<LicenseView | null>;
  /** @param reason a line that the customer reads until the license is resumed */
  suspend(reference: string, reason?: string): Promise<Change>;
  resume(reference: string): Promise<Change>;
  /** @param reason a line that the customer reads */
  revoke(reference: string, reason?: string): Promise<Change>;
  extend(reference: string, extension: Extension): Promise<Change>;
  /** Unbinds the license from its machine: the next machine that activates it is bound, the same or another. */
  unbind(reference: string): Promise<Change>;
  /** Grants one more transfer beyond the free ones. */
  grantTransfer(reference: string): Promise<Change>;
}

/** Writes the grant and its event. */
type GrantTransfer = (
  trx: Trx,
  grant: { readonly licenseId: string; readonly by: string; readonly at: Date },
) => Promise<void>;

/**
 * For the acting person: the name of a vendor account, or `command line`.
 * @param seen `newestChangeOf` the license when they viewed it; anything newer refuses their change, so that a form
 * sent twice does its work once
 */
export type LicensesBy = (by: string, seen?: string) => VendorLicenses;

export const createVendorLicenses = (
  options: Parameters<typeof issueLicense>[0] & {
    readonly db: Kysely<PortalTables>;
    readonly grantTransfer: GrantTransfer;
  },
): LicensesBy => {
  const { db, vault, clock, grantTransfer } = options;
  const finder = createLicenseFinder(vault);

  /** Locks the license, and lets `work` make the change with its event, or refuse it. */
  const change = (
    seen: string | undefined,
    reference: string,
    work: (trx: Trx, license: LicenseRow, now: Date) => Promise<Refusal | null>,
  ): Promise<Change> =>
    db.transaction().execute(async (trx): Promise<Change> => {
      const license = await finder.lookUp(trx, reference, true);
      if (!license) return { outcome: 'not-found' };
      if (seen !== undefined && seen !== ((await newestChangeOf(trx, license.id)) ?? ''))
        return {
          outcome: 'refused',
          code: 'changed-meanwhile',
          reason: 'The license has changed in the meantime. Look at it again.',
        };
      const refusal = await work(trx, license, clock.now());
      if (refusal) return { outcome: 'refused', code: refusal.code, reason: refusal.reason };
      const changed = await finder.lookUp(trx, license.id);
      const [view] = await finder.view(trx, changed ? [changed] : []);
      if (!view) throw new Error('a license was lost while its row was locked');
      return { outcome: 'changed', license: view };
    });

  return (by, seen) => {
    const write = async (
      trx: Trx,
      license: LicenseRow,
      set: Partial<Pick<LicenseRow, 'status' | 'expires_at' | 'status_reason'>>,
      { kind, at }: { readonly kind: LicenseEventKind; readonly at: Date },
    ): Promise<void> => {
      const { status, expires_at: expiresAt, status_reason: reason } = { ...license, ...set };
      await trx
        .updateTable('licenses')
        .set({ status, expires_at: expiresAt, status_reason: reason })
        .where('id', '=', license.id)
        .execute();
      const data = {
        from: { status: license.status, expiresAt: license.expires_at },
        to: { status, expiresAt },
        ...(set.status_reason ? { reason } : {}),
      };
      await recordEvent(trx, { licenseId: license.id, kind, actor: 'vendor', actorName: by, at, data });
    };

    const changeStatus = (
      reference: string,
      kind: LicenseEventKind,
      decide: (status: LicenseRow['status']) => StatusChange | Refusal,
      reason: string | null = null,
    ) =>
      change(seen, reference, async (trx, license, at) => {
        const decision = decide(license.status);
        if (!decision.allowed) return decision;
        await write(trx, license, { status: decision.status, status_reason: reason }, { kind, at });
        return null;
      });

    return {
      issue: (wanted) => issueLicense(options, wanted, by),

      async find(reference) {
        const license = await finder.lookUp(db, reference);
        return license ? ((await finder.view(db, [license]))[0] ?? null) : null;
      },
      suspend: (reference, reason) => changeStatus(reference, 'suspended', decideSuspension, reason),
      resume: (reference) => changeStatus(reference, 'resumed', decideResumption),
      revoke: (reference, reason) => changeStatus(reference, 'revoked', decideRevocation, reason),
      extend: (reference, extension) =>
        change(seen, reference, async (trx, license, at) => {
          const { status, expires_at: expiresAt } = license;
          const decision = decideExtension({ status, expiresAt }, extension, at);
          if (!decision.allowed) return decision;
          await write(trx, license, { expires_at: decision.expiresAt }, { kind: 'extended', at });
          return null;
        }),
      unbind: (reference) =>
        change(seen, reference, (trx, license, at) => freeLicense(trx, { licenseId: license.id, by, at })),
      grantTransfer: (reference) =>
        change(seen, reference, async (trx, license, at) => {
          if (license.status === 'revoked')
            return {
              allowed: false,
              code: 'revoked',
              reason: 'The license is revoked; it cannot be transferred.',
            };
          await grantTransfer(trx, { licenseId: license.id, by, at });
          return null;
        }),
    };
  };
};
