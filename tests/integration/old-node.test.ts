import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { oldestNode } from '#runtime/oldest-node.ts';
import { programsFolder } from '../../build/bundle.ts';

const root = resolve(import.meta.dirname, '../..');

interface OldNode {
  readonly program: string;
  readonly version: string;
}

/** Those on the PATH that are too old; a machine that installed this repository with Node 20 has one. */
const oldNodes = (): OldNode[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => {
    const program = join(folder, 'node');
    const { stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    const version = stdout?.trim() ?? '';
    return version !== '' && version.localeCompare(oldestNode, 'en', { numeric: true }) < 0
      ? [{ program, version }]
      : [];
  });

/** Electron brings its own Node and runs the desktop alone. */
const programs = (await readdir(programsFolder)).filter(
  (name) => name.endsWith('.mjs') && name !== 'desktop.mjs',
);

const start = (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...(env && { env }) });
  return { status, stdout, stderr };
};

// Guarantee: every program that is bundled says in one line which Node it needs, instead of failing to be read, and exits with 78.
test('each program with a Node that is too old', async () => {
  await using folder = await temporaryFolder('old-node');
  expect(programs).toEqual(expect.arrayContaining(['agent.mjs', 'api.mjs', 'castellan.mjs', 'portal.mjs']));
  const tooOld = oldNodes();
  for (const name of programs) {
    const file = join(folder.path, name);
    const text = await readFile(join(programsFolder, name), 'utf8');
    await writeFile(file, text);
    const refused = (oldest: string, version: string) => ({
      status: 78,
      stdout: '',
      stderr: `${name} needs Node ${oldest} or newer; this is Node ${version}. Get it from https://nodejs.org/\n`,
    });
    for (const { program, version } of tooOld)
      expect(start(program, [file, '--help'])).toEqual(refused(oldestNode, version));
    if (tooOld.length > 0) continue;
    // Where there is no old Node, this one becomes too old.
    await writeFile(file, text.replace(`"${oldestNode}"`, '"99.1"'));
    expect(start(process.execPath, [file, '--help'])).toEqual(refused('99.1', process.versions.node));
  }
});

// Guarantee: `npm run` without the pinned Node among the packages says in one line which Node it needs, and exits with 78.
test('scripts of npm with a Node that is too old', async () => {
  await using folder = await temporaryFolder('old-node');
  const scripts = join(folder.path, 'build', 'launch');
  await cp(join(root, 'build', 'launch'), scripts, { recursive: true });
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  await writeFile(join(folder.path, 'package.json'), manifest.replace(`>=${oldestNode}`, '>=99.1'));
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  const env = { ...process.env, PATH: `${bin}${delimiter}/usr/bin${delimiter}/bin` };
  const npm = spawnSync('npm', ['run', '--silent', 'demo'], { cwd: folder.path, env, encoding: 'utf8' });
  expect(npm.stderr).toBe(
    `npm run demo needs Node 99.1 or newer; this is Node ${process.versions.node}. ` +
      '"npm ci --include=optional" installs it on Linux and Windows (x64); elsewhere, get it from https://nodejs.org/\n',
  );
  expect(npm.status).toBe(78);
});

// Guarantee: the documents and the panel name the same oldest Node as the programs.
test('the oldest Node in texts', async () => {
  const texts = [
    'README.md',
    'docs/operations/README.md',
    'renderer/servers/agents/agents.words.ts',
    'renderer/servers/agents/enrol.words.ts',
  ];
  for (const path of texts) {
    const named = (await readFile(join(root, path), 'utf8')).match(/Node 2[2-9](?:\.\d+)*/g) ?? [];
    expect([path, new Set(named)]).toEqual([path, new Set([`Node ${oldestNode}`])]);
  }
});
