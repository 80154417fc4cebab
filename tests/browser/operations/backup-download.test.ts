import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectEveryLook } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { writeListedBackup } from '#runtime/backup/testing/listed-backup.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
  await writeListedBackup(panel.info.home);
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const passphrase = 'correct horse battery';

// Guarantee: an owner finds the download beside each backup: two different entries are refused at their field, and what the
// browser saves is encrypted.
test('an owner downloads a backup', async () => {
  const page = await panel.page({ path: '/backups' });
  await page.getByRole('button', { name: /^Download the backup of/ }).waitFor();
  await expectEveryLook(page, 'backups');
  await page.getByRole('button', { name: /^Download the backup of/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Download the backup of/ });
  const act = dialog.getByRole('button', { name: 'Encrypt and download' });
  const again = dialog.getByRole('textbox', { name: 'Passphrase again' });
  await dialog.getByRole('textbox', { name: 'Passphrase', exact: true }).fill(passphrase);
  await again.fill('correct horse');
  await act.click();
  await dialog.getByText('The two entries differ.').waitFor();
  await expectEveryLook(page, 'backup-download');
  await again.fill(passphrase);
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await act.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^castellan-.*\.tar\.age$/);
  const file = join(panel.info.home, 'saved.tar.age');
  await download.saveAs(file);
  const saved = await readFile(file, 'latin1');
  expect(saved).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  await page.getByText('The download has started.').waitFor();
  await page.close();
  expect(panel.faults()).toEqual([]);
});
