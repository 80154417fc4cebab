import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { listPanelFiles } from './panel-files.ts';

// Guarantee: the panel's own files are served and nothing else: no folder, no link, no file of an unknown kind, and no
// other path, however it is written.
test('what is in the list', async () => {
  await using programs = await temporaryFolder('panel-files');
  const panel = join(programs.path, 'panel');
  await mkdir(join(panel, 'assets', 'folder.js'), { recursive: true });
  await writeFile(join(programs.path, 'secret.json'), '{}');
  await writeFile(join(panel, 'index.html'), '<title>Castellan</title>');
  await writeFile(join(panel, 'assets', 'app.js'), 'export {};');
  await writeFile(join(panel, 'assets', 'app.js.br'), '');
  await writeFile(join(panel, 'assets', 'letters.woff2'), '');
  await symlink(join(programs.path, 'secret.json'), join(panel, 'link.json'));
  const files = await listPanelFiles(panel);
  expect([...files.keys()].sort()).toEqual(['/assets/app.js', '/assets/letters.woff2', '/index.html']);
  expect(files.get('/assets/app.js')?.type).toBe('text/javascript; charset=utf-8');
  expect(files.get('/assets/letters.woff2')?.type).toBe('font/woff2');
  expect(String(await files.get('/index.html')?.read())).toBe('<title>Castellan</title>');
  for (const path of ['/../secret.json', '/..%2fsecret.json', '//index.html', '/assets', '/INDEX.HTML', ''])
    expect(files.get(path)).toBeUndefined();
});
