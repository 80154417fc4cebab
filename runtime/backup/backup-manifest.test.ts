import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { fullManifestName, listBackups, manifestText, readFullManifest } from './backup-manifest.ts';

const manifest = manifestText({
  owner: 'castellan',
  kind: 'manual',
  takenAt: '2026-01-02T03:04:05.000Z',
  reason: 'castellan backup',
  cause: { kind: 'command', command: 'castellan backup' },
  version: '1.0.0',
  postgres: '18.4',
  system: 'linux-x64',
  database: 'castellan',
  files: ['.env'],
  bytes: 1,
  proof: { migrations: [], rows: {} },
});
const changed = (change: object) => JSON.stringify({ ...JSON.parse(manifest), ...change });

// Guarantee: what is no backup of this version's kind is refused in a sentence, and is in no list: cut off, empty, of a newer
// version, or of another product that names its file the same.
test.each([
  ['a whole one', manifest, null],
  ['none', null, /is not a whole backup/],
  ['cut off', manifest.slice(0, manifest.length / 2), /is damaged, or of another program/],
  ['full of zeros', '\0'.repeat(500), /is damaged, or of another program/],
  ['of a newer version', changed({ format: 2 }), /was made by a newer version/],
  ['of a newer version, of another shape', '{"format":2,"parts":[]}', /was made by a newer version/],
  ['of another product', '{"version":"9.4.1","sites":["default"]}', /is damaged, or of another program/],
  ['of another owner', changed({ owner: 'another-server' }), /is damaged, or of another program/],
])('%s', async (_what, text, refusal) => {
  await using folder = await temporaryFolder('manifest');
  const backup = join(folder.path, 'one');
  await mkdir(backup);
  if (text !== null) await writeFile(join(backup, fullManifestName), text);
  const read = readFullManifest(backup);
  if (refusal === null) expect(await read).toMatchObject({ owner: 'castellan', checksums: true });
  else await expect(read).rejects.toThrow(refusal);
  expect(await listBackups(folder.path)).toHaveLength(refusal === null ? 1 : 0);
});
