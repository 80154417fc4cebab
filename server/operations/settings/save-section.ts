import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { wordTaken } from '#contracts/kernel/problem-document.ts';
import { type SectionName, settingsSections } from '#contracts/operations/settings.ts';
import type { Section } from '#contracts/operations/settings-fields.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { type AuditEntry, recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import { type FieldFault, plainValues, type SectionChange } from './section-change.ts';
import { settingsChannel } from './settings-cache.ts';
import { settingsSecrets } from './settings-secrets.ts';

/**
 * Words of the changed fields that another field of the section also has, however they are written. Existing duplicates do
 * not affect a change of other fields.
 */
const takenWords = (
  { distinctWords = [] }: Section,
  values: Readonly<Record<string, unknown>>,
  changed: readonly string[],
): readonly FieldFault[] => {
  const wordsOf = (field: string) => String(values[field]).split(/\s+/);
  return distinctWords
    .filter((field) => changed.includes(field))
    .flatMap((field): FieldFault[] => {
      for (const word of wordsOf(field)) {
        const other = distinctWords.find(
          (each) => each !== field && wordsOf(each).some((one) => nameKey(one) === nameKey(word)),
        );
        if (other === undefined) continue;
        const others = String(values[other]);
        const message = `must share no word with ${other}: “${word}” is already used there`;
        return [{ field, message, code: wordTaken, values: [word, others] }];
      }
      return [];
    });
};

export interface SectionSave {
  readonly section: SectionName;
  /** The version that the change is based on. */
  readonly version: number;
  readonly change: SectionChange;
  readonly by: Pick<AuditEntry, 'actor' | 'address'>;
}

export type SaveOutcome =
  | 'saved'
  | 'conflict'
  /** Fields that conflict with each other; nothing is saved. */
  | { readonly faults: readonly FieldFault[] };

/** Saves a change with its audit row, unless someone else saved after the version that it is based on. */
export const saveSection = (db: Kysely<Tables>, secrets: Secrets, save: SectionSave): Promise<SaveOutcome> =>
  db.transaction().execute((trx) => saveSectionWithin(trx, secrets, save));

export const saveSectionWithin = async (
  trx: Kysely<Tables>,
  secrets: Secrets,
  { section, version, change, by }: SectionSave,
): Promise<SaveOutcome> => {
  await trx
    .insertInto('settings')
    .values({ section })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await trx
    .selectFrom('settings')
    .select(['version', 'values'])
    .where('section', '=', section)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (stored.version !== version) return 'conflict';

  const before = plainValues(settingsSections[section], stored.values);
  // A field's value before its first save is no one's choice: choosing exactly that value is a change.
  const changed = Object.keys(change.plain).filter(
    (name) => !(name in stored.values && isDeepStrictEqual(before[name], change.plain[name])),
  );
  const faults = takenWords(settingsSections[section], { ...before, ...change.plain }, changed);
  if (faults.length > 0) return { faults };
  if (changed.length === 0 && change.secrets.length === 0) return 'saved';
  await trx
    .updateTable('settings')
    .set({ version: version + 1, values: JSON.stringify({ ...stored.values, ...change.plain }) })
    .where('section', '=', section)
    .execute();
  for (const [field, secret] of change.secrets) {
    if (secret) {
      const sealed = secrets.seal(settingsSecrets, [section, field], secret);
      await trx
        .insertInto('settings_secrets')
        .values({ section, field, sealed })
        .onConflict((conflict) => conflict.columns(['section', 'field']).doUpdateSet({ sealed }))
        .execute();
    } else {
      await trx
        .deleteFrom('settings_secrets')
        .where('section', '=', section)
        .where('field', '=', field)
        .execute();
    }
  }
  const pick = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((name) => [name, values[name]]));
  await recordAudit(trx, {
    ...by,
    action: 'settings.change',
    target: `settings:${section}`,
    before: pick(before),
    after: {
      ...pick(change.plain),
      ...Object.fromEntries(change.secrets.map(([field, secret]) => [field, secret ? 'changed' : 'cleared'])),
    },
  });
  await sql`select pg_notify(${settingsChannel}, ${section})`.execute(trx);
  return 'saved';
};
