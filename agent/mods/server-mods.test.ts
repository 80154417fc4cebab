import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModItem, ModsChange } from '#contracts/servers/agent-mods.ts';
import { modsList } from '#contracts/servers/agent-mods.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { nothingSet } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import type { AgentConfig } from '../configuration/config.ts';
import { modsConfig } from '../configuration/mods-section.ts';
import { savesConfig } from '../configuration/saves-section.ts';
import { holderProgram, noConsole } from '../power/testing/test-power.ts';
import { ownWorker } from './folder/folder-worker.ts';
import { createGameLines } from './game-lines.ts';
import { copyName } from './rehearsal/copy-paths.ts';
import { serverModsHandlers } from './server-mods.ts';
import { changeTurn } from './settle-mods.ts';
import { modFilesFrom, openModLibrary } from './testing/mod-library.ts';
import { filesBelow, plainChange } from './testing/modded-server.ts';

const simulator = resolve(import.meta.dirname, '../../tests/simulators/main.ts');

const openServer = async (game: AgentConfig['game'], command: [string, ...string[]], more: object = {}) => {
  const folder = await temporaryFolder('server-mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const root = join(folder.path, 'game');
  const stateFolder = join(folder.path, 'state');
  await mkdir(root);
  await mkdir(join(stateFolder, 'mods'), { recursive: true });
  const config: AgentConfig = {
    apiUrl: new URL('http://127.0.0.1:9'),
    certificatePins: [],
    useWebSocket: true,
    serverId: 'server-1',
    secret: new Secret('a-secret-long-enough'),
    game,
    console: null,
    logFile: null,
    stateFolder,
    history: { days: 7, megabytes: 50 },
    server: {
      folder: root,
      start: { by: 'holder', command, account: null },
      allow: { power: false, files: false, mods: true },
    },
    survivorsFolder: null,
    saves: savesConfig(undefined, stateFolder, stateFolder),
    mods: { ...modsConfig(undefined, stateFolder, stateFolder), ...more },
    outside: nothingSet,
  };
  const library = await openModLibrary(join(folder.path, 'library'));
  const handlers = serverModsHandlers({
    config,
    files: modFilesFrom(library.folder),
    power: null,
    console: noConsole,
    holderProgram,
    lines: createGameLines(),
    maskLine: (line: string) => line.replaceAll('hunter2', '***'),
    backUp: async () => undefined,
    turn: changeTurn(),
    worker: ownWorker,
    log: createLog({ component: 'agent', destination: { write: () => undefined } }),
  });
  const { signal } = new AbortController();
  const uploads: Buffer[] = [];
  const run = {
    id: 'task-1',
    signal,
    cancelled: signal,
    stopping: signal,
    progress: () => undefined,
    upload: async (content: Buffer) => void uploads.push(content),
  };
  return {
    root,
    stateFolder,
    library,
    path: folder.path,
    change: (change: Partial<ModsChange>) =>
      handlers?.['change-mods']?.run({ kind: 'change-mods', change: { ...plainChange, ...change } }, run),
    async list() {
      expect(await handlers?.['list-mods']?.run({ kind: 'list-mods' }, run)).toEqual({
        outcome: 'done',
        detail: null,
        value: null,
      });
      return modsList.parse(JSON.parse(uploads.at(-1)?.toString() ?? ''));
    },
  };
};

// Guarantee: a set that does not come up in the rehearsal never reaches the server, and the reason is reported without secrets.
test('a change with a rehearsal', { timeout: 90_000 }, async () => {
  const it = await openServer('minecraft', ['./start.sh']);
  await mkdir(join(it.root, 'world'));
  await writeFile(join(it.root, 'world/level.dat'), 'world');
  await writeFile(join(it.root, 'fabric-server-launch.jar'), 'launcher');
  await writeFile(join(it.root, 'server.properties'), 'server-port=25565\nrcon.port=25575\n');
  const start = `#!/bin/bash
if ls mods | grep -q Bad; then echo "the password is hunter2"; echo 'no such class'; exit 1; fi
export GAME_PASSWORD=$(sed -n 's/^rcon.password=//p' server.properties)
exec ${process.execPath} ${simulator} --game minecraft --port $(sed -n 's/^rcon.port=//p' server.properties)
`;
  await writeFile(join(it.root, 'start.sh'), start);
  await chmod(join(it.root, 'start.sh'), 0o755);
  expect(await it.list()).toMatchObject({ loader: 'fabric', obstacle: null, rehearsalObstacle: null });
  const before = await filesBelow(it.root);
  const watch = { readySeconds: 60, watchSeconds: 0 };
  const bad = await it.change({ put: [await it.library.jar('Bad', '1')], rehearse: true, watch });
  expect(bad).toMatchObject({
    outcome: 'failed',
    value: {
      set: 'old',
      failedAt: 'rehearse',
      lines: expect.arrayContaining(['the password is ***', 'no such class']),
    },
  });
  expect(await filesBelow(it.root)).toEqual(before);
  const good = await it.change({ put: [await it.library.jar('Good', '1')], rehearse: true, watch });
  expect(good).toMatchObject({ outcome: 'done', value: { set: 'new' } });
  const after = await filesBelow(it.root);
  expect(Object.keys(after).filter((path) => !(path in before))).toEqual(['mods/Good-1.jar']);
  expect(Object.keys(after).join()).not.toContain(copyName);
});

const workshopItem = (id: string): ModItem => ({
  key: `steam:${id}`,
  source: 'steam',
  project: id,
  version: null,
  name: id,
  versionName: null,
  form: 'id',
  folder: null,
  file: null,
  byName: 'owner',
});

/** Stands in for steamcmd: it has every item but 111. */
const steamcmd = `#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    +force_install_dir) into=$2; shift;;
    +workshop_download_item) id=$3; shift 2;;
  esac
  shift
done
if [ "$id" = 111 ]; then printf 'ERROR! Download item 111 failed (File Not Found).Unloading'; exit 0; fi
mkdir -p "$into/steamapps/workshop/content/346110/$id"
echo x > "$into/steamapps/workshop/content/346110/$id/mod.info"
printf 'Success. Downloaded item %s to "x" (2 bytes) Unloading' "$id"
`;

// Guarantee: an id that Steam does not provide changes nothing, and is named; others get into the game's list.
test('ids of the Workshop, tried by steamcmd', async () => {
  const folder = await temporaryFolder('steamcmd');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const program = join(folder.path, 'steamcmd.sh');
  await writeFile(program, steamcmd, { mode: 0o755 });
  const command: [string, ...string[]] = ['./ShooterGameServer', 'TheIsland?listen', '-automanagedmods'];
  const it = await openServer('ark-se', command, { steamcmd: program });
  const settings = join(it.root, 'ShooterGame/Saved/Config/LinuxServer/GameUserSettings.ini');
  await mkdir(join(settings, '..'), { recursive: true });
  await writeFile(settings, '[ServerSettings]\r\nRCONPort=27020\r\n');
  const bad = await it.change({ put: [workshopItem('111'), workshopItem('731604991')] });
  expect(bad?.outcome).not.toBe('done');
  expect(bad?.detail).toContain('111: Steam says: File Not Found.');
  expect(bad?.detail).not.toContain('731604991');
  expect(await readFile(settings, 'utf8')).toBe('[ServerSettings]\r\nRCONPort=27020\r\n');
  expect(await it.change({ put: [workshopItem('731604991')] })).toMatchObject({ outcome: 'done' });
  expect(await readFile(settings, 'utf8')).toBe(
    '[ServerSettings]\r\nActiveMods=731604991\r\nRCONPort=27020\r\n',
  );
  expect((await it.list()).rehearsalObstacle).toContain('is not rehearsed');
});
