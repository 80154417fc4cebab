import type { AuditRow } from '#contracts/kernel/audit.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { settingsSections } from '#contracts/operations/settings.ts';
import type { Section } from '#contracts/operations/settings-fields.ts';
import { games } from '#contracts/servers/games.ts';
import { rightsWords } from '../../identity/rights.words.ts';
import { roleNameWords } from '../../identity/role-names.words.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { auditWords } from './audit.words.ts';
import { auditActionWords } from './audit-actions.words.ts';
import { auditFieldWords } from './audit-fields.words.ts';
import { differenceOf, type FieldChange } from './difference.ts';
import { type NamedAuditRow, nameIn } from './named-audit-row.ts';
import { referenceIn } from './reference.ts';
import { secretFieldsOf } from './secret-fields.ts';
import { referenceOfField, type Teller, type ToldChange, tellChange } from './tell-change.ts';

export interface AuditTelling {
  actor(row: Pick<AuditRow, 'actor'>): string;
  action(name: string): string;
  /** The kind of a thing and its name. */
  named(reference: string, row: Pick<NamedAuditRow, 'names'>): string;
  target(row: NamedAuditRow): string;
  changes(row: NamedAuditRow): {
    readonly changed: readonly ToldChange[];
    readonly same: readonly ToldChange[];
  };
  /** The changes of a row, as far as they fit into a line. */
  summary(row: NamedAuditRow): string;
  /** The additional details. */
  detail(row: NamedAuditRow): readonly ToldChange[];
}

const textIn = (value: unknown, field: string): string | null => {
  if (typeof value !== 'object' || value === null || !(field in value)) return null;
  const text = (value as Readonly<Record<string, unknown>>)[field];
  return typeof text === 'string' && text !== '' ? text : null;
};

const wordIn = (words: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(words, name) ? (words[name] ?? null) : null;

const sections: Readonly<Record<string, Section>> = settingsSections;
const sectionOf = (id: string): Section | null =>
  Object.hasOwn(sections, id) ? (sections[id] ?? null) : null;

/** Their names are shown elsewhere, or mean nothing to a person. */
const unnamed = new Set(['session', 'discord', 'store', 'discord-chat-filter', 'mod-wave']);
/** The number of changes that fit into a line. */
const mostInLine = 2;

const asLine = (change: ToldChange): string => {
  const { label } = change;
  if (change.kind === 'masked') return `${label}: ${change.says}`;
  if (change.kind === 'changed') return `${label}: ${change.before} → ${change.after}`;
  if (change.kind !== 'list') return `${label}: ${change.value}`;
  const lines = [...change.added.map((each) => `+ ${each}`), ...change.removed.map((each) => `− ${each}`)];
  return `${label}: ${lines.join(', ') || '↕'}`;
};

/** Describes the rows of the audit log in plain words. */
export const useAuditTelling = (): AuditTelling => {
  const words = useWords(auditWords);
  const actions = useWords(auditActionWords);
  const fields = useWords(auditFieldWords);
  const { permissions } = useWords(rightsWords);
  const roles = useWords(roleNameWords);
  const language = useLanguage();
  const format = useFormat();
  const { kinds, severities } = eventWords[language];

  const meanings: Readonly<Record<string, (text: string) => string | null>> = {
    game: (text) => (Object.hasOwn(games, text) ? games[text as keyof typeof games].name : null),
    games: (text) => (Object.hasOwn(games, text) ? games[text as keyof typeof games].name : null),
    permissions: (text) => wordIn(permissions, text),
    role: (text) => wordIn(roles, text),
    kinds: (text) => wordIn(kinds, text),
    severities: (text) => wordIn(severities, text),
  };
  const tellerOf = ({ target, names }: NamedAuditRow): Teller => {
    const { kind, id } = referenceIn(target ?? '');
    const settings = kind === 'settings' ? sectionOf(id)?.fields : undefined;
    return {
      format,
      words: words.values,
      fieldName: (field) =>
        (settings && Object.hasOwn(settings, field) ? settings[field]?.label[language] : null) ??
        wordIn(fields, field),
      meaning(field, text) {
        const own = Object.hasOwn(meanings, field) ? meanings[field]?.(text) : null;
        const reference = referenceOfField(field, text);
        return own ?? (reference === null ? null : nameIn(names, reference));
      },
    };
  };
  const differences = (row: NamedAuditRow): readonly FieldChange[] =>
    differenceOf(row.before, row.after, { secretFields: secretFieldsOf(row.target) }).filter(
      // The version of an entity matters only to programs.
      ({ field, before, after }) => field !== 'version' || typeof (after ?? before) !== 'number',
    );
  const named = (reference: string, { names }: Pick<NamedAuditRow, 'names'>): string => {
    const { kind, id } = referenceIn(reference);
    const what = wordIn(words.targets, kind) ?? kind;
    const name =
      kind === 'settings'
        ? sectionOf(id)?.title[language]
        : unnamed.has(kind)
          ? ''
          : (nameIn(names, reference) ?? (kind === 'role' ? wordIn(roles, id) : null) ?? id);
    return `${what} ${name ?? ''}`.trim();
  };

  return {
    actor: ({ actor: { kind, id, name } }) =>
      name ?? [wordIn(words.actors, kind) ?? kind, id].filter(Boolean).join(' '),
    action: (name) => wordIn(actions, name) ?? name,
    named,
    target(row) {
      const { target, before, after } = row;
      if (target === null) return '';
      const { kind } = referenceIn(target);
      // The session is the actor's own.
      if (kind === 'session') return '';
      // The id of a run means nothing to a reader; the command that was sent says it all.
      if (kind === 'console-run') return textIn(after, 'command') ?? words.targets['console-run'];
      const then =
        kind === 'settings' || unnamed.has(kind) ? null : (textIn(after, 'name') ?? textIn(before, 'name'));
      return then === null ? named(target, row) : named(target, { names: { [target]: then } });
    },
    changes(row) {
      const teller = tellerOf(row);
      const tell = (is: (change: FieldChange) => boolean) =>
        differences(row)
          .filter(is)
          .map((change) => tellChange(change, teller));
      return { changed: tell(({ kind }) => kind !== 'same'), same: tell(({ kind }) => kind === 'same') };
    },
    summary(row) {
      const teller = tellerOf(row);
      const both = row.before !== null && row.after !== null;
      const changed = differences(row).filter(
        ({ kind, field }) => kind !== 'same' && (both || field !== 'name'),
      );
      // For something created or removed, its name says enough.
      if (!both && row.after !== null && textIn(row.after, 'name') !== null) return '';
      if (row.after === null) return '';
      const isRun = referenceIn(row.target ?? '').kind === 'console-run';
      return changed
        .filter(({ field }) => field !== 'userAgent' && !(isRun && field === 'command'))
        .slice(0, mostInLine)
        .map((change) => asLine(tellChange(change, teller)))
        .join(' · ');
    },
    detail(row) {
      const teller = tellerOf(row);
      return differenceOf(null, row.detail).map((change) => tellChange(change, teller));
    },
  };
};
