import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import type { ActivateRequest, ValidateRequest } from '#contracts/license/licenses.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createContext } from '../../portal/context.ts';
import { newId } from '../../portal/database/new-id.ts';
import {
  createLicenseKeyVault,
  firstVaultParts,
  type LicenseKeyVault,
} from '../../portal/licenses/license-key-vault.ts';
import { createLicenseTokens } from '../../portal/licenses/license-token.ts';
import type { KeyRing } from '../../portal/signing-keys/key-ring.ts';

/** A license that is bound to its machine. */
export interface BoundLicense {
  readonly id: string;
  readonly tenantId: string;
  readonly hwid: string;
}

/** A license that was not activated yet. */
export interface UnboundLicense {
  readonly id: string;
  readonly licenseKey: string;
  readonly hwid: string;
}

export interface Seed {
  readonly masterKey: Secret;
  readonly keyRing: KeyRing;
  readonly unbound: readonly UnboundLicense[];
  /** Picks bound licenses from all over the table. */
  pickBound(count: number): Promise<readonly BoundLicense[]>;
}

const tenants = 100;
const purchaseId = 'bench-order';
const buyerEmail = 'owner@example.com';

/** @param position of the tenant, counted from 1 */
export const tenantEmail = (position: number): string => `tenant${position}@example.com`;

/** Fills an empty database like a portal's after a while: schema, signing key, licenses and machines. */
export const seedPortal = async (
  databaseUrl: Secret,
  counts: { readonly bound: number; readonly unbound: number },
): Promise<Seed> => {
  const masterKey = new Secret(randomBytes(32).toString('hex'));
  const log = createLog({ component: 'bench', level: 'warn', fd: 2 });
  await using context = await createContext({ databaseUrl, masterKey, log });
  const { pool, keyRing } = context;
  await makeBuyers(pool);
  await makeBound(databaseUrl, counts.bound);
  const unbound = await makeUnbound(pool, createLicenseKeyVault(firstVaultParts(masterKey)), counts.unbound);
  const client = new pg.Client({ connectionString: databaseUrl.reveal() });
  await client.connect();
  await client.query('vacuum (analyze)');
  // The rows are on disk before anything is measured.
  await client.query('checkpoint');
  await client.end();
  return {
    masterKey,
    keyRing,
    unbound,
    async pickBound(count) {
      const picking = new pg.Client({ connectionString: databaseUrl.reveal() });
      await picking.connect();
      const { rows } = await picking.query<BoundLicense>(
        `select id, tenant_id as "tenantId", hwid from licenses join machines on license_id = id
         order by random() limit $1`,
        [count],
      );
      await picking.end();
      return rows;
    },
  };
};

const makeBuyers = async (pool: pg.Pool): Promise<void> => {
  const ids = Array.from({ length: tenants }, newId);
  await pool.query(
    `insert into tenants (id, email, created_at)
     select id, email, now() from unnest($1::text[], $2::text[]) as t(id, email)`,
    [ids, ids.map((_, index) => tenantEmail(index + 1))],
  );
  await pool.query(
    `insert into purchases (id, tenant_id, buyer_email, state, purchased_at) values ($1, $2, $3, 'paid', now())`,
    [purchaseId, ids[0], buyerEmail],
  );
};

/** With keys that no one knows: a daily check does not send a key. */
const makeBound = async (databaseUrl: Secret, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl.reveal() });
  await client.connect();
  // References to tenants and licenses are correct by construction.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, status, buyer_email, purchase_id, created_at)
     select 'c' || left(md5('license' || i), 24), owners.ids[1 + i % $2], repeat('x', 90), sha256(i::text::bytea),
       'standard', '["*"]', 'active', $3, $4, now() - make_interval(secs => i)
     from generate_series(1, $1::int) i, (select array_agg(id) as ids from tenants) as owners`,
    [count, tenants, buyerEmail, purchaseId],
  );
  await client.query(
    `insert into machines (license_id, hwid, instance_id, version, bound_at)
     select id, 'sha256:' || encode(sha256(id::bytea), 'hex'), gen_random_uuid(), '1.0.0', now() from licenses`,
  );
  await client.end();
};

const makeUnbound = async (
  pool: pg.Pool,
  vault: LicenseKeyVault,
  count: number,
): Promise<readonly UnboundLicense[]> => {
  const made = Array.from({ length: count }, () => ({
    id: newId(),
    licenseKey: makeLicenseKey(randomBytes(16)),
    hwid: `sha256:${randomBytes(32).toString('hex')}`,
  }));
  await pool.query(
    `insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, status, buyer_email, purchase_id, created_at)
     select id, (select tenant_id from purchases where id = $5), sealed, hash, 'standard', '["*"]', 'active', $4, $5, now()
     from unnest($1::text[], $2::text[], $3::bytea[]) as made(id, sealed, hash)`,
    [
      made.map(({ id }) => id),
      made.map(({ id, licenseKey }) => vault.seal(licenseKey, id)),
      made.map(({ licenseKey }) => vault.hash(licenseKey)),
      buyerEmail,
      purchaseId,
    ],
  );
  return made;
};

/** One validate request for each license, each with a token that was never sent before. */
export const mintValidations = (
  keyRing: KeyRing,
  licenses: readonly BoundLicense[],
  issuedAt: Date,
): Promise<readonly ValidateRequest[]> => {
  const tokens = createLicenseTokens(keyRing);
  return Promise.all(
    licenses.map(async ({ id, tenantId, hwid }) => {
      const subject = { sub: id, tier: 'standard', tenantId, hwid, features: ['*'], maxClusters: null };
      const { token } = await tokens.sign({ ...subject, buyerEmail, purchaseId }, issuedAt);
      return { tenantId, token, hwid };
    }),
  );
};

export const activationOf = ({
  licenseKey,
  hwid,
}: Pick<UnboundLicense, 'licenseKey' | 'hwid'>): ActivateRequest => ({
  licenseKey,
  hwid,
  instanceId: randomUUID(),
  version: '1.0.0',
});
