import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storableValue } from '#contracts/kernel/storable-text.ts';
import type { InspectedMod } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { isAbsent } from '#runtime/absent-file.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';

interface UploadHashes {
  readonly sha1: string;
  readonly sha512: string;
}

/** Covers one file up to its first gap. */
interface Hashing {
  readonly sha1: Hash;
  readonly sha512: Hash;
  bytes: number;
}

/** More than anyone uploads at the same time; a file beyond that is read once when it is complete. */
const mostHashings = 32;

/** The bytes of uploads, each in a file named by its id. */
export const createUploadFiles = (folder: string) => {
  const pathOf = (id: string) => join(folder, id);
  /** Since the start of this process. */
  const hashings = new Map<string, Hashing>();

  const hash = (id: string, from: number, content: Uint8Array) => {
    let hashing = hashings.get(id);
    if (from === 0) {
      hashing = newHashing();
      hashings.set(id, hashing);
      const [oldest] = hashings.keys();
      if (hashings.size > mostHashings && oldest !== undefined) hashings.delete(oldest);
    }
    // The part was written again after it was hashed, or another process took the parts before it.
    if (hashing?.bytes !== from) return void hashings.delete(id);
    hashing.sha1.update(content);
    hashing.sha512.update(content);
    hashing.bytes += content.length;
  };

  return {
    pathOf,
    async prepare(): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },

    /** Durable. @returns `gone`: the earlier bytes are missing; `no-room`: the disk is full */
    async write(id: string, from: number, content: Uint8Array): Promise<'written' | 'gone' | 'no-room'> {
      try {
        await using file = await open(pathOf(id), from === 0 ? 'w' : 'r+', 0o600);
        if ((await file.stat()).size < from) return 'gone';
        try {
          for (let done = 0; done < content.length; )
            done += (await file.write(content, done, content.length - done, from + done)).bytesWritten;
          await file.sync();
        } catch (error) {
          await file.truncate(from);
          throw error;
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return 'gone';
        if (code === 'ENOSPC' || code === 'EDQUOT') return 'no-room';
        throw error;
      }
      hash(id, from, content);
      return 'written';
    },

    /** For a complete file. */
    async hashes(id: string, bytes: number): Promise<UploadHashes> {
      const known = hashings.get(id);
      hashings.delete(id);
      if (known?.bytes === bytes) return digestOf(known);
      const read = newHashing();
      for await (const chunk of createReadStream(pathOf(id)) as AsyncIterable<Buffer>) {
        read.sha1.update(chunk);
        read.sha512.update(chunk);
      }
      return digestOf(read);
    },

    /** Reports what cannot be read as an archive; the plan refuses it. */
    async content(id: string, game: GameId): Promise<InspectedMod['content']> {
      try {
        await using archive = await openArchive(pathOf(id));
        return storableValue((await gameOf(game).mods.inspect(archive)).content);
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        return storableValue({ is: 'unknown' as const, why: error.message.slice(0, 500) });
      }
    },

    async ids(): Promise<readonly string[]> {
      try {
        return await readdir(folder);
      } catch (error) {
        // Nothing was ever uploaded.
        if (isAbsent(error)) return [];
        throw error;
      }
    },

    async remove(id: string): Promise<void> {
      hashings.delete(id);
      await rm(pathOf(id), { force: true });
    },
  };
};

const newHashing = (): Hashing => ({ sha1: createHash('sha1'), sha512: createHash('sha512'), bytes: 0 });
const digestOf = ({ sha1, sha512 }: Hashing): UploadHashes => ({
  sha1: sha1.digest('hex'),
  sha512: sha512.digest('hex'),
});
