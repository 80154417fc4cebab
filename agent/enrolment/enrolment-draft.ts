import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type EnrolmentRequest, enrolmentRequest } from '#contracts/agent-enrolment.ts';
import { agentProtocolVersion } from '#contracts/agent-protocol.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import {
  type ExchangeKey,
  exportExchangeKey,
  importExchangeKey,
  newExchangeKey,
} from '#runtime/auth/key-exchange.ts';
import { version } from '#runtime/version.ts';
import { closeToOthers } from '#runtime/windows/private-folder.ts';
import { type AgentKey, toAgentKey } from '../configuration/agent-key.ts';

/**
 * An enrolment that has begun: kept on disk until the configuration is written, so that one that was broken off, or whose
 * answer was lost, goes on with the same request.
 */
export interface EnrolmentDraft {
  readonly asked: Omit<EnrolmentRequest, 'mac' | 'signature'>;
  readonly exchangeKey: ExchangeKey;
  readonly agentKey: AgentKey;
  /** No request was made of it before. */
  readonly isNew: boolean;
  /** Deletes it, with its keys. */
  delete(): Promise<void>;
}

const file = z.object({
  asked: enrolmentRequest.omit({ mac: true, signature: true }),
  exchangeKey: z.string(),
  agentKey: z.string(),
});

const dayMs = 24 * 60 * 60_000;

/** Its id is what the panel gave out, and names a file. */
export const isEnrolmentId = (text: string): boolean => /^[a-z0-9]{1,64}$/.test(text);

/** File modes do nothing on Windows, and what lies below %ProgramData% is read by every account. */
const closeHome = (home: string): Promise<void> =>
  process.platform === 'win32' ? closeToOthers(home) : Promise.resolve();

/**
 * Goes on with what the folder has of this enrolment, or begins it.
 * @param close keeps other accounts out of the home, before the first key is written
 * @throws when the folder cannot be written
 */
export const openEnrolmentDraft = async (
  home: string,
  enrolment: string,
  close: (home: string) => Promise<void> = closeHome,
): Promise<EnrolmentDraft> => {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await close(home);
  const folder = join(home, 'enrolling');
  const path = join(folder, `${enrolment}.json`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await deleteOld(folder);
  const deleteDraft = (nonce: string) => async () => {
    // Another run of the same line may have begun again since.
    const now = await readFile(path, 'utf8').catch(() => null);
    if (now !== null && (parse(now)?.asked.nonce ?? nonce) === nonce) await rm(path, { force: true });
    // Others may be under way; only an empty folder goes.
    await rmdir(folder).catch(() => undefined);
  };
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const opened = kept === null ? null : parse(kept);
  if (opened) return { ...opened, isNew: false, delete: deleteDraft(opened.asked.nonce) };
  const exchangeKey = newExchangeKey();
  const { privateKey } = generateKeyPairSync('ed25519');
  const agentKey = toAgentKey(privateKey);
  const asked: EnrolmentDraft['asked'] = {
    v: agentProtocolVersion,
    enrolment,
    exchangeKey: exchangeKey.publicKey,
    agentKey: agentKey.publicKey,
    nonce: randomBytes(32).toString('base64url'),
    game: null,
    agentVersion: version,
    platform: `${process.platform}-${process.arch}`,
  };
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const text = JSON.stringify({ asked, exchangeKey: exportExchangeKey(exchangeKey), agentKey: pem });
  if (!(await createDraft(path, text, kept !== null))) return openEnrolmentDraft(home, enrolment, close);
  return { asked, exchangeKey, agentKey, isNew: true, delete: deleteDraft(asked.nonce) };
};

/** @returns false when another run of the same line was first: its keys are the ones to go on with */
const createDraft = async (path: string, text: string, isDamaged: boolean): Promise<boolean> => {
  const half = `${path}.${randomUUID()}`;
  try {
    await writeFileAtomically(half, text, 0o600);
    // A link is there whole or not at all, and replaces none.
    if (isDamaged) await rm(path, { force: true });
    await link(half, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(half, { force: true });
  }
};

/** Null for a file that is damaged: the enrolment begins again with other keys. */
const parse = (text: string): Omit<EnrolmentDraft, 'delete' | 'isNew'> | null => {
  try {
    const { asked, exchangeKey, agentKey } = file.parse(JSON.parse(text));
    return {
      asked,
      exchangeKey: importExchangeKey(exchangeKey),
      agentKey: toAgentKey(createPrivateKey(agentKey)),
    };
  } catch {
    return null;
  }
};

/** Of codes that are over long since. */
const deleteOld = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > dayMs) await rm(path, { force: true });
  }
};
