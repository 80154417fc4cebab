import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecretsStatus } from '#contracts/operations/secrets.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { removeDamagedCopies, removeRecordedKeys } from '#runtime/key-record.ts';
import type { Secret } from '#runtime/secret.ts';
import { keyIdOf } from '#runtime/secret-box.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';

/** IDs of the keys in `.env` and in the key record beside it. */
interface ConfiguredKeys {
  readonly current: string;
  readonly previous: readonly string[];
}

/**
 * The next step of a rotation.
 * - `restart`: the API still runs with other keys than are configured
 * - `reencrypt`: some secrets still use an older key
 * - `discard`: nothing needs the older keys any more
 * - `settled`: the API runs with the only key that there is
 */
type RotationStep = 'restart' | 'reencrypt' | 'discard' | 'settled';

/** Derived only from what is there, so that a rotation that was interrupted anywhere continues from there. */
const rotationStep = (configured: ConfiguredKeys, status: SecretsStatus): RotationStep => {
  const loaded = status.keys.filter(({ state }) => state === 'previous').map(({ keyId }) => keyId);
  if (status.currentKeyId !== configured.current || !isSameSet(loaded, configured.previous)) return 'restart';
  if (configured.previous.length === 0) return 'settled';
  return onPreviousKeys(status) > 0 ? 'reencrypt' : 'discard';
};

/** How many secrets name an older key, readable or not. */
const onPreviousKeys = ({ keys }: SecretsStatus): number =>
  keys.filter(({ state }) => state === 'previous').reduce((sum, { count }) => sum + count, 0);

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).symmetricDifference(new Set(others)).size === 0;

/** What a rotation needs of the running stack. */
export interface RotationStack {
  /** Null while the API does not answer. */
  status(): Promise<SecretsStatus | null>;
  reencrypt(): Promise<void>;
  /** Reads `.env` again and restarts the API. */
  restartApi(): Promise<void>;
  /** Takes a backup of the database. @returns its path */
  backUp(): Promise<string>;
}

interface RotateKeyOptions {
  readonly home: string;
  readonly stack: RotationStack;
  /** Tells the user what happens. */
  readonly say: (line: string) => void;
}

type RotationOutcome =
  | { readonly outcome: 'rotated'; readonly keyId: string }
  /** `.env` still names every key that a secret needs; the command can be repeated. */
  | { readonly outcome: 'stopped'; readonly detail: string };

/** An expected end. */
class Stop extends Error {
  override readonly name = 'Stop';
}

const pollMs = 250;
const answerDeadlineMs = 60_000;
/** A run without progress for this long is not waited for. */
const standstillMs = 120_000;

/**
 * The whole procedure: backup, a new key beside the old one, every secret sealed again, the old key removed. After any
 * interruption, repeating the command continues from where it was; an unfinished rotation is finished before a new key is
 * made.
 */
export const rotateKey = async ({ home, stack, say }: RotateKeyOptions): Promise<RotationOutcome> => {
  try {
    if (await isUnderWay(home, stack)) say('Continuing the rotation that was begun before.');
    else await begin(home, stack, say);
    for (let step = await look(home, stack); step !== 'settled'; step = await look(home, stack))
      await take(step, { home, stack, say });
    const { configEncryptionKey } = await readStackConfig(home);
    return { outcome: 'rotated', keyId: keyIdOf(configEncryptionKey) };
  } catch (error) {
    if (error instanceof Stop) return { outcome: 'stopped', detail: error.message };
    throw error;
  }
};

const look = async (home: string, stack: RotationStack): Promise<RotationStep> => {
  const status = await stack.status();
  return status ? rotationStep(await configuredKeys(home), status) : 'restart';
};

const configuredKeys = async (home: string): Promise<ConfiguredKeys> => {
  const { configEncryptionKey, previousKeys } = await readStackConfig(home);
  return { current: keyIdOf(configEncryptionKey), previous: previousKeys.map(keyIdOf) };
};

