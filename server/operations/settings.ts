import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { wordTaken } from '#contracts/kernel/problem-document.ts';
import {
  type SectionName,
  type SectionValues,
  type SensitiveName,
  type SettingsSection,
  sectionNames,
  settingsSections,
} from '#contracts/operations/settings.ts';
import { type Section, sectionJsonSchema } from '#contracts/operations/settings-fields.ts';
import { nameKey } from '../kernel/access/name-key.ts';
import { type AuditEntry, recordAudit } from '../kernel/audit/record-audit.ts';
import type { Notifications } from '../kernel/database/notifications.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { OpenedSecret, Secrets } from '../kernel/secrets/secrets.ts';
import { type FieldFault, plainValues, type SectionChange, savedValues } from './settings/section-change.ts';
import { settingsSecrets } from './settings/settings-secrets.ts';

interface StoredSection {
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Sealed texts by field. */
  readonly sealed: ReadonlyMap<string, string>;
}

/** One statement, so that values and secrets belong to the same moment. */
const readStoredSection = async (db: Kysely<Tables>, section: SectionName): Promise<StoredSection> => {
  const rows = await db
    .selectFrom(sql<{ section: string }>`(select ${section}::text as section)`.as('asked'))
    .leftJoin('settings', 'settings.section', 'asked.section')
    .leftJoin('settings_secrets', 'settings_secrets.section', 'asked.section')
    .select(['settings.version', 'settings.values', 'settings_secrets.field', 'settings_secrets.sealed'])
    .execute();
  const sealed = new Map<string, string>();
  for (const row of rows) if (row.field !== null && row.sealed !== null) sealed.set(row.field, row.sealed);
  return { version: rows[0]?.version ?? 0, values: rows[0]?.values ?? {}, sealed };
};

/** Notified with a section's name in the transaction that changes it. */
const settingsChannel = 'castellan_settings';

interface SettingsCache {
  read(section: SectionName): Promise<StoredSection>;
  /** The section has changed: later reads return the new state. */
  forget(section: SectionName): void;
}

/** Keeps the sections in memory while changes by any process are being notified. */
const createSettingsCache = (
  notifications: Notifications,
  readStored: (section: SectionName) => Promise<StoredSection>,
): SettingsCache => {
  const kept = new Map<string, Promise<StoredSection>>();
  const subscription = notifications.listen(settingsChannel, {
    onNotification: (section) => kept.delete(section),
    onListening: () => kept.clear(),
  });
  return {
    async read(section) {
      if (!subscription.isListening()) return readStored(section);
      const known = kept.get(section);
      if (known) return known;
      const reading = readStored(section);
      kept.set(section, reading);
      reading.catch(() => {
        // Waiting callers get the error; the next one reads again.
        if (kept.get(section) === reading) kept.delete(section);
      });
      return reading;
    },
    forget: (section) => kept.delete(section),
  };
};

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

interface SectionSave {
  readonly section: SectionName;
  /** The version that the change is based on. */
  readonly version: number;
  readonly change: SectionChange;
  readonly by: Pick<AuditEntry, 'actor' | 'address'>;
}

type SaveOutcome =
  | 'saved'
  | 'conflict'
  /** Fields that conflict with each other; nothing is saved. */
  | { readonly faults: readonly FieldFault[] };

/** Saves a change with its audit row, unless someone else saved after the version that it is based on. */
const saveSection = (db: Kysely<Tables>, secrets: Secrets, save: SectionSave): Promise<SaveOutcome> =>
  db.transaction().execute((trx) => saveSectionWithin(trx, secrets, save));

const saveSectionWithin = async (
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

export interface Settings {
  /** The plain values, as of the last committed change. */
  values<Name extends SectionName>(section: Name): Promise<SectionValues<Name>>;
  /** Only the plain values that someone has saved: the others are just defaults until then. */
  saved<Name extends SectionName>(section: Name): Promise<Partial<SectionValues<Name>>>;
  /** A sensitive value for use; null when it is not set. */
  secret<Name extends SectionName>(section: Name, field: SensitiveName<Name>): Promise<OpenedSecret | null>;
  /** For the panel: everything but the secrets themselves. */
  describe(section: SectionName): Promise<SettingsSection>;
  describeAll(): Promise<SettingsSection[]>;
  save(save: SectionSave): Promise<SaveOutcome>;
  /** Saves the values that are valid and that no one has saved yet. */
  suggest(
    trx: Kysely<Tables>,
    section: SectionName,
    suggestion: { readonly values: Readonly<Record<string, unknown>>; readonly by: SectionSave['by'] },
  ): Promise<void>;
}

export const createSettings = ({
  db,
  secrets,
  notifications,
}: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly notifications: Notifications;
}): Settings => {
  const cache = createSettingsCache(notifications, (section) => readStoredSection(db, section));
  const describe = async (name: SectionName) =>
    describeSection(name, await readStoredSection(db, name), secrets);
  return {
    async values<Name extends SectionName>(section: Name) {
      const { values } = await cache.read(section);
      return plainValues(settingsSections[section], values) as SectionValues<Name>;
    },
    async saved<Name extends SectionName>(section: Name) {
      const { values } = await cache.read(section);
      return savedValues(settingsSections[section], values) as Partial<SectionValues<Name>>;
    },
    async secret(section, field) {
      const sealed = (await cache.read(section)).sealed.get(field);
      return sealed === undefined ? null : secrets.open(settingsSecrets, [section, field], sealed);
    },
    describe,
    describeAll: () => Promise.all(sectionNames.map(describe)),
    async save(save) {
      const outcome = await saveSection(db, secrets, save);
      cache.forget(save.section);
      return outcome;
    },
    async suggest(trx, name, { values, by }) {
      const section: Section = settingsSections[name];
      const stored = await readStoredSection(trx, name);
      const saved = savedValues(section, stored.values);
      const fitting = Object.entries(savedValues(section, values)).filter(([field]) => !(field in saved));
      const change = { plain: Object.fromEntries(fitting), secrets: [] };
      await saveSectionWithin(trx, secrets, { section: name, version: stored.version, change, by });
    },
  };
};

const describeSection = (name: SectionName, stored: StoredSection, secrets: Secrets): SettingsSection => {
  const section: Section = settingsSections[name];
  const fields = Object.entries(section.fields);
  return {
    name,
    version: stored.version,
    title: section.title,
    schema: sectionJsonSchema(section),
    fields: fields.map(([field, { label, help, sensitive }]) => ({ name: field, label, help, sensitive })),
    values: plainValues(section, stored.values),
    secrets: Object.fromEntries(
      fields
        .filter(([, { sensitive }]) => sensitive)
        .map(([field]) => [field, secretState(name, field, stored.sealed.get(field), secrets)]),
    ),
  };
};

const secretState = (
  section: SectionName,
  field: string,
  sealed: string | undefined,
  secrets: Secrets,
): SettingsSection['secrets'][string] => {
  if (sealed === undefined) return { set: false, keyId: null, fault: null };
  const opened = secrets.open(settingsSecrets, [section, field], sealed);
  return { set: true, keyId: opened.keyId, fault: opened.outcome === 'open' ? null : opened.fault };
};
