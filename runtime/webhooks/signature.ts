import { createHmac } from 'node:crypto';
import { equalBytes } from '../auth/secret-token.ts';
import type { Secret } from '../secret.ts';

/** How far the time in a signature may differ from ours. */
const toleranceSeconds = 300;

/** A gateway that changes its secret signs with both for a while. */
const maxSignatures = 8;
const maxHeaderLength = 2048;

/** `late`: one of the secrets has signed it, at a time that is too far from ours. */
export type SignatureFault = 'unsigned' | 'late';

const macOf = (secret: Secret, timestamp: string, body: Uint8Array | string): Buffer =>
  createHmac('sha256', secret.reveal()).update(`${timestamp}.`).update(body).digest();

/** The signature header of a body that is signed now. */
export const signatureOf = (secret: Secret, body: string, now: Date): string => {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return `t=${timestamp},v1=${macOf(secret, timestamp, body).toString('hex')}`;
};

/**
 * `t=<seconds since epoch>,v1=<hex>[,v1=<hex>…]`, each v1 the HMAC-SHA256 of `<t>.<body>`. One signature by one of our secrets is
 * enough. All of them are computed before the function returns, so that the time taken reveals nothing.
 * @returns null: it is signed
 */
export const findSignatureFault = (
  secrets: readonly Secret[],
  header: string,
  body: Uint8Array,
  now: Date,
): SignatureFault | null => {
  if (header.length > maxHeaderLength) return 'unsigned';
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  const signatures = parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/i.test(value ?? ''))
    .slice(0, maxSignatures)
    .map(([, value = '']) => Buffer.from(value, 'hex'));
  let fits = false;
  for (const secret of secrets) {
    const digest = macOf(secret, timestamp, body);
    for (const signature of signatures) if (equalBytes(signature, digest)) fits = true;
  }
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!fits) return 'unsigned';
  return ageSeconds > toleranceSeconds ? 'late' : null;
};

export const isSignedBy = (...signed: Parameters<typeof findSignatureFault>): boolean =>
  findSignatureFault(...signed) === null;
