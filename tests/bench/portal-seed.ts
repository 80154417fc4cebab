import { randomBytes, randomUUID } from 'node:crypto';
import { makeLicenseKey } from '#contracts/license-key.ts';
import type { ActivateRequest, ValidateRequest } from '#contracts/licenses.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createContext } from '../../portal/context.ts';
import { newId } from '../../portal/licenses/buyers.ts';
import { createLicenseKeyVault } from '../../portal/licenses/license-key-vault.ts';
import { createLicenseTokens } from '../../portal/licenses/license-token.ts';
import type { KeyRing } from '../../portal/signing-keys/key-ring.ts';

export interface SeededLicense {
  readonly id: string;
  readonly tenantId: string;
  readonly licenseKey: string;
  readonly hwid: string;
}

export interface Seed {
  readonly masterKey: Secret;
  readonly keyRing: KeyRing;
  /** Bound to their machines. */
  readonly bound: readonly SeededLicense[];
  /** Not activated yet. */
  readonly unbound: readonly SeededLicense[];
}

const tenants = 100;
const purchaseId = 'bench-order';
const buyerEmail = 'owner@example.com';

/** An empty database as a portal has it after a while: its schema, its signing key, licenses and machines. */
export const seedPortal = async (
  databaseUrl: Secret,
  counts: { readonly bound: number; readonly unbound: number },
): Promise<Seed> => {
  const masterKey = new Secret(randomBytes(32).toString('hex'));
  const log = createLog({ component: 'bench', level: 'warn', fd: 2 });
  await using context = await createContext({ databaseUrl, masterKey, log });
  const vault = createLicenseKeyVault(masterKey);
  const tenantIds = Array.from({ length: tenants }, newId);
  const make = (index: number): SeededLicense => ({
    id: newId(),
    tenantId: tenantIds[index % tenants] ?? '',
    licenseKey: makeLicenseKey(randomBytes(16)),
    hwid: `sha256:${randomBytes(32).toString('hex')}`,
  });
  const bound = Array.from({ length: counts.bound }, (_, index) => make(index));
  const unbound = Array.from({ length: counts.unbound }, (_, index) => make(index));
  const all = [...bound, ...unbound];

  const { pool } = context;
  await pool.query(
    `insert into tenants (id, email, created_at)
     select id, 'tenant' || position || '@example.com', now() from unnest($1::text[]) with ordinality as t(id, position)`,
    [tenantIds],
  );
  await pool.query(
    `insert into purchases (id, tenant_id, buyer_email, state, purchased_at) values ($1, $2, $3, 'paid', now())`,
    [purchaseId, tenantIds[0], buyerEmail],
  );
  await pool.query(
    `insert into licenses (id, tenant_id, key_sealed, key_hash, tier, features, status, buyer_email, purchase_id, created_at)
     select *, 'standard', '["*"]', 'active', $5, $6, now()
     from unnest($1::text[], $2::text[], $3::text[], $4::bytea[])`,
    [
      all.map(({ id }) => id),
      all.map(({ tenantId }) => tenantId),
      all.map(({ id, licenseKey }) => vault.seal(licenseKey, id)),
      all.map(({ licenseKey }) => vault.hash(licenseKey)),
      buyerEmail,
      purchaseId,
    ],
  );
  await pool.query(
    `insert into machines (license_id, hwid, instance_id, version, bound_at)
     select *, gen_random_uuid(), '1.0.0', now() from unnest($1::text[], $2::text[])`,
    [bound.map(({ id }) => id), bound.map(({ hwid }) => hwid)],
  );
  await pool.query('analyze');
  return { masterKey, keyRing: context.keyRing, bound, unbound };
};

/** One validate request for each license, each with a token that nobody has seen yet. */
export const mintValidations = ({ keyRing, bound }: Seed, issuedAt: Date): readonly ValidateRequest[] => {
  const tokens = createLicenseTokens(keyRing);
  return bound.map(({ id, tenantId, hwid }) => {
    const subject = { sub: id, tier: 'standard', tenantId, hwid, features: ['*'], maxClusters: null };
    const { token } = tokens.sign({ ...subject, buyerEmail, purchaseId }, issuedAt);
    return { tenantId, token, hwid };
  });
};

export const activationOf = ({ licenseKey, hwid }: SeededLicense): ActivateRequest => ({
  licenseKey,
  hwid,
  instanceId: randomUUID(),
  version: '1.0.0',
});
