import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { gameExit } from './holder-record.ts';

/** The order that an agent writes to a holder's standard input; nothing of it is an argument. */
export const holdOrder = z.object({
  powerFolder: z.string(),
  launch: z.string(),
  secret: z.string(),
  program: z.string(),
  args: z.array(z.string()),
  /** The arguments are passed unchanged, without the quotes of Windows's usual rules. */
  isVerbatim: z.boolean().default(false),
  folder: z.string(),
  /** Null: the holder's own account. */
  account: z
    .object({
      name: z.string(),
      uid: z.int(),
      gid: z.int(),
      /** All groups of the account, including `gid`. */
      groups: z.array(z.int()).min(1),
      home: z.string(),
    })
    .nullable(),
});
export type HoldOrder = z.infer<typeof holdOrder>;

const holderStatus = z.object({
  launch: z.string(),
  /** Null when the game has ended, or is ending. */
  pid: z.int().nullable(),
  upMs: z.number(),
  isAdopted: z.boolean(),
  exit: gameExit.nullable(),
  ranMs: z.number(),
  /** The newest line of the console. */
  lastLine: z.int(),
});
export type HolderStatus = z.infer<typeof holderStatus>;

export const holderRequests = ['write', 'terminate', 'kill'] as const;

/** An agent first proves itself; each request is answered with `done`. */
export const toHolder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nonce: z.string(), proof: z.string() }),
  z.object({
    type: z.literal('ask'),
    id: z.int(),
    request: z.enum(holderRequests),
    text: z.string().max(4096),
  }),
]);
export type ToHolder = z.infer<typeof toHolder>;

/** `status` follows the welcome and every change. */
export const fromHolder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), nonce: z.string() }),
  z.object({ type: z.literal('welcome'), proof: z.string() }),
  z.object({ type: z.literal('status'), status: holderStatus }),
  z.object({ type: z.literal('done'), id: z.int(), fault: z.string().nullable() }),
]);
type FromHolder = z.infer<typeof fromHolder>;

export const newNonce = (): string => randomBytes(32).toString('base64url');

/** @param side the side that proves itself, so that neither can repeat the other's proof */
export const proofOf = (side: 'agent' | 'holder', secret: string, nonce: string): string =>
  createHmac('sha256', secret).update(`${side}\n${nonce}`).digest('base64url');

export const isProof = (side: 'agent' | 'holder', secret: string, nonce: string, proof: string): boolean => {
  const right = Buffer.from(proofOf(side, secret, nonce));
  const given = Buffer.from(proof);
  return right.length === given.length && timingSafeEqual(right, given);
};

const longestMessage = 64 * 1024;

/** Calls `take` with each message, a line of JSON; a stranger who sends anything else is cut off. */
export const readMessages = <Message>(
  socket: Socket,
  schema: z.ZodType<Message>,
  take: (message: Message) => void,
): void => {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      try {
        take(schema.parse(JSON.parse(line)));
      } catch {
        socket.destroy();
        return;
      }
    }
    if (text.length > longestMessage) socket.destroy();
  });
};

export const sendMessage = (socket: Socket, message: ToHolder | FromHolder): void => {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
};

/**
 * Where a holder listens: on Linux in its folder, which is closed to other accounts. On Windows pipe names are open to every
 * account, so this one is derived from the secret: no one else can take it first, to impersonate a holder or to block it.
 * @param powerFolder its real path
 */
export const holderAddress = (powerFolder: string, secret: string): string => {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\castellan-holder-${createHmac('sha256', secret).update('pipe').digest('hex')}`;
  // The path itself may be longer than the 107 bytes of a socket's address.
  return join('/proc/self/fd', String(folderFd(powerFolder)), 'holder.sock');
};

/** Open while the folder exists there: one that was deleted and created again is another one. */
const folderFd = (powerFolder: string): number => {
  const opened = folderFds.get(powerFolder);
  if (opened !== undefined) {
    const [now, then] = [statSync(powerFolder), fstatSync(opened)];
    if (now.ino === then.ino && now.dev === then.dev) return opened;
    closeSync(opened);
    folderFds.delete(powerFolder);
  }
  const fd = openSync(powerFolder, 'r');
  folderFds.set(powerFolder, fd);
  return fd;
};
const folderFds = new Map<string, number>();
