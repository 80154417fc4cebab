import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModsChange, type ModsChanged, modsChanged } from '#contracts/servers/agent-mods.ts';
import { type AgentTask, agentTask, type TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import type { TestAccount } from '#harness/test-account.ts';
import { giveFolder } from '../../agent/configuration/as-owner.ts';
import { readManifest } from '../../agent/mods/manifest.ts';
import { type ModLibrary, openModLibrary } from '../../agent/mods/testing/mod-library.ts';
import { filesBelow, plainChange } from '../../agent/mods/testing/modded-server.ts';
import { type ApiPeer, startApiPeer } from '../../agent/testing/api-peer.ts';
import { type HeldServer, startHeldServer } from '../power-kills/held-server.ts';

export interface ModdedHeldServer extends AsyncDisposable {
  readonly server: HeldServer;
  readonly library: ModLibrary;
  readonly peer: ApiPeer;
  /** The game's folder. */
  readonly folder: string;
  readonly stateFolder: string;
  /** @returns the id of the task */
  send(change: Partial<ModsChange>): string;
  power(action: 'start' | 'stop'): Promise<TaskResult>;
  resultOf(id: string): Promise<TaskResult & { readonly changed: ModsChanged | null }>;
  files(): Promise<Record<string, string>>;
  revision(): Promise<number>;
  /** The mods that the running game has loaded. */
  loaded(): Promise<string[]>;
  /** Waits until the game answers on its console and is reported as running. */
  isUp(): Promise<void>;
}

const password = 'simulated-admin-password';
const resultMs = 90_000;

/** @param account owner of the game and its folder; default: the agent's own */
export const startModdedHeldServer = async (
  folder: string,
  account?: TestAccount,
): Promise<ModdedHeldServer> => {
  const library = await openModLibrary(join(folder, 'library'));
  const game = join(folder, 'game');
  await mkdir(join(game, 'world'), { recursive: true });
  await writeFile(join(game, 'fabric-server-launch.jar'), 'launcher');
  await writeFile(join(game, 'world/level.dat'), 'world');
  if (account) {
    // The game writes it next to its mods folder.
    await writeFile(join(folder, 'loaded.json'), '[]');
    await chown(join(folder, 'loaded.json'), account.uid, account.gid);
    await giveFolder(game, account);
  }
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const port = await freePort();
  const peer = await startApiPeer();
  const server = await startHeldServer({
    folder,
    apiUrl: peer.url,
    command: [
      process.execPath,
      join(import.meta.dirname, 'modded-game.ts'),
      ...['--game', 'minecraft', '--port', String(port), '--password-file', passwordFile, '--echo'],
    ],
    console: { port, password },
    library: library.folder,
    ...(account && { account: account.name }),
  });
  let sent = 0;
  const resultFrame = (id: string) =>
    peer.heard.map(({ frame }) => frame).find((frame) => frame.type === 'task-result' && frame.taskId === id);
  const send = (wanted: unknown): string => {
    sent += 1;
    const id = `task-${sent}`;
    const task: AgentTask = agentTask.parse(wanted);
    const say = () => {
      const isKnown = peer.heard.some(
        ({ frame }) =>
          (frame.type === 'tasks-accepted' && frame.taskIds.includes(id)) ||
          (frame.type === 'task-result' && frame.taskId === id),
      );
      if (isKnown) clearInterval(saying);
      else if (peer.sockets.size > 0) peer.say({ v: 1, type: 'task', id, task, expiresInMs: 600_000 });
    };
    const saying = setInterval(say, 100);
    say();
    return id;
  };
  const resultOf = (id: string, isChange: boolean) =>
    eventually(() => {
      const frame = resultFrame(id);
      if (frame?.type !== 'task-result')
        throw new Error(`no result of ${id}; the agent said: ${server.agent().stderr().slice(-3000)}`);
      const { result } = frame;
      if (peer.sockets.size > 0) peer.say({ v: 1, type: 'tasks-received', taskIds: [id] });
      return { ...result, changed: isChange && result.value ? modsChanged.parse(result.value) : null };
    }, resultMs);
  return {
    server,
    library,
    peer,
    folder: game,
    stateFolder: folder,
    send: (change) => send({ kind: 'change-mods', change: { ...plainChange, ...change } }),
    async power(action) {
      const { changed: _, ...result } = await resultOf(
        send({ kind: 'power', action, countdown: null }),
        false,
      );
      return result;
    },
    resultOf: (id) => resultOf(id, true),
    files: () => filesBelow(game),
    revision: async () => (await readManifest(folder)).revision,
    loaded: async () => JSON.parse(await readFile(join(folder, 'loaded.json'), 'utf8')),
    isUp() {
      const from = peer.heard.length;
      return eventually(() => {
        const { frame } = peer.heard.slice(from).findLast((one) => one.frame.type === 'heartbeat') ?? {};
        if (frame?.type !== 'heartbeat' || frame.state !== 'online') throw new Error('the game is not up');
      }, resultMs);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
};
