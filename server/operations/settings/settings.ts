import type { Kysely } from 'kysely';
import {
  type SectionName,
  type SectionValues,
  type SensitiveName,
  type SettingsSection,
  sectionNames,
  settingsSections,
} from '#contracts/operations/settings.ts';
import { type Section, sectionJsonSchema } from '#contracts/operations/settings-fields.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { OpenedSecret, Secrets } from '../../kernel/secrets/secrets.ts';
import { type SaveOutcome, type SectionSave, saveSection, saveSectionWithin } from './save-section.ts';
import { plainValues, savedValues } from './section-change.ts';
import { createSettingsCache } from './settings-cache.ts';
import { settingsSecrets } from './settings-secrets.ts';
import { readStoredSection, type StoredSection } from './stored-section.ts';

interface SettingsOptions {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  readonly notifications: Notifications;
}

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

export const createSettings = ({ db, secrets, notifications }: SettingsOptions): Settings => {
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
