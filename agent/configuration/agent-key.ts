import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { StartupError } from '#runtime/program.ts';

/** The agent's own Ed25519 key, which the API pins. */
export interface AgentKey {
  readonly privateKey: KeyObject;
  /** Raw public key in base64url. */
  readonly publicKey: string;
}

const fileName = 'agent-key.pem';

/**
 * Reads the key from a state folder; the first start creates it.
 * @throws {StartupError} when the file is damaged: a new key would be refused until someone replaces the agent in the panel
 */
export const openAgentKey = async (stateFolder: string): Promise<AgentKey> => {
  const path = join(stateFolder, fileName);
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StartupError(`The agent's key ${path} cannot be read: ${error.code}.`, { cause: error });
  });
  if (kept !== null) return toAgentKey(readKey(kept, path));
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = toAgentKey(privateKey);
  await writeAgentKey(stateFolder, key);
  return key;
};

/** Replaces the existing key. @throws {StartupError} when it cannot be written */
export const writeAgentKey = async (stateFolder: string, { privateKey }: AgentKey): Promise<void> => {
  const path = join(stateFolder, fileName);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFileAtomically(path, pem, 0o600).catch((error: Error) => {
    throw new StartupError(`The agent's key ${path} cannot be written: ${error.message}`, { cause: error });
  });
};

export const toAgentKey = (privateKey: KeyObject): AgentKey => {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error('no Ed25519 key');
  return { privateKey, publicKey: x };
};

const readKey = (pem: string, path: string): KeyObject => {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Not shown: the parser's message helps no one here.
  }
  throw new StartupError(
    `The agent's key ${path} is damaged. Restore it from a backup, or delete it and choose “Replace agent” in the panel.`,
  );
};
