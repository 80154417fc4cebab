import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type EnrolmentRequest, enrolmentRequest } from '#contracts/servers/agent-enrolment.ts';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import {
  type ExchangeKey,
  exportExchangeKey,
  importExchangeKey,
  newExchangeKey,
} from '#runtime/auth/key-exchange.ts';
import { version } from '#runtime/version.ts';
import { closeToOthers } from '#runtime/windows/private-folder.ts';
import { takeOnWindows } from '#runtime/windows/take-on-windows.ts';
import { isAgentInstalled } from '../configuration/agent-home.ts';
import { type AgentKey, toAgentKey } from '../configuration/agent-key.ts';

/**
 * An enrolment in progress: kept on disk until the configuration is written, so that one that was interrupted, or whose answer
 * was lost, continues with the same request.
 */
export interface EnrolmentDraft {
  readonly asked: Omit<EnrolmentRequest, 'mac' | 'signature'>;
  readonly exchangeKey: ExchangeKey;
  readonly agentKey: AgentKey;
  /** No request has been made with it yet. */
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

/** The id was assigned by the panel, and names a file. */
export const isEnrolmentId = (text: string): boolean => /^[a-z0-9]{1,64}$/.test(text);

/** File modes do nothing on Windows, and every account can read what is below %ProgramData%. */
const closeHome = async (home: string): Promise<void> => {
  if (process.platform !== 'win32') return;
  await takeOnWindows(home, isAgentInstalled);
  await closeToOthers(home);
};

/**
 * Continues with the folder's draft of this enrolment, or begins one.
 * @param close keeps other accounts out of the data folder, before the first key is written
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
    // Another run of the same command line may have begun again since.
    const now = await readFile(path, 'utf8').catch(() => null);
    if (now !== null && (parse(now)?.asked.nonce ?? nonce) === nonce) await rm(path, { force: true });
    // Others may be in progress; only an empty folder is removed.
    await rmdir(folder).catch(() => undefined);
  };
  const kept = await readFile(path, 'utf8').catch(ifAbsent(null));
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

/** @returns false when another run of the same command line was first: its keys are the ones to use */
const createDraft = async (path: string, text: string, isDamaged: boolean): Promise<boolean> => {
  const half = `${path}.${randomUUID()}`;
  try {
    await writeFileAtomically(half, text, 0o600);
    // A link is created whole or not at all, and replaces none.
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

/** Null for a damaged file: the enrolment begins again with other keys. */
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

/** Drafts of codes that expired long ago, or were made by a clock that was far ahead. */
const deleteOld = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > dayMs) await rm(path, { force: true });
  }
};
