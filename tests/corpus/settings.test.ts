import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { UnreadableSettingsError } from '#games/settings-file.ts';
import { Secret } from '#runtime/secret.ts';
import { changedInputsTimeout, checkChanged } from './changed-inputs.ts';
import { mutated, mutations } from './mutate.ts';
import { settingsCases } from './settings.cases.ts';

const folder = join(import.meta.dirname, 'settings');
const contentOf = (name: string) => readFileSync(join(folder, name));
const formOf = (name: string) => gameOf(settingsCases[name]?.game ?? 'minecraft').layout.settings;

// Guarantee: each shape of a settings file that people have is read as its game reads it, or refused with the reason, and what is not
// as it looks is said.
test('every file has its line', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(settingsCases).sort());
});

test.each(Object.entries(settingsCases))('%s', (name, { read, notes = [] }) => {
  const form = formOf(name);
  if ('refused' in read) {
    expect(() => form.read(contentOf(name))).toThrow(read.refused);
    return;
  }
  const found = form.read(contentOf(name));
  expect([found.isOn, found.port, found.password.reveal()]).toEqual(read);
  expect(found.notes ?? []).toEqual(notes.map((note) => expect.stringMatching(note)));
});

// Guarantee: turning the console on in any of them gives a file that says so, or touches nothing.
test.each(Object.keys(settingsCases))('turned on: %s', (name) => {
  const console = { port: 25_599, password: new Secret('pass-word_1') };
  try {
    const found = formOf(name).read(formOf(name).turnOn(contentOf(name), console));
    // A file that the game ignores as a whole stays off, which setup refuses.
    if (name !== 'palworld-no-heading.ini')
      expect([found.isOn, found.port, found.password.reveal()]).toEqual([true, 25_599, 'pass-word_1']);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableSettingsError);
  }
});

// Guarantee: no change of such a file makes a reader fail without a reason, hang, or say what the password is.
test('changed files', { timeout: changedInputsTimeout }, () =>
  checkChanged(
    'settings',
    fc.tuple(fc.constantFrom(...Object.keys(settingsCases)), mutations),
    ([name, changes]) => {
      const content = mutated(contentOf(name), changes);
      try {
        const found = formOf(name).read(content);
        for (const note of found.notes ?? []) expect(note).not.toMatch(/secret|ключ/);
        formOf(name).turnOn(content, { port: 1, password: new Secret('x') });
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableSettingsError);
        expect((error as Error).message).not.toMatch(/secret|ключ/);
      }
    },
  ),
);
