import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { ServicesProgress } from '#contracts/desktop/desktop-services.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { Secret } from '#runtime/secret.ts';

/** Secrets that Windows, or a keyring, keeps for one user (Electron's safeStorage). */
export interface UserVault {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(sealed: Buffer): string;
}

const record = z.object({
  home: z.string(),
  /** Base64. */
  sealed: z.string(),
});

/** This user's key to the API of the services of a data folder. */
export interface AccessStore {
  key(): Secret | null;
  state(): Exclude<ServicesProgress['access'], 'own'>;
  keep(key: Secret): Promise<void>;
  refuse(): void;
  forget(): Promise<void>;
}

/** @param folder the user's own; a record of another data folder, or one that cannot be opened any more, counts as none */
export const openAccessStore = async (
  folder: string,
  home: string,
  vault: UserVault,
): Promise<AccessStore> => {
  const path = join(folder, 'services-access.json');
  let key = await readKey(path, home, vault);
  let state: ReturnType<AccessStore['state']> = key ? 'kept' : 'missing';
  return {
    key: () => key,
    state: () => state,
    async keep(given) {
      key = given;
      state = 'for-now';
      if (!vault.isEncryptionAvailable()) return;
      const sealed = vault.encryptString(given.reveal()).toString('base64');
      const text = JSON.stringify({ home, sealed }, null, 2);
      await writeFileAtomically(path, `${text}\n`, 0o600);
      state = 'kept';
    },
    refuse() {
      key = null;
      state = 'refused';
    },
    async forget() {
      key = null;
      state = 'missing';
      await rm(path, { force: true });
    },
  };
};

const readKey = async (path: string, home: string, vault: UserVault): Promise<Secret | null> => {
  try {
    const kept = record.parse(JSON.parse(await readFile(path, 'utf8')));
    if (kept.home !== home) return null;
    return new Secret(vault.decryptString(Buffer.from(kept.sealed, 'base64')));
  } catch {
    // Absent, damaged, or sealed for another user: an administrator lets this one in again.
    return null;
  }
};
