import { expect, test } from 'vitest';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { ensureEnv } from '../../first-start/ensure-env.ts';
import { type RotationStack, rotateKey } from './rotate-key.ts';

const licenseServer = {
  url: 'https://portal.example',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** The key IDs in the `.env` of a data folder. */
const keysIn = async (home: string) => {
  const { configEncryptionKey, previousKeys } = await readStackConfig(home);
  return { current: keyIdOf(configEncryptionKey), previous: previousKeys.map(keyIdOf) };
};

/** An API with one secret under the first key. It loads the keys when it is restarted. */
const stackOf = async (home: string): Promise<RotationStack> => {
  let loaded = await keysIn(home);
  const sealedWith = loaded.current;
  return {
    async status(): Promise<SecretsStatus> {
      const { current, previous } = loaded;
      const count = (keyId: string) => (keyId === sealedWith ? 1 : 0);
      return {
        currentKeyId: current,
        total: 1,
        keys: [
          { keyId: current, state: 'current', count: count(current) },
          ...previous.map((keyId) => ({ keyId, state: 'previous' as const, count: count(keyId) })),
        ],
        unreadable: 0,
        damaged: 0,
        faults: [],
        reencryption: null,
      };
    },
    async restartApi() {
      loaded = await keysIn(home);
    },
    reencrypt: async () => undefined,
    backUp: async () => '/backups/one',
  };
};

// Guarantee: a step that fails ends the rotation with its error, at once; every key that a secret may need stays in `.env`.
test.each([
  ['backUp', 0],
  ['restartApi', 1],
  ['reencrypt', 1],
] as const)('%s fails', async (step, previous) => {
  await using folder = await temporaryFolder('rotate-key');
  const home = folder.path;
  await ensureEnv(home, licenseServer, { postgresPort: 5440, values: { API_PORT: '3001' } });
  const { current: old } = await keysIn(home);
  const failing = { ...(await stackOf(home)), [step]: () => Promise.reject(new Error(`no ${step}`)) };
  await expect(rotateKey({ home, stack: failing, say: () => undefined })).rejects.toThrow(`no ${step}`);
  const left = await keysIn(home);
  expect([left.current, ...left.previous]).toContain(old);
  expect(left.previous).toHaveLength(previous);
});
