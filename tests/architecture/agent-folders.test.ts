import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/**
 * The folders that the agent's files touch. In folders of the game's account only `agent/folders` works with root's rights; what
 * else works there has that account's.
 */
const filesOf = {
  /** The agent's own: data folder, state folder, program folder, and the caches in them. */
  own: [
    'actions/enrol.ts actions/run.ts configuration/agent-home.ts configuration/agent-key.ts configuration/change-config.ts',
    'configuration/config.ts configuration/own-command.ts configuration/state-folder.ts enrolment/enrolment-draft.ts',
    'enrolment/install-enrolment.ts game/chat-reader.ts game/kept-log.ts history/line-history.ts history/read-back.ts history/segments.ts',
    'journal/command-journal.ts journal/journal-file.ts main.ts mods/change-journal.ts mods/command-ids.ts',
    'mods/downloads/file-cache.ts mods/downloads/hash-file.ts mods/downloads/partial-file.ts mods/folder/folder-worker.ts',
    'mods/folder/worker-process.ts mods/folder/worker-records.ts mods/manifest.ts mods/move-files.ts',
    'mods/rehearsal/left-rehearsal.ts mods/steamcmd/fetch-items.ts power/crash-reports.ts power/held-lines.ts',
    'power/holder/console-log.ts power/holder/console-reader.ts power/holder/holder-record.ts power/holder/holder-server.ts',
    'power/holder/holder-wire.ts power/holder/launch-holder.ts power/mods-mark.ts power/power-record.ts',
    'renewal/program-files.ts renewal/renewal-record.ts renewal/renewing-servers.ts renewal/stage-release.ts saves/autosave.ts',
    'saves/nightly.ts saves/panel-schedule.ts saves/restore-journal.ts service/agent-log.ts service/install-program.ts service/remove-servers.ts',
    'service/run-servers.ts setup/server-settings.ts tasks/task-journal.ts',
  ],
  /** Those of the system: processes, units, libraries, services. */
  system: [
    'discovery/linux-programs.ts power/process/linux-processes.ts power/program/linux-libraries.ts',
    'power/program/other-formats.ts power/program/windows-libraries.ts saves/proven-stopped.ts service/systemd-service.ts',
    'service/windows-service.ts service/without-systemd.ts mods/rehearsal/why-not-rehearsed.ts',
  ],
  /** Any folder, by descriptors. */
  descriptors: [
    'configuration/as-owner.ts folders/named-file.ts folders/named-path.ts folders/opened-folder.ts',
    'mods/folder/adopt-stage.ts',
  ],
  /** Those of servers, with the rights of their account: in its worker, or while setup has lowered its own. */
  account: [
    'discovery/settings-on-disk.ts mods/folder/copy-verified.ts mods/folder/folder-works.ts mods/hash-cache.ts',
    'mods/lay-out-stage.ts mods/plan-moves.ts mods/rehearsal/change-copy.ts mods/rehearsal/copy-server.ts',
    'mods/rehearsal/look-at-server.ts mods/scan-mods.ts mods/swap-files.ts survivors/find-survivor.ts',
    'survivors/world-folders.ts',
  ],
  /** Those of servers: what is there, and under which name, and nothing of its content. */
  names: [
    'discovery/find-games.ts discovery/game-folders.ts discovery/game-manager.ts game/log-tail.ts mods/server-mods.ts mods/settle-mods.ts',
    'power/holder/holder.ts power/program/find-program.ts power/ways/holder-way.ts power/ways/prepare-command.ts',
    'setup/choose-game.ts setup/choose-start.ts survivors/survivor-handler.ts',
  ],
} as const;
type Kind = keyof typeof filesOf;

const kindOf = new Map<string, Kind>(
  (Object.entries(filesOf) as [Kind, readonly string[]][]).flatMap(([kind, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((file): [string, Kind] => [file, kind]),
  ),
);

/** What shows no content; `readFile` is for /proc, `mkdir` for the state folder, in files that do both. */
const harmless = ['access', 'constants', 'lstat', 'opendir', 'readdir', 'realpath', 'stat'];
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'discovery/game-folders.ts': ['readFile'],
  'power/ways/holder-way.ts': ['mkdir'],
};

/** The values that a source takes from node:fs; `*` for all of them. `readJsonFile` reads as `readFile` does. */
const fsValues = (source: string): string[] => {
  const imports = source.matchAll(/^import (type )?([^;]*?) from '(?:node:)?fs(?:\/promises)?';/gm);
  const named = [...imports].flatMap(([, isType, names = '']) => {
    if (isType !== undefined) return [];
    if (!names.startsWith('{')) return ['*'];
    return names
      .replaceAll(/[{}\s]/g, ' ')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '));
  });
  const isLate = /(?:import|require|getBuiltinModule)\(\s*['"`](?:node:)?fs\b/.test(source);
  const readsJson = /^import \{[^}]*\breadJsonFile\b[^}]*\} from '#runtime\/read-json\.ts';/m.test(source);
  return [...named, ...(isLate ? ['*'] : []), ...(readsJson ? ['readFile'] : [])];
};

// Guarantee: each file of the agent that works with files is on the list, with the folder that it may touch, and no other file does.
test('who touches which folders', async () => {
  const found = new Map<string, string[]>();
  for await (const file of glob('**/*.ts', { cwd: resolve(root, 'agent') })) {
    if (file.endsWith('.test.ts') || file.includes('testing/')) continue;
    const values = fsValues(await readFile(resolve(root, 'agent', file), 'utf8'));
    if (values.length > 0) found.set(file, values);
  }
  expect([...found.keys()].sort()).toEqual([...kindOf.keys()].sort());
  for (const [file, values] of found)
    if (kindOf.get(file) === 'names')
      expect([...harmless, ...(exceptions[file] ?? [])], file).toEqual(expect.arrayContaining(values));
});

test('what counts as an import', () => {
  expect(fsValues("import type { Stats } from 'node:fs';")).toEqual([]);
  expect(fsValues("import { type FileHandle, open,\n  stat } from 'node:fs/promises';")).toEqual([
    'open',
    'stat',
  ]);
  expect(fsValues("import * as fs from 'fs';")).toEqual(['*']);
  expect(fsValues("const { rm } = await import('node:fs/promises');")).toEqual(['*']);
  expect(fsValues("import { readJson } from '#runtime/read-json.ts';")).toEqual([]);
  expect(fsValues("import { readJson, readJsonFile } from '#runtime/read-json.ts';")).toEqual(['readFile']);
});
