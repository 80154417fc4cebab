import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ModsError } from '../mods-error.ts';
import type { FileRequest } from './worker-wire.ts';

/** Writes a new file. @throws {ModsError} when the bytes are not those that were verified */
export const copyVerified = async (
  source: AsyncIterable<Buffer>,
  { to, from, sha512 }: Pick<FileRequest, 'to' | 'from' | 'sha512'>,
  signal: AbortSignal,
): Promise<void> => {
  const hash = createHash('sha512');
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(source, hashed, createWriteStream(to, { flags: 'wx', mode: 0o644, flush: true }), {
    signal,
  });
  if (hash.digest('hex') !== sha512)
    throw new ModsError(`${from} is not what was downloaded any more. Try again.`);
};
