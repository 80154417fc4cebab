import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';

const maxSignatures = 8;
/** Notes are the longest part; longer files are read no further. */
export const maxReleaseBytes = 64 * 1024;

const signaturePattern = /^[\w-]{86}$/;

export interface ManifestFormat<Manifest> {
  /** Signed with the text, so that a signature for one format never counts for another. */
  readonly domain: string;
  readonly schema: z.ZodType<Manifest>;
}

/** A manifest with a valid signature. */
export interface SignedManifest<Manifest> {
  readonly manifest: Manifest;
  /** The exact bytes of the file, to be stored and verified again. */
  readonly bytes: Buffer;
}

export type ManifestReading<Manifest> =
  | ({ readonly kind: 'verified' } & SignedManifest<Manifest>)
  /** Not signed by a key that this build trusts. */
  | { readonly kind: 'forged'; readonly detail: string }
  /** Signed, but made for a later version of this program. */
  | { readonly kind: 'unreadable'; readonly detail: string };

/** @param text 32 bytes in base64url, as embedded in the build. @throws when it is not a key */
export const readPublicKey = (text: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });

const signedPart = (domain: string, manifest: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${domain}\n`), manifest]);

/**
 * One file, so that a server never shows a manifest with another one's signature: the first line names the format and holds the
 * signatures, the rest is the manifest in its exact bytes. During a key change, several keys sign.
 * @throws saying what is not allowed in a manifest of this format
 */
export const signManifest = <Manifest>(
  { domain, schema }: ManifestFormat<Manifest>,
  manifest: Manifest,
  privateKeys: readonly KeyObject[],
): Buffer => {
  const checked = schema.safeParse(manifest);
  if (!checked.success) throw new Error(`That is no release:\n${z.prettifyError(checked.error)}`);
  const body = Buffer.from(`${JSON.stringify(checked.data, null, 2)}\n`);
  const signatures = privateKeys.map((key) =>
    sign(null, signedPart(domain, body), key).toString('base64url'),
  );
  return Buffer.concat([Buffer.from(`${[domain, ...signatures].join(' ')}\n`), body]);
};

/** Accepts a signature of any of the keys. Whether the release is wanted is another question. */
export const readSignedManifest = <Manifest>(
  { domain, schema }: ManifestFormat<Manifest>,
  bytes: Buffer,
  keys: readonly KeyObject[],
): ManifestReading<Manifest> => {
  if (bytes.length > maxReleaseBytes) return { kind: 'forged', detail: 'it is larger than any release is' };
  const end = bytes.indexOf('\n');
  const [format, ...signatures] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
  if (end === -1 || format !== domain) return { kind: 'forged', detail: 'it is no signed release' };
  if (signatures.length > maxSignatures || !signatures.every((text) => signaturePattern.test(text)))
    return { kind: 'forged', detail: 'its signatures cannot be read' };
  const body = bytes.subarray(end + 1);
  const message = signedPart(domain, body);
  const holds = signatures.some((text) =>
    keys.some((key) => verify(null, message, key, Buffer.from(text, 'base64url'))),
  );
  if (!holds) return { kind: 'forged', detail: 'its signature is not of a key that this build believes' };
  try {
    return { kind: 'verified', manifest: schema.parse(JSON.parse(body.toString('utf8'))), bytes };
  } catch {
    return { kind: 'unreadable', detail: 'it was made for another version of the updater' };
  }
};
