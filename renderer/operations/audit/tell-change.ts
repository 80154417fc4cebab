import { kindNamedBy } from '#contracts/kernel/audit-references.ts';
import type { Format } from '#contracts/kernel/format.ts';
import type { FieldChange } from './difference.ts';

/** A change in words: from one value to another, or what a list has gained and lost. */
export type ToldChange =
  | { readonly label: string; readonly kind: 'changed'; readonly before: string; readonly after: string }
  | { readonly label: string; readonly kind: 'added' | 'removed' | 'same'; readonly value: string }
  | {
      readonly label: string;
      readonly kind: 'list';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** The same things in another order. */
      readonly isMoved: boolean;
    }
  | { readonly label: string; readonly kind: 'masked'; readonly says: string };

export interface Teller {
  readonly format: Pick<Format, 'number' | 'bytes' | 'date' | 'time' | 'duration'>;
  readonly fieldName: (field: string) => string | null;
  /** The meaning of an id or a known word in this field; null for any other text. */
  readonly meaning: (field: string, text: string) => string | null;
  readonly words: {
    readonly on: string;
    readonly off: string;
    readonly nothing: string;
    readonly points: (count: string) => string;
    readonly masked: string;
    readonly maskedChanged: string;
    readonly maskedCleared: string;
  };
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** "maxPlayers" as "Max players", for fields that have no words. */
const spelled = (name: string): string => {
  const words = name
    .replace(/^(is|has)(?=[A-Z])/, '')
    .replace(/[-_]/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const tellField = (path: string, { fieldName }: Teller): string =>
  path
    .split('.')
    .map((name) => fieldName(name) ?? spelled(name))
    .join(' › ');

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const pointFields = new Set(['points', 'pointsOff', 'price', 'total', 'balance']);

const tellValue = (path: string, value: unknown, teller: Teller): string => {
  const { format, words, meaning } = teller;
  const field = lastOf(path);
  if (value === null || value === undefined || value === '') return words.nothing;
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (typeof value === 'number') {
    if (pointFields.has(field)) return words.points(format.number(value));
    if (/bytes$/i.test(field)) return format.bytes(value);
    if (/seconds$/i.test(field)) return format.duration(value);
    // Ports and order numbers are names, so there is no thousands separator.
    return String(value);
  }
  if (typeof value === 'string') {
    if (instant.test(value) && !Number.isNaN(Date.parse(value)))
      return `${format.date(value)} ${format.time(value)}`;
    return meaning(field, value) ?? value;
  }
  if (Array.isArray(value))
    return value.length === 0 ? words.nothing : value.map((each) => tellValue(path, each, teller)).join(', ');
  const told = Object.entries(value)
    .filter(([, each]) => each !== null && each !== undefined && each !== '')
    .map(([name, each]) => `${tellField(name, teller)}: ${tellValue(name, each, teller)}`);
  return told.length === 0 ? words.nothing : told.join(', ');
};

/** The items of a list that are missing in another one, as many times as they are missing. */
const without = (list: readonly unknown[], other: readonly unknown[]): readonly unknown[] => {
  const left = other.map((each) => JSON.stringify(each));
  return list.filter((each) => {
    const index = left.indexOf(JSON.stringify(each));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
};

const tellMasked = (value: unknown, { words }: Teller): string =>
  value === 'cleared' ? words.maskedCleared : value === 'changed' ? words.maskedChanged : words.masked;

export const tellChange = (change: FieldChange, teller: Teller): ToldChange => {
  const { field, kind, before, after, isMasked } = change;
  const label = field === '' ? '' : tellField(field, teller);
  if (isMasked) return { label, kind: 'masked', says: tellMasked(after ?? before, teller) };
  if (kind === 'changed') {
    if (Array.isArray(before) && Array.isArray(after)) {
      const tell = (each: unknown) => tellValue(field, each, teller);
      const added = without(after, before).map(tell);
      const removed = without(before, after).map(tell);
      return { label, kind: 'list', added, removed, isMoved: added.length + removed.length === 0 };
    }
    return { label, kind, before: tellValue(field, before, teller), after: tellValue(field, after, teller) };
  }
  return { label, kind, value: tellValue(field, kind === 'removed' ? before : after, teller) };
};

/** The reference in a text field, or null. */
export const referenceOfField = (field: string, id: string): string | null => {
  const kind = kindNamedBy(field);
  return kind === null ? null : `${kind}:${id}`;
};
