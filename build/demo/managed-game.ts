import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { endWithin, signalProcess } from '#runtime/live-process.ts';
import type { ApiCaller } from './api-caller.ts';

/** The game that the demo's agent manages: a separate process, which the agent starts and stops. */
interface ManagedGame {
  /** The server's entry in the agent's configuration. */
  readonly server: object;
  /** Call it once the agent is there. Null until the game runs: call it again. @returns the game's process ID */
  start(): Promise<number | null>;
  /** Stops it the way a person does in the panel, so that the next start of the demo finds no crash. */
  stop(): Promise<void>;
  /** Ends what is left of it once its agent has ended. */
  end(): Promise<void>;
}

const fabricFiles = [
  'fabric-server-launch.jar',
  'libraries/net/fabricmc/fabric-loader/0.16.14/fabric-loader-0.16.14.jar',
  'versions/1.21.1/server-1.21.1.jar',
];
const patienceMs = 4000;
const pollMs = 100;
const upStates: readonly string[] = ['starting', 'running'];
const holderRecord = z.object({
  holder: z.object({ pid: z.int() }),
  game: z.object({ pid: z.int() }).nullable(),
  /** Null while the game runs. */
  ended: z.object({}).nullable(),
});

export const prepareManagedGame = async (options: {
  readonly api: Pick<ApiCaller, 'callWith'>;
  readonly serverId: string;
  /** The agent's folder, with its state. */
  readonly folder: string;
  /** Program and arguments; it must end together with this process. */
  readonly command: readonly string[];
}): Promise<ManagedGame> => {
  const { api, serverId, command } = options;
  const folder = join(options.folder, 'quarry');
  const world = join(folder, 'world');
  await mkdir(world, { recursive: true });
  // This tells the agent which folder to back up.
  await writeFile(join(folder, 'server.properties'), `level-name=${basename(world)}\n`);
  await writeFile(join(world, 'level.dat'), 'A simulated world.\n', { flag: 'a' });
  // What Fabric's installer leaves: it tells the agent for which loader and version to choose mods.
  for (const file of fabricFiles) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '', { flag: 'a' });
  }

  const params = { serverId };
  const read = () => api.callWith(powerHttp.read, params);
  /** In this run; a process ID that an earlier run wrote down may belong to another process now. */
  let hasStarted = false;
  const stateOf = ({ process }: ServerPower) => process?.report.state ?? null;
  return {
    server: {
      folder,
      start: { by: 'holder', command: [...command, '--level-file', join(world, 'level.json')] },
      allow: { power: true, files: true, mods: true, backups: true },
    },
    async start() {
      const power = await read();
      if (power.obstacle !== null) return null;
      const state = stateOf(power);
      if (state !== null && state !== 'stopped') hasStarted = true;
      if (state === 'running') return power.process?.report.pid ?? null;
      if ((state === 'stopped' || state === 'crash-looping') && !power.act)
        await api.callWith(powerHttp.act, params, { action: 'start' });
      return null;
    },
    async stop() {
      if (!upStates.includes(stateOf(await read()) ?? '')) return;
      await api.callWith(powerHttp.act, params, { action: 'stop', countdownSeconds: 0 });
      for (const until = performance.now() + patienceMs; performance.now() < until; await delay(pollMs))
        if (stateOf(await read()) === 'stopped') return;
    },
    async end() {
      const text = await readFile(join(options.folder, 'power', 'holder.json'), 'utf8').catch(() => null);
      if (text === null || !hasStarted) return;
      const { holder, game, ended } = holderRecord.parse(JSON.parse(text));
      const pids = [holder.pid, ...(game && !ended ? [game.pid] : [])];
      // Its holder ends with it.
      if (game && !ended) signalProcess(game.pid, 'SIGKILL');
      if (await endWithin(pids, patienceMs)) return;
      for (const pid of pids) signalProcess(pid, 'SIGKILL');
    },
  };
};
