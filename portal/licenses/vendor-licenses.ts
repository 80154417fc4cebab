import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { makeLicenseKey, parseLicenseKey } from '#contracts/license-key.ts';
import { tenantIdSchema } from '#contracts/licenses.ts';
import type { Clock } from '../clock.ts';
import type { PortalTables } from '../database/tables.ts';
import { ensurePurchase, ensureTenant, newId } from './buyers.ts';
import { recordEvent } from './license-events.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import {
  decideExtension,
  decideResumption,
  decideRevocation,
  decideSuspension,
  type Extension,
  type Refusal,
  type StatusChange,
} from './license-status.ts';
import { type LicenseView, viewLicense } from './license-view.ts';
import type { LicenseEventKind, LicenseRow } from './licenses.tables.ts';

export interface NewLicense {
  readonly buyerEmail: string;
  readonly tier: string;
  /** `['*']` for all. */
  readonly features: readonly string[];
  readonly maxClusters: number | null;
  readonly expiresAt: Date | null;
  /** Order id at the payment gateway; one of our own is made where there was no order. */
  readonly purchaseId?: string | undefined;
  /** Whose license it is; by default whoever has the buyer's e-mail address. */
  readonly tenantId?: string | undefined;
}

export type Change =
  | { readonly outcome: 'changed'; readonly license: LicenseView }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'refused'; readonly reason: string };

export type Issue =
  | { readonly outcome: 'issued'; readonly licenseKey: string; readonly license: LicenseView }
  | { readonly outcome: 'refused'; readonly reason: string };

/** What the vendor may do. Licenses are named by key or id. Every change and its event commit together. */
export interface VendorLicenses {
  issue(wanted: NewLicense): Promise<Issue>;
  find(reference: string): Promise<LicenseView | null>;
  suspend(reference: string): Promise<Change>;
  resume(reference: string): Promise<Change>;
  revoke(reference: string): Promise<Change>;
  extend(reference: string, extension: Extension): Promise<Change>;
}

export interface VendorOptions {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
}

export const createVendorLicenses = ({ db, vault, clock }: VendorOptions): VendorLicenses => {
  const lookUp = async (from: Kysely<PortalTables>, reference: string, lock: boolean) => {
    let query = from.selectFrom('licenses').selectAll();
    if (lock) query = query.forNoKeyUpdate();
    if (tenantIdSchema.safeParse(reference).success)
      return query.where('id', '=', reference).executeTakeFirst();
    const key = parseLicenseKey(reference);
    return key === null ? undefined : query.where('key_hash', '=', vault.hash(key)).executeTakeFirst();
  };

  const view = async (from: Kysely<PortalTables>, license: LicenseRow): Promise<LicenseView> => {
    const machine = await from
      .selectFrom('machines')
      .selectAll()
      .where('license_id', '=', license.id)
      .executeTakeFirst();
    return viewLicense(license, vault.open(license.key_sealed, license.id), machine ?? null);
  };

  /** Locks the license, lets `decide` say what becomes of it, and writes that with its event. */
  const change = (
    reference: string,
    kind: LicenseEventKind,
    decide: (license: LicenseRow, now: Date) => { set: Partial<LicenseRow> } | Refusal,
  ): Promise<Change> =>
    db.transaction().execute(async (trx) => {
      const license = await lookUp(trx, reference, true);
      if (!license) return { outcome: 'not-found' };
      const now = clock.now();
      const decision = decide(license, now);
      if (!('set' in decision)) return { outcome: 'refused', reason: decision.reason };
      const { status, expires_at } = { ...license, ...decision.set };
      await trx.updateTable('licenses').set({ status, expires_at }).where('id', '=', license.id).execute();
      const data = {
        from: { status: license.status, expiresAt: license.expires_at },
        to: { status, expiresAt: expires_at },
      };
      await recordEvent(trx, { licenseId: license.id, kind, actor: 'vendor', at: now, data });
      return { outcome: 'changed', license: await view(trx, { ...license, status, expires_at }) };
    });

  const changeStatus = (
    reference: string,
    kind: LicenseEventKind,
    decide: (status: LicenseRow['status']) => StatusChange | Refusal,
  ) =>
    change(reference, kind, (license) => {
      const decision = decide(license.status);
      return decision.allowed ? { set: { status: decision.status } } : decision;
    });

  return {
    issue: (wanted) =>
      db.transaction().execute(async (trx) => {
        const now = clock.now();
        const id = newId();
        const tenantId = await ensureTenant(trx, wanted.tenantId, wanted.buyerEmail, now);
        if (tenantId === null)
          return { outcome: 'refused', reason: `There is no tenant ${wanted.tenantId}.` };
        const purchaseId = wanted.purchaseId ?? `vendor-${id}`;
        const buyer = await ensurePurchase(trx, purchaseId, tenantId, wanted.buyerEmail, now);
        if (buyer !== tenantId)
          return {
            outcome: 'refused',
            reason: `Purchase ${purchaseId} belongs to another tenant, ${buyer}.`,
          };

        const licenseKey = makeLicenseKey(randomBytes(16));
        const license = await trx
          .insertInto('licenses')
          .values({
            id,
            tenant_id: tenantId,
            key_sealed: vault.seal(licenseKey, id),
            key_hash: vault.hash(licenseKey),
            tier: wanted.tier,
            features: JSON.stringify(wanted.features),
            max_clusters: wanted.maxClusters,
            expires_at: wanted.expiresAt,
            status: 'active',
            buyer_email: wanted.buyerEmail,
            purchase_id: purchaseId,
            created_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const { tier, features, maxClusters, expiresAt } = wanted;
        const data = { tier, features, maxClusters, expiresAt, purchaseId };
        await recordEvent(trx, { licenseId: id, kind: 'issued', actor: 'vendor', at: now, data });
        return { outcome: 'issued', licenseKey, license: viewLicense(license, licenseKey, null) };
      }),

    async find(reference) {
      const license = await lookUp(db, reference, false);
      return license ? view(db, license) : null;
    },
    suspend: (reference) => changeStatus(reference, 'suspended', decideSuspension),
    resume: (reference) => changeStatus(reference, 'resumed', decideResumption),
    revoke: (reference) => changeStatus(reference, 'revoked', decideRevocation),
    extend: (reference, extension) =>
      change(reference, 'extended', (license, now) => {
        const decision = decideExtension(
          { status: license.status, expiresAt: license.expires_at },
          extension,
          now,
        );
        return decision.allowed ? { set: { expires_at: decision.expiresAt } } : decision;
      }),
  };
};
