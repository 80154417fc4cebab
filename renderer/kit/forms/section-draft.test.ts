import { expect, test } from 'vitest';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import {
  afterSave,
  changedMeanwhile,
  changeOf,
  faultsOf,
  onNewer,
  type SectionDraft,
  withSecret,
  withValue,
} from './section-draft.ts';

const label = { en: '', 'pt-BR': '' };
const field = (name: string, sensitive = false) => ({ name, label, help: null, sensitive });
const saved: SettingsSection = {
  name: 'general',
  version: 3,
  title: label,
  schema: {
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 5 },
      channel: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      count: { type: 'integer' },
      key: { type: 'string', minLength: 8, writeOnly: true },
    },
  },
  fields: [field('title'), field('channel'), field('count'), field('key', true)],
  values: { title: 'One', channel: null, count: 1 },
  secrets: { key: { set: true, keyId: 'abc', fault: null } },
};
const newer: SettingsSection = { ...saved, version: 4, values: { title: 'Two', channel: null, count: 2 } };

const typed = (values: Record<string, unknown>, section = saved): SectionDraft => {
  const draft = Object.entries(values).reduce<SectionDraft | null>(
    (from, [name, value]) => withValue(from, section, name, value),
    null,
  );
  if (!draft) throw new Error('nothing is typed');
  return draft;
};

// Guarantee: only what differs from the saved values is sent; typing the old value again leaves nothing to save.
test('a draft holds the differences', () => {
  const draft = typed({ title: 'New' });
  expect(changeOf(draft, saved)).toEqual({ title: 'New' });
  expect(withValue(draft, saved, 'title', 'One')).toBeNull();
  expect(withValue(null, saved, 'channel', '')).toBeNull();
});

// Guarantee: a secret left empty is kept, a text sets it, null clears it.
test('a secret in a draft', () => {
  expect(withSecret(null, saved, 'key', '')).toBeNull();
  const draft = withSecret(null, saved, 'key', 'short');
  expect(draft && [...faultsOf(changeOf(draft, saved), saved)]).toEqual([
    ['key', { kind: 'tooShort', limit: 8 }],
  ]);
  const cleared = withSecret(draft, saved, 'key', null);
  expect(cleared && changeOf(cleared, saved)).toEqual({ key: null });
  expect(cleared && faultsOf(changeOf(cleared, saved), saved).size).toBe(0);
  expect(withSecret(cleared, saved, 'key', '')).toBeNull();
});

// Guarantee: another admin's changes are named next to what was typed, and neither is lost unseen.
test('changes that meet', () => {
  const draft = typed({ title: 'Mine' });
  expect(changedMeanwhile(draft, saved)).toEqual([]);
  expect(changedMeanwhile(draft, newer)).toEqual([
    { name: 'title', values: { before: 'One', now: 'Two' }, isTyped: true },
    { name: 'count', values: { before: 1, now: 2 }, isTyped: false },
  ]);
  const kept = onNewer(draft, newer, new Set());
  expect(kept).toMatchObject({ version: 4, typed: { title: 'Mine' } });
  expect(onNewer(draft, newer, new Set(['title']))).toBeNull();
  expect(onNewer(typed({ title: 'Two' }), newer, new Set())).toBeNull();
});

// Guarantee: a typed secret is always asked about, since no one can see whether another admin has replaced it.
test('a secret that may have been changed', () => {
  const draft = withSecret(null, saved, 'key', 'new secret');
  expect(draft && changedMeanwhile(draft, newer)).toContainEqual({
    name: 'key',
    values: null,
    isTyped: true,
  });
});

// Guarantee: text typed during a save stays in the draft.
test('typing during a save', () => {
  const sent = changeOf(typed({ title: 'A', count: 5 }), saved);
  const answer = { ...saved, version: 4, values: { ...saved.values, title: 'A', count: 5 } };
  expect(afterSave(typed({ title: 'A', count: 5 }), sent, answer)).toBeNull();
  expect(afterSave(typed({ title: 'AB', count: 5 }), sent, answer)).toMatchObject({
    version: 4,
    typed: { title: 'AB' },
  });
});
