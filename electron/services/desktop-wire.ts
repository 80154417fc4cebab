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
import { serviceStep, servicesResult } from '#contracts/desktop/desktop-services.ts';
import { Secret } from '#runtime/secret.ts';

/** What an elevated `castellan services for-desktop` sends to the desktop that started it, one JSON per line. */
export const elevatedLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: serviceStep }),
  /** The desktop runs the stack of app mode, so only it can stop and start it; answered by a `desktopLine`. */
  z.object({ type: z.literal('ask'), act: z.enum(['stop-app', 'start-app']) }),
  /** The key of this user's desktop to the API of the services, sealed; it is in no argument, file or log. */
  z.object({ type: z.literal('access'), sealed: z.string().max(1000) }),
  z.object({ type: z.literal('end'), result: servicesResult }),
]);
export type ElevatedLine = z.infer<typeof elevatedLine>;
export type AppAction = Extract<ElevatedLine, { type: 'ask' }>['act'];

export const desktopLine = z.discriminatedUnion('type', [
  /** The very first line; the elevated end says nothing before it. */
  z.object({ type: z.literal('hello'), publicKey: z.string().max(1000) }),
  /** Null: done. */
  z.object({ type: z.literal('answer'), error: z.string().nullable() }),
]);
export type DesktopLine = z.infer<typeof desktopLine>;

/** A broken connection shows as its close; what was begun is finished, or undone, without the other end. */
export const hearLines = (socket: Socket, onLine: (text: string) => void): void => {
  socket.on('error', () => undefined);
  createInterface({ input: socket })
    .on('error', () => undefined)
    .on('line', onLine);
};

/** Hash of this change's public key (base64): a program that listens there must show the key that the name came from. */
export const wireNameOf = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex');
export const wireNamePattern = /^[0-9a-f]{64}$/;

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

/** So that only the desktop that gave the public key can read it. */
export const sealFor = (publicKey: string, text: string): string => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return publicEncrypt({ key, ...oaep }, Buffer.from(text)).toString('base64');
};

/** Null for what was sealed for another key. */
export const unseal = (key: KeyObject, sealed: string): Secret | null => {
  try {
    return new Secret(privateDecrypt({ key, ...oaep }, Buffer.from(sealed, 'base64')).toString());
  } catch {
    // It cannot be read; the reason does not matter.
    return null;
  }
};

/**
 * Where the desktop listens. Anyone can list the names of pipes. Windows lets only the account that listens, administrators
 * and itself write there; others may connect and read, which tells them nothing; and a mere name cannot lead to another
 * machine.
 */
export const wireAddress = (name: string): string =>
  process.platform === 'win32' ? `\\\\.\\pipe\\castellan-elevated-${name}` : `\0castellan-elevated-${name}`;
