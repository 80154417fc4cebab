import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { holderProgram } from '../../../power/testing/test-power.ts';
import { ownWorker } from '../../folder/folder-worker.ts';
import { copyName } from '../copy-paths.ts';
import { endRehearsal } from '../left-rehearsal.ts';
import type { RehearsalOptions } from '../rehearse.ts';
import type { RehearsedConfig } from '../why-not-rehearsed.ts';

export const simulator = resolve(import.meta.dirname, '../../../../tests/simulators/main.ts');

/**
 * Stands in for Java: a server that reads the port and password of its console from the folder that it is started in, and behaves
 * as `mods` says. Each start writes its process and folder to `starts`.
 */
const script = (outer: string) => `#!/bin/bash
echo "$$ $PWD" >> ${outer}/starts
ls mods world > ${outer}/contents; cp server.properties ${outer}/properties
touch world/session.lock world/written-by-$$
echo '[12:00:00] [main/INFO]: Loading Minecraft 1.21.1 with Fabric Loader 0.16.14'
if [ -e mods/broken.jar ]; then
  echo '[12:00:01] [main/ERROR]: Incompatible mods found!'
  echo "	 - Install fabric-api, any version."
  exec sleep 1000
fi
if [ -e mods/crash.jar ]; then echo 'out of memory'; exit 3; fi
if [ -e mods/silent.jar ]; then exec sleep 1000; fi
export GAME_PASSWORD=$(sed -n 's/^rcon.password=//p' server.properties)
exec ${process.execPath} ${simulator} --game minecraft --port $(sed -n 's/^rcon.port=//p' server.properties)
`;

const properties = [
  'server-port=25565',
  'query.port=25565',
  'enable-query=true',
  'rcon.port=25575',
  'rcon.password=of-the-live-server',
  'enable-rcon=true',
  'online-mode=true',
  'level-name=world',
  'motd=Grüße',
];

const quick = { pollMs: 50, shutdownMs: 10_000, terminateMs: 5000 };

export const openRehearsedServer = async () => {
  const outer = await temporaryFolder('rehearsal');
  const folder = join(outer.path, 'Überleben server');
  const stateFolder = join(outer.path, 'state');
  for (const path of ['world/region', 'mods', 'logs', 'config', 'libraries/net'])
    await mkdir(join(folder, path), { recursive: true });
  await mkdir(stateFolder);
  const files: Record<string, string> = {
    'server.properties': `${properties.join('\n')}\n`,
    'eula.txt': 'eula=true\n',
    'mods/old.jar': 'old',
    'mods/stays.jar': 'stays',
    'config/mod.toml': 'a=1',
    'world/level.dat': 'world',
    'world/session.lock': 'locked',
    'world/region/r.0.0.mca': 'region',
    'logs/latest.log': 'x',
    'libraries/net/a.jar': 'library',
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  await writeFile(join(folder, 'start.sh'), script(outer.path));
  await chmod(join(folder, 'start.sh'), 0o755);
  const config: RehearsedConfig = {
    game: 'minecraft',
    stateFolder,
    server: {
      folder,
      start: { by: 'holder', command: ['./start.sh'], account: null },
      allow: { power: true, files: false, mods: true },
    },
    saves: { nightlyAtMinute: null, keep: 7, days: 30, folder: join(stateFolder, 'backups'), from: null },
  };
  const starts = async () =>
    (await readFile(join(outer.path, 'starts'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ pid: Number(line.split(' ')[0]), folder: line.slice(line.indexOf(' ') + 1) }));
  onTestFinished(async () => {
    await endRehearsal(stateFolder, ownWorker);
    await outer[Symbol.asyncDispose]();
  });
  const stage = async (name: string) => {
    const fresh = join(outer.path, name);
    await writeFile(fresh, 'new');
    return fresh;
  };
  const everything = async () => {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    const read = all
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const { mtimeMs, mode } = await stat(path);
        return [path, mtimeMs, mode, await readFile(path, 'utf8')];
      });
    return (await Promise.all(read)).sort();
  };
  const options = (
    moves: RehearsalOptions['moves'],
    more: Partial<RehearsalOptions> = {},
  ): RehearsalOptions => ({
    config,
    worker: ownWorker,
    moves,
    holderProgram,
    timing: quick,
    run: null,
    watch: { readySeconds: 60, watchSeconds: 1 },
    signal: new AbortController().signal,
    onStep: () => undefined,
    ...more,
  });
  const seenByGame = (name: 'contents' | 'properties') => readFile(join(outer.path, name), 'utf8');
  return { folder, stateFolder, config, starts, stage, everything, options, seenByGame };
};

export const nothingLeft = async (it: Awaited<ReturnType<typeof openRehearsedServer>>) => {
  expect(await readdir(it.folder)).not.toContain(copyName);
  expect(await readdir(it.stateFolder)).not.toContain('rehearsal');
  expect((await it.starts()).filter(({ pid }) => isAlive(pid))).toEqual([]);
};
