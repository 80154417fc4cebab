import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import express, { type Express, type Request } from 'express';
import { jwtVerify, SignJWT } from 'jose';
import pg from 'pg';
import { product } from '#contracts/kernel/product.ts';
import type { TokenResponse, ValidateRequest } from '#contracts/license/licenses.ts';
import { listen } from '#runtime/http/listen.ts';

/** A baseline's input on stdin: it runs in a separate process, so that its CPU can be measured. */
export interface BaselineInput {
  readonly name: BaselineName;
  readonly databaseUrl: string;
  readonly kid: string;
  readonly privateJwk: JsonWebKey;
}

export const baselineNames = ['bare', 'naive', 'tuned'] as const;
export type BaselineName = (typeof baselineNames)[number];

interface LicenseColumns {
  readonly tier: string;
  readonly features: readonly string[];
  readonly max_clusters: number | null;
  readonly buyer_email: string;
  readonly purchase_id: string;
}

type Validate = (request: ValidateRequest) => Promise<TokenResponse | null>;

const daySeconds = 86_400;

const claimsOf = (id: string, tenantId: string, hwid: string, license: LicenseColumns) => ({
  tier: license.tier,
  tenantId,
  hwid,
  features: license.features,
  maxClusters: license.max_clusters,
  buyerEmail: license.buyer_email,
  purchaseId: license.purchase_id,
  sub: id,
});

/** Parses the same body and answers a constant: the cost of Express alone. */
const bare = (): Validate => {
  const answer = { token: 'x'.repeat(700), signingKeyId: 'x'.repeat(43) };
  return async () => answer;
};

/** The obvious implementation: verify, SELECT, UPDATE, sign, each awaited. */
const naive = ({ databaseUrl, kid, privateJwk }: BaselineInput): Validate => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' });
  const publicKey = createPublicKey({ key: privateJwk, format: 'jwk' });
  return async ({ token, tenantId, hwid }) => {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer: product.issuer,
      audience: product.audience,
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    const id = payload.sub ?? '';
    const { rows } = await pool.query<LicenseColumns & { status: string; hwid: string; tenant_id: string }>(
      'select licenses.*, machines.hwid from licenses join machines on machines.license_id = licenses.id where licenses.id = $1',
      [id],
    );
    const [license] = rows;
    if (license?.status !== 'active' || license.hwid !== hwid || license.tenant_id !== tenantId) return null;
    await pool.query('update machines set last_validated_at = now() where license_id = $1', [id]);
    const renewed = await new SignJWT(claimsOf(id, tenantId, hwid, license))
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer(product.issuer)
      .setAudience(product.audience)
      .setIssuedAt()
      .setExpirationTime('1d')
      .sign(privateKey);
    return { token: renewed, signingKeyId: kid };
  };
};

const tunedStatement = `
  update machines set last_validated_at = now()
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as request(id, tenant_id, hwid, position)
  join licenses on licenses.id = request.id and licenses.tenant_id = request.tenant_id and licenses.status = 'active'
  where machines.license_id = request.id and machines.hwid = request.hwid
  returning position::int4 as position, tier, features, max_clusters, buyer_email, purchase_id`;

interface Waiting {
  readonly id: string;
  readonly tenantId: string;
  readonly hwid: string;
  readonly resolve: (license: LicenseColumns | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The minimum that still answers correctly: synchronous node:crypto, one UPDATE per batch. It omits what every portal needs: it
 * counts no request against its address, checks no revoked key and no expiry, validates no shape (a body is parsed up to
 * Express's 100 KB), gives no reason for a refusal, measures nothing, gives requests no id, waits for a machine's row that
 * another statement writes, and lets a batch fail for one of its rows. It verifies each token with the public key.
 */
const tuned = ({ databaseUrl, kid, privateJwk }: BaselineInput): Validate => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' });
  const publicKey = createPublicKey({ key: privateJwk, format: 'jwk' });
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid })).toString('base64url');
  let waiting: Waiting[] = [];
  let inFlight = 0;

  const flush = async () => {
    if (waiting.length === 0 || inFlight === 2) return;
    const batch = waiting;
    waiting = [];
    inFlight += 1;
    const values = [
      batch.map(({ id }) => id),
      batch.map((row) => row.tenantId),
      batch.map(({ hwid }) => hwid),
    ];
    try {
      const found = new Map<number, LicenseColumns>();
      const { rows } = await pool.query<LicenseColumns & { position: number }>({
        name: 'tuned',
        text: tunedStatement,
        values,
      });
      for (const row of rows) found.set(row.position, row);
      for (const [index, { resolve }] of batch.entries()) resolve(found.get(index + 1) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    inFlight -= 1;
    setImmediate(flush);
  };
  const ask = (id: string, tenantId: string, hwid: string) =>
    new Promise<LicenseColumns | null>((resolve, reject) => {
      if (waiting.push({ id, tenantId, hwid, resolve, reject }) === 1) setImmediate(flush);
    });

  return async ({ token, tenantId, hwid }) => {
    const end = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    if (!verify(null, Buffer.from(token.slice(0, end)), publicKey, signature)) return null;
    const payload = Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString();
    const { sub } = JSON.parse(payload) as { sub: string };
    const license = await ask(sub, tenantId, hwid);
    if (!license) return null;
    const iat = Math.floor(Date.now() / 1000);
    const times = { iss: product.issuer, aud: product.audience, iat, exp: iat + daySeconds };
    const claims = JSON.stringify({ ...claimsOf(sub, tenantId, hwid, license), ...times });
    const signed = `${header}.${Buffer.from(claims).toString('base64url')}`;
    const proof = sign(null, Buffer.from(signed), privateKey).toString('base64url');
    return { token: `${signed}.${proof}`, signingKeyId: kid };
  };
};

const makers = { bare, naive, tuned } as const;

const baselineApp = (validate: Validate): Express => {
  const app = express();
  app.set('trust proxy', 'loopback');
  app.disable('x-powered-by');
  app.disable('etag');
  app.post('/api/licenses/validate', express.json(), async (request: Request, response) => {
    const answer = await validate(request.body as ValidateRequest);
    if (answer) response.json(answer);
    else response.status(403).end();
  });
  return app;
};

/** Listens until the process ends. */
export const startBaseline = async (input: BaselineInput): Promise<number> => {
  const handler = baselineApp(makers[input.name](input));
  return (await listen({ handler, host: '127.0.0.1', port: 0 })).port;
};
