import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { layOutPrograms } from '../../build/package/programs.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const patienceMs = 300_000;

/**
 * By code page, letters that it has, and such that it lacks. In 932 the second byte of 表 and ソ is that of a backslash; `&`, `%`, `!` and
 * parentheses mean something to a command line.
 */
const folders = {
  932: { programs: 'ソフト & 表示 (100%)!', data: '予約能力 für Łódź 🎮' },
  1252: { programs: 'Spiele für Jörg', data: 'Größe 表示 Ελλάδα' },
  65001: { programs: 'Łódź & 日本 हिन्दी', data: 'Größe 表示 🎮' },
} as const;

/** What `castellan` prints, or why it failed. */
const succeed = async (running: ReturnType<WindowsLab['run']>): Promise<string> => {
  const { code, out, err } = await running;
  if (code !== 0) throw new Error(`exit code ${code}: ${err}${out}`);
  return out;
};

const setUp = async (lab: WindowsLab, names: { readonly programs: string; readonly data: string }) => {
  const programs = `C:\\Program Files\\${names.programs}`;
  const home = `C:\\${names.data} ${randomBytes(6).toString('hex')}`;
  const at = (path: string, ...more: string[]) => join(lab.drive, ...path.split('\\').slice(1), ...more);
  await layOutPrograms(at(programs), 'win');
  // No one answers there: the stack still runs, unlicensed.
  const portal = { url: 'http://127.0.0.1:9', publicKey: randomBytes(32).toString('base64url') };
  await writeFile(at(programs, 'license-server.json'), JSON.stringify(portal));
  return {
    home,
    at,
    castellan: (...args: readonly string[]) =>
      lab.run(`${programs}\\node.exe`, [`${programs}\\castellan.mjs`, '--home', home, ...args]),
  };
};

const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);

// Guarantee: on every code page of Windows the first start makes its database and is ready, with programs and data in folders of any
// letters, also such that the code page lacks (EnterpriseDB/edb-installers#156, Postgres bug 18735); so are its services.
for (const codePage of [932, 1252, 65001] as const)
  testOnWindows(`a first run on code page ${codePage}`, [], async () => {
    await using lab = await openWindowsLab({ codePage });
    const key = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage';
    expect(await succeed(lab.run('reg.exe', ['query', key, '/v', 'ACP']))).toMatch(
      new RegExp(`REG_SZ\\s+${codePage}\\b`),
    );
    const { home, at, castellan } = await setUp(lab, folders[codePage]);
    const began = performance.now();
    // The settings do not exist yet; ports of other tests must not be taken.
    const started = castellan('start', '--use-free-ports');
    // Without a license the API answers nothing but this; that it runs was asked of the API itself.
    const ready = (...parts: readonly string[]) =>
      eventually(async () => {
        const { out, err } = await castellan('status', '--json');
        if (out === '') throw new Error(err);
        const { state, components } = stackStatus.parse(JSON.parse(out));
        const running = components.filter((component) => component.state === 'running');
        expect([state, ...running.map(({ name }) => name)]).toEqual(['unlicensed', ...parts]);
      }, patienceMs);
    await ready('postgres', 'api', 'bot');
    process.stdout.write(`code page ${codePage}: ready after ${seconds(began)} s\n`);
    // Refused until the API has prepared the database, which an unlicensed one does not report.
    await eventually(
      async () => expect(await succeed(castellan('sql', 'select version()'))).toContain('windows'),
      patienceMs,
    );
    await succeed(castellan('stop'));
    await succeed(started);
    expect(await readFile(at(home, 'postgres', 'data', 'PG_VERSION'), 'utf8')).toBe('18\n');
    // Postgres's own spelling of its folder.
    expect(await readFile(at(home, 'postgres', 'data', 'postmaster.opts'), 'utf8')).toContain(home.slice(3));
    if (codePage !== 932) return;
    await succeed(castellan('services', 'install'));
    // What the service of the API says; the database has one of its own.
    await ready('api');
    process.stdout.write(`code page ${codePage}: services ready after ${seconds(began)} s\n`);
    await succeed(castellan('services', 'uninstall'));
  });
