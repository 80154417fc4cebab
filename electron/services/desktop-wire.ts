import {
  constants,
  createHash,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { serviceStep, servicesResult } from '#contracts/desktop-services.ts';
import { Secret } from '#runtime/secret.ts';

/** What an elevated `castellan services for-desktop` says to the desktop that had it started, one JSON a line. */
export const elevatedLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: serviceStep }),
  /** The desktop runs the stack of app mode, so it alone can stop and start it; answered by a `desktopLine`. */
  z.object({ type: z.literal('ask'), act: z.enum(['stop-app', 'start-app']) }),
  /** The key of this user's desktop to the API of the services, sealed; it stands in no argument, file or log. */
  z.object({ type: z.literal('access'), sealed: z.string().max(1000) }),
  z.object({ type: z.literal('end'), result: servicesResult }),
]);
export type ElevatedLine = z.infer<typeof elevatedLine>;
export type AppAction = Extract<ElevatedLine, { type: 'ask' }>['act'];

export const desktopLine = z.discriminatedUnion('type', [
  /** The first line of all; before it the elevated end says nothing. */
  z.object({ type: z.literal('hello'), publicKey: z.string().max(1000) }),
  /** Null: done. */
  z.object({ type: z.literal('answer'), error: z.string().nullable() }),
]);
export type DesktopLine = z.infer<typeof desktopLine>;

/** A connection that breaks is told by its close; what was begun is carried on, or undone, without the other end. */
export const hearLines = (socket: Socket, onLine: (text: string) => void): void => {
  socket.on('error', () => undefined);
  createInterface({ input: socket })
    .on('error', () => undefined)
    .on('line', onLine);
};

/** Null for what is none of these lines. */
export const readLine = <Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // Nobody of ours writes such a line; whoever does is not listened to.
    return null;
  }
};

/** Of a key pair of this one change, its public half in base64: who listens there has to show what the name was made of. */
export const wireNameOf = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex');
export const wireNamePattern = /^[0-9a-f]{64}$/;

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

/** So that only the desktop that gave the public key can read it. */
export const sealFor = (publicKey: string, text: string): string => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return publicEncrypt({ key, ...oaep }, Buffer.from(text)).toString('base64');
};

/** Null for what was sealed for another. */
export const unseal = (key: KeyObject, sealed: string): Secret | null => {
  try {
    return new Secret(privateDecrypt({ key, ...oaep }, Buffer.from(sealed, 'base64')).toString());
  } catch {
    // It cannot be read, and why is nobody's business.
    return null;
  }
};

/**
 * Where the desktop listens. Names of pipes can be listed by everybody. Windows lets only the account that listens,
 * administrators and itself write there; others may connect and read, which tells them nothing; and a name alone can lead
 * to no other machine.
 */
export const wireAddress = (name: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\castellan-elevated-${name}` : `\0castellan-elevated-${name}`;
