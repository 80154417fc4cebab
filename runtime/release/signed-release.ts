import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import { type ReleaseManifest, releaseManifest } from './release-manifest.ts';

/** Signed with the text, so that no other signature of the same key ever passes for one of a release. */
const domain = 'castellan-update-1';
const maxSignatures = 8;
/** Notes are the longest part; what is larger is read no further. */
export const maxReleaseBytes = 64 * 1024;

const signaturePattern = /^[\w-]{86}$/;

/** A release whose signature holds. */
export interface SignedRelease {
  readonly manifest: ReleaseManifest;
  /** As it came, to be kept beside the installer and checked again. */
  readonly bytes: Buffer;
}

export type ReleaseReading =
  | ({ readonly kind: 'verified' } & SignedRelease)
  /** Nobody whom this build believes has signed it. */
  | { readonly kind: 'forged'; readonly detail: string }
  /** Signed, but not to be understood: made for a later version of this program. */
  | { readonly kind: 'unreadable'; readonly detail: string };

/** @param text 32 bytes in base64url, as the build carries them. @throws when it is no key */
export const readPublicKey = (text: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });

const signedPart = (manifest: Buffer): Buffer => Buffer.concat([Buffer.from(`${domain}\n`), manifest]);

/**
 * One file, so that a server never shows a manifest with another one's signature: the first line names the format and
 * holds the signatures, the rest is the manifest in its exact bytes. Several keys sign while one follows another.
 * @throws saying what a release must not have
 */
export const signRelease = (manifest: ReleaseManifest, privateKeys: readonly KeyObject[]): Buffer => {
  const checked = releaseManifest.safeParse(manifest);
  if (!checked.success) throw new Error(`That is no release:\n${z.prettifyError(checked.error)}`);
  const body = Buffer.from(`${JSON.stringify(checked.data, null, 2)}\n`);
  const signatures = privateKeys.map((key) => sign(null, signedPart(body), key).toString('base64url'));
  return Buffer.concat([Buffer.from(`${[domain, ...signatures].join(' ')}\n`), body]);
};

/** Believes a signature of any of the keys. Whether the release is wanted is another question. */
export const readSignedRelease = (bytes: Buffer, keys: readonly KeyObject[]): ReleaseReading => {
  if (bytes.length > maxReleaseBytes) return { kind: 'forged', detail: 'it is larger than any release is' };
  const end = bytes.indexOf('\n');
  const [format, ...signatures] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
  if (end === -1 || format !== domain) return { kind: 'forged', detail: 'it is no signed release' };
  if (signatures.length > maxSignatures || !signatures.every((text) => signaturePattern.test(text)))
    return { kind: 'forged', detail: 'its signatures cannot be read' };
  const body = bytes.subarray(end + 1);
  const message = signedPart(body);
  const holds = signatures.some((text) =>
    keys.some((key) => verify(null, message, key, Buffer.from(text, 'base64url'))),
  );
  if (!holds) return { kind: 'forged', detail: 'its signature is not of a key that this build believes' };
  try {
    return { kind: 'verified', manifest: releaseManifest.parse(JSON.parse(body.toString('utf8'))), bytes };
  } catch {
    return { kind: 'unreadable', detail: 'it was made for another version of the updater' };
  }
};
