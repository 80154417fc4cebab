import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ModItem, ModsChange } from '#contracts/servers/agent-mods.ts';
import { eventually } from '#harness/eventually.ts';
import type { TestAccount } from '#harness/test-account.ts';
import { signalProcess } from '#runtime/live-process.ts';
import { seeded } from '../power-kills/held-server.ts';
import { type ModdedHeldServer, startModdedHeldServer } from './modded-held-server.ts';

export interface KillsOptions {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
  /** Owner of the game and its folder: the agent, as root, works there through a process with its rights, which is killed, too. */
  readonly account?: TestAccount;
  readonly say: (line: string) => void;
}

export interface KillsOutcome {
  readonly seed: number;
  readonly kills: number;
  /** How the changes ended, by the killed process. */
  readonly ends: Readonly<Record<string, number>>;
  /** Readable descriptions of cases with neither the old set nor the new one, or not the one that the result names. */
  readonly wrong: readonly string[];
}

type Files = Record<string, string>;

/** Installs, updates and removes mods repeatedly while the agent, the game or both are killed with -9 at random instants. */
export const runKills = async ({
  folder,
  kills,
  seed,
  account,
  say,
}: KillsOptions): Promise<KillsOutcome> => {
  const random = seeded(seed);
  const targets = ['agent', 'game', 'both', ...(account ? (['worker'] as const) : [])] as const;
  await using it = await startModdedHeldServer(folder, account);
  const acts = await prepareActs(it);
  const ends: Record<string, number> = {};
  const wrong: string[] = [];
  let at = 0;
  let wholeMs = 5000;
  await it.isUp();
  const bare = await it.files();
  for (let kill = -acts.length; kill < kills; kill += 1) {
    const act = acts[at % acts.length];
    if (!act) throw new Error('no change to make');
    const old = await it.files();
    const wanted = { ...act.wanted(bare) };
    const base = await it.revision();
    const target = kill < 0 ? 'nothing' : targets[Math.floor(random() * targets.length)];
    const beganMs = performance.now();
    const id = it.send({ ...act.change, base });
    if (target !== 'nothing') {
      await delay(random() * wholeMs * 1.05);
      if (target === 'worker') await killWorkers(it);
      const isAgent = target === 'agent' || target === 'both';
      if (isAgent) {
        it.server.agent().kill('SIGKILL');
        await it.server.agent().exited;
      }
      if (target === 'game' || target === 'both') await killGame(it);
      if (isAgent) it.server.startAgent();
    }
    const { outcome, changed, detail } = await it.resultOf(id);
    if (target === 'nothing')
      wholeMs = Math.max(kill === -acts.length ? 0 : wholeMs, performance.now() - beganMs);
    await it.isUp();
    const now = await it.files();
    const is = isDeepStrictEqual(now, wanted) ? 'new' : isDeepStrictEqual(now, old) ? 'old' : 'mixture';
    const revision = await it.revision();
    const mods = Object.keys(now).flatMap((path) => /^mods\/(.+)$/.exec(path)?.[1] ?? []);
    // The console's last answer may come from the previous game process.
    const loaded = await eventually(async () => {
      const names = await it.loaded();
      if (!isDeepStrictEqual(names, mods.sort())) throw new Error(`loaded: ${names.join()}`);
      return names;
    }, 15_000).catch(() => it.loaded());
    const isTold = is === changed?.set && revision === changed.revision;
    const isWhole = revision === (is === 'new' ? base + 1 : base) && isDeepStrictEqual(loaded, mods.sort());
    if (!isTold || !isWhole)
      wrong.push(
        `${act.name}, ${target} killed: ${is} on the disk, ${JSON.stringify(changed)} (${outcome}: ${detail}), revision ${revision} from ${base}, loaded ${loaded.join()}`,
      );
    const end = `${target}: ${is}`;
    ends[end] = (ends[end] ?? 0) + 1;
    if (is === 'new') at += 1;
    if (kill % 10 === 0)
      say(`${kill} of ${kills}: ${JSON.stringify(ends)}${wrong.length > 0 ? ` WRONG ${wrong.length}` : ''}`);
  }
  return { seed, kills, ends, wrong };
};

/** Does nothing if the game is down. */
const killGame = async (it: ModdedHeldServer): Promise<void> => {
  const record = await it.server.record().catch(() => null);
  if (!record?.game || record.ended) return;
  try {
    process.kill(record.game.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Does nothing if no process works in the folder. */
const killWorkers = async ({ stateFolder }: ModdedHeldServer): Promise<void> => {
  const names = await readdir(join(stateFolder, 'mods/workers')).catch(() => []);
  for (const name of names) signalProcess(Number(name.replace('.json', '')), 'SIGKILL');
};

interface Act {
  readonly name: string;
  readonly change: Partial<ModsChange>;
  /** @param bare the server's files without the test's mods */
  readonly wanted: (bare: Files) => Files;
}

const prepareActs = async ({ library }: ModdedHeldServer): Promise<readonly Act[]> => {
  const ids = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'];
  const jars = (version: string) => Promise.all(ids.map((id) => library.jar(id, version, 200_000)));
  const [first, second] = [await jars('1'), await jars('2')];
  const pack = await library.archive('Pack', '1', 'pack', {
    'mods/pack-core.jar': 'pack core',
    'config/pack/settings.toml': 'x = 1',
    'config/pack/deep/er/file.json': '{}',
  });
  const placed = (items: readonly ModItem[]): Files =>
    Object.fromEntries(
      items.map(({ file }): [string, string] => [`mods/${file?.name}`, file?.hashes.sha512 ?? '']),
    );
  const of = (text: string) => createHash('sha512').update(text).digest('hex');
  const packed: Files = {
    'mods/pack-core.jar': of('pack core'),
    'config/pack/settings.toml': of('x = 1'),
    'config/pack/deep/er/file.json': of('{}'),
  };
  const [alpha, beta] = second;
  if (!alpha || !beta) throw new Error('no mods');
  const updated = [alpha, beta, ...first.slice(2)];
  return [
    {
      name: 'install',
      change: { put: [...first, pack], backup: true },
      wanted: (bare) => ({ ...bare, ...placed(first), ...packed }),
    },
    {
      name: 'update',
      change: { put: [alpha, beta], remove: ['modrinth:Zeta'] },
      wanted: (bare) => ({ ...bare, ...placed(updated.slice(0, -1)), ...packed }),
    },
    {
      name: 'removal',
      change: { remove: [...ids.slice(0, -1), 'Pack'].map((id) => `modrinth:${id}`) },
      wanted: (bare) => bare,
    },
  ];
};