const isUnderWay = async (home: string, stack: RotationStack): Promise<boolean> => {
  const configured = await configuredKeys(home);
  if (configured.previous.length > 0) return true;
  const status = await stack.status();
  if (!status) throw new Stop('The API does not answer. See: castellan status');
  return rotationStep(configured, status) !== 'settled';
};

const begin = async (home: string, stack: RotationStack, say: RotateKeyOptions['say']): Promise<void> => {
  const { total = 0, unreadable = 0 } = (await stack.status()) ?? {};
  if (total === 0) say('No secrets are stored yet, so only the key changes.');
  if (unreadable > 0)
    say(
      unreadable === 1
        ? '1 secret is encrypted with a key that is missing. It stays unreadable.'
        : `${unreadable} secrets are encrypted with a key that is missing. They stay unreadable.`,
    );
  say(`Backup taken: ${await stack.backUp()}`);
  const { configEncryptionKey: old } = await readStackConfig(home);
  await writeKeys(home, randomBytes(32).toString('hex'), [old]);
  say(`A new key is in ${stackEnvPath(home)}. The old one, ${keyIdOf(old)}, is kept beside it for now.`);
};

const writeKeys = (home: string, current: string, previous: readonly Secret[]): Promise<void> =>
  editEnvFile(stackEnvPath(home), {
    CONFIG_ENCRYPTION_KEY: current,
    CONFIG_ENCRYPTION_KEY_PREVIOUS: previous.map((key) => key.reveal()).join(',') || null,
  });

const take = async (
  step: Exclude<RotationStep, 'settled'>,
  { home, stack, say }: RotateKeyOptions,
): Promise<void> => {
  if (step === 'restart') {
    say('Restarting the API with the keys from .env …');
    await stack.restartApi();
    await untilLoaded(home, stack);
  } else if (step === 'reencrypt') {
    await stack.reencrypt();
    await untilReencrypted(stack, say);
  } else {
    const { configEncryptionKey, previousKeys } = await readStackConfig(home);
    await writeKeys(home, configEncryptionKey.reveal(), []);
    await removeRecordedKeys(home, previousKeys.map(keyIdOf));
    await removeDamagedCopies(home);
    say('No secret needs the old key any more, so it was removed. Older backups still need it.');
  }
};

const untilLoaded = async (home: string, stack: RotationStack): Promise<void> => {
  const until = performance.now() + answerDeadlineMs;
  while ((await look(home, stack)) === 'restart') {
    if (performance.now() > until)
      throw new Stop(
        'The API does not answer with the keys from .env. No key was lost. See: castellan status',
      );
    await delay(pollMs);
  }
};

const untilReencrypted = async (stack: RotationStack, say: RotateKeyOptions['say']): Promise<void> => {
  let said = '';
  let movedMs = performance.now();
  for (;;) {
    const status = await stack.status();
    const run = status?.reencryption;
    if (status && run?.state === 'done') {
      const left = run.failed > 0 ? `, ${run.failed} cannot be read` : '';
      say(`Re-encrypted: ${run.done} of ${run.done + run.failed}${left}`);
      if (onPreviousKeys(status) > 0) throw new Stop(whatIsLeft(status));
      return;
    }
    const isUnderWay = run?.state === 'running' && run.total !== null;
    const progress = isUnderWay ? `Re-encrypted: ${run.done} of ${run.total}` : '';
    if (progress !== said) {
      if (progress) say(progress);
      said = progress;
      movedMs = performance.now();
    } else if (performance.now() - movedMs > standstillMs)
      throw new Stop(
        'The re-encryption makes no progress. No key was lost. See the log of the API, then run the command again.',
      );
    await delay(pollMs);
  }
};

const whatIsLeft = (status: SecretsStatus): string => {
  const named = status.faults.filter(({ fault }) => fault === 'damaged').map(({ secret }) => secret);
  return (
    `${onPreviousKeys(status)} secrets still need an older key, which is kept: ` +
    `${named.join(', ') || 'they were saved in the meantime'}. Enter damaged ones again in the panel, then run the command again.`
  );
};
