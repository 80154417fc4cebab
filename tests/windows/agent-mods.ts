import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import {
  type ModItem,
  type ModsChange,
  type ModsChanged,
  modsChanged,
} from '#contracts/servers/agent-mods.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openModLibrary } from '../../agent/mods/testing/mod-library.ts';
import { filesBelow, plainChange } from '../../agent/mods/testing/modded-server.ts';
import { type ApiPeer, peerSecret, startApiPeer } from '../../agent/testing/api-peer.ts';
import { bundleFile } from '../../build/bundle/bundle-file.ts';
import { packageAgent } from '../../build/package/agent.ts';
import { windowsNode } from '../../build/package/programs.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const patienceMs = 180_000;
const program = 'C:\\Downloads\\castellan-agent-win-x64.exe';
const home = 'C:\\ProgramData\\Castellan Mods ü';
const server = 'C:\\Spiele ü\\Größe Server';

const onLinux = (lab: WindowsLab, path: string) => join(lab.drive, ...path.split('\\').slice(1));

/** Serves the files of a folder under their names. */
const serve = async (folder: string) => {
  const files = createServer((request, response) => {
    createReadStream(join(folder, basename(request.url ?? '')))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const { port } = files.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        files.closeAllConnections();
        files.close(() => resolve());
      }),
  };
};

const resultOf = (peer: ApiPeer, id: string): TaskResult | null => {
  for (const { frame } of peer.heard)
    if (frame.type === 'task-result' && frame.taskId === id) return frame.result;
  return null;
};

type Changed = Pick<TaskResult, 'outcome' | 'detail'> & Partial<ModsChanged>;

// Guarantee: on Windows, in a folder with spaces and non-ASCII letters and with paths longer than Windows's own 260 characters, mods
// are installed, updated and removed; while the game holds a file open, a change ends with the complete old set.
testOnWindows('the Game Agent changes mods on Windows', [], async () => {
  await using folder = await temporaryFolder('agent-windows-mods');
  const [made] = await packageAgent({ folder: folder.path, systems: ['win'] });
  if (!made) throw new Error('nothing was made');
  const library = await openModLibrary(join(folder.path, 'library'));
  await using source = await serve(library.folder);
  await using peer = await startApiPeer();
  await using lab = await openWindowsLab();
  await mkdir(dirname(onLinux(lab, program)), { recursive: true });
  await writeFile(onLinux(lab, program), await readFile(made.file), { mode: 0o755 });
  const root = onLinux(lab, server);
  await mkdir(join(root, 'mods'), { recursive: true });
  await writeFile(join(root, 'fabric-server-launch.jar'), 'launcher');
  await writeFile(join(root, 'mods', 'own by hand.jar'), 'not ours');
  const config = onLinux(lab, `${home}\\servers\\one\\config.json`);
  await mkdir(dirname(config), { recursive: true });
  await writeFile(
    config,
    JSON.stringify({
      apiUrl: peer.url,
      serverId: 'one',
      secret: peerSecret,
      game: 'minecraft',
      console: null,
      server: { folder: server, allow: { mods: true } },
      mods: { allowHosts: [source.host] },
    }),
  );
  // It ends with the lab.
  lab.run(program, ['run', '--home', home]).catch(() => undefined);
  await eventually(
    () => expect(peer.heard.some(({ frame }) => frame.type === 'machine')).toBe(true),
    patienceMs,
  );

  let number = 0;
  const change = async (wanted: Partial<ModsChange>): Promise<Changed> => {
    number += 1;
    const id = `change-${number}`;
    const task = { kind: 'change-mods', change: { ...plainChange, ...wanted } };
    peer.say({ v: 1, type: 'task', id, task, expiresInMs: 60_000 });
    const { outcome, detail, value } = await eventually(() => {
      const told = resultOf(peer, id);
      if (!told) throw new Error('no result yet');
      return told;
    }, patienceMs);
    return { outcome, detail, ...(value && modsChanged.parse(value)) };
  };
  const fetched = (item: ModItem): ModItem => ({
    ...item,
    file: item.file && {
      ...item.file,
      from: { kind: 'address', url: `http://${source.host}/${item.file.hashes.sha512}`, key: null },
    },
  });
  const files = async () => Object.keys(await filesBelow(root)).sort();
  const deep = `config/${'länger/'.repeat(24)}${'name'.repeat(10)}.json`;
  const always = ['fabric-server-launch.jar', 'mods/own by hand.jar'];
  expect(server.length + deep.length).toBeGreaterThan(225);

  const first = fetched(await library.jar('lithium', '1.0'));
  const pack = fetched(await library.archive('pack', '1.0', 'pack', { [deep]: '{}', 'mods/other.jar': 'x' }));
  expect(await change({ put: [first, pack] })).toMatchObject({
    outcome: 'done',
    set: 'new',
    revision: 1,
    health: 'unmanaged',
  });
  expect(await files()).toEqual([...always, deep, 'mods/lithium-1.0.jar', 'mods/other.jar'].sort());

  const before = await filesBelow(root);
  const second = fetched(await library.jar('lithium', '2.0'));
  const [node, holder] = ['node.exe', 'hold.mjs'].map((name) => `C:\\Downloads\\${name}`) as [string, string];
  await copyFile(await windowsNode(), onLinux(lab, node));
  await bundleFile(join(import.meta.dirname, 'testing/hold-main.ts'), onLinux(lab, holder));
  const holding = lab.run(node, [holder, `${server}\\mods\\lithium-1.0.jar`, 'C:\\Downloads']);
  await eventually(() => readFile(onLinux(lab, 'C:\\Downloads\\hold.begun')), patienceMs);
  expect(await change({ base: 1, put: [second] })).toMatchObject({
    outcome: 'failed',
    set: 'old',
    revision: 1,
  });
  expect(await filesBelow(root)).toEqual(before);
  await writeFile(onLinux(lab, 'C:\\Downloads\\hold.end'), '');
  expect(await holding).toMatchObject({ code: 0 });

  expect(await change({ base: 1, put: [second] })).toMatchObject({
    outcome: 'done',
    set: 'new',
    revision: 2,
  });
  expect(await change({ base: 2, remove: [pack.key] })).toMatchObject({ outcome: 'done', revision: 3 });
  expect(await files()).toEqual([...always, 'mods/lithium-2.0.jar'].sort());
});
