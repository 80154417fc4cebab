import { type Kysely, type Selectable, sql } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { recordKeys, removeDamagedCopies, removeRecordedKeys } from '#runtime/key-record.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { countSealedRows } from '#runtime/sealed/sealed-rows.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { thisMachine } from '../access/authorize.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Leases } from '../commands/leases.ts';
import type { Tables } from '../database/tables.ts';
import { recordEvent } from '../events/record-event.ts';
import type { DescribedColumn } from '../secrets/sealed-column.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** The keys that this installation has had: recorded before they seal, told when replaced, removed when no secret needs them. */
export interface EncryptionKeys extends Disposable {
  /** Writes the key in use into the key record. Called before anything is sealed. */
  record(): Promise<void>;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
  /** What is wrong with the key record, in sentences. */
  faults(): readonly string[];
}

type KnownKey = Selectable<Tables['encryption_keys']>;

const checkMs = 5000;

export const createEncryptionKeys = (options: {
  readonly db: Kysely<Tables>;
  readonly config: Pick<StackConfig, 'configEncryptionKey' | 'previousKeys' | 'recordedKeyIds'>;
  readonly home: string;
  readonly columns: readonly DescribedColumn[];
  readonly secrets: Secrets;
  readonly otherProcesses: Leases['otherProcesses'];
  readonly log: Log;
}): EncryptionKeys => {
  const { db, config, home, columns, secrets, log } = options;
  const faults = { damaged: '', unusable: '' };
  let checking: Disposable | null = null;

  const record = async () => {
    try {
      const { damagedCopy, wasOpen } = await recordKeys(home, [
        config.configEncryptionKey,
        ...config.previousKeys,
      ]);
      faults.unusable = '';
      if (wasOpen)
        log.warn('other accounts could read the encryption keys of the key record; closed to them');
      if (damagedCopy === null) return;
      faults.damaged = healthReasons['key-record-damaged'](damagedCopy);
      log.error({ copy: damagedCopy }, 'the key record was damaged; wrote it again and kept a copy');
    } catch (error) {
      const isNew = faults.unusable === '';
      faults.unusable = healthReasons['key-record-unusable']((error as Error).message);
      if (isNew) log.error({ err: error }, 'could not write the encryption key into the key record');
    }
  };

  const countOn = (from: Kysely<Tables>, keyId: string) => countSealedRows(from, columns, { oneOf: [keyId] });

  /** Every process that might still seal with an older key has to be gone. */
  const removeUnneeded = async () => {
    const recorded = config.recordedKeyIds.filter((keyId) => secrets.keyIds.includes(keyId));
    if (recorded.length === 0 || (await options.otherProcesses()).length > 0) return;
    const unneeded: string[] = [];
    for (const keyId of recorded) if ((await countOn(db, keyId)) === 0) unneeded.push(keyId);
    if (unneeded.length === 0) return;
    await removeRecordedKeys(home, unneeded);
    secrets.forget(unneeded);
    if ((await countSealedRows(db, columns, { otherThan: secrets.keyId })) === 0)
      await removeDamagedCopies(home);
    await tellChanges();
  };

  /** Compares the keys with those that the database knows, so that what a killed process has not told is told by the next one. */
  const tellChanges = async () => {
    const told = await db.transaction().execute(async (trx) => {
      await sql`lock table encryption_keys in share row exclusive mode`.execute(trx);
      const known = await trx.selectFrom('encryption_keys').selectAll().execute();
      return {
        replaced: await noteReplacement(trx, known),
        forgotten: await noteForgotten(trx, known),
      };
    });
    if (told.replaced) log.warn(told.replaced, 'the encryption key was replaced');
    for (const key of told.forgotten) log.warn(key, 'an older encryption key was forgotten');
  };

  const audit = (
    trx: Kysely<Tables>,
    action: Extract<AuditAction, `secrets.key-${string}`>,
    keyId: string,
    after: unknown,
  ) =>
    recordAudit(trx, {
      actor: thisMachine,
      address: '127.0.0.1',
      action,
      target: `encryption-key:${keyId}`,
      after,
    });

  const noteReplacement = async (trx: Kysely<Tables>, known: readonly KnownKey[]) => {
    const { keyId } = secrets;
    const before = known.find(({ replaced_at }) => replaced_at === null)?.key_id;
    const older = secrets.keyIds.slice(1);
    for (const key_id of older)
      await trx
        .insertInto('encryption_keys')
        .values({ key_id, replaced_at: sql<Date>`now()` })
        .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ forgotten_at: null }))
        .execute();
    if (before === keyId) return null;
    await trx
      .updateTable('encryption_keys')
      .set({ replaced_at: sql`now()` })
      .where('replaced_at', 'is', null)
      .execute();
    const inUse = { in_use_since: sql<Date>`now()`, replaced_at: null, forgotten_at: null };
    await trx
      .insertInto('encryption_keys')
      .values({ key_id: keyId, ...inUse })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet(inUse))
      .execute();
    if (before === undefined) return null;
    const counted = [];
    for (const each of new Set([keyId, before, ...older]))
      counted.push({ keyId: each, count: await countOn(trx, each) });
    const replaced = { keyId, replacedKeyId: before, secrets: counted };
    await recordEvent(trx, 'secrets.key-replaced', replaced);
    await audit(trx, 'secrets.key-replace', keyId, replaced);
    return replaced;
  };

  const noteForgotten = async (trx: Kysely<Tables>, known: readonly KnownKey[]) => {
    const gone = known.filter(
      ({ key_id, forgotten_at }) => forgotten_at === null && !secrets.keyIds.includes(key_id),
    );
    const forgotten = [];
    for (const { key_id: keyId } of gone) {
      const key = { keyId, secrets: await countOn(trx, keyId) };
      await trx
        .updateTable('encryption_keys')
        .set({ forgotten_at: sql`now()` })
        .where('key_id', '=', keyId)
        .execute();
      await audit(trx, 'secrets.key-forget', keyId, { secrets: key.secrets });
      forgotten.push(key);
    }
    return forgotten;
  };

  return {
    record,
    async prepare() {
      await tellChanges();
      checking ??= runPeriodically({
        intervalMs: checkMs,
        startsAtOnce: true,
        async work() {
          if (faults.unusable !== '') await record();
          await removeUnneeded();
        },
        failure: 'could not look whether an older encryption key is still needed',
        log,
      });
    },
    faults: () => [faults.damaged, faults.unusable].filter((text) => text !== ''),
    [Symbol.dispose]: () => checking?.[Symbol.dispose](),
  };
};
