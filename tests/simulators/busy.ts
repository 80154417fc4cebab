import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './world.ts';

const names = [
  'Heron',
  'Otter',
  'Badger',
  'Kestrel',
  'Marten',
  'Plover',
  'Lynx',
  'Dunlin',
  'Stoat',
  'Wagtail',
];
const phrases = [
  'hello',
  'anyone near the lake?',
  'trading iron for wood',
  'watch out, it is getting dark',
  'thanks!',
  'brb',
  'nice base',
  'wo seid ihr? ☕',
];
const pick = <T>(choices: readonly T[]): T | undefined => choices[randomInt(Math.max(choices.length, 1))];

export const joinFirst = (world: World, count: number): void => {
  for (const name of names.slice(0, count)) world.join(name);
};
export const mostPlayers = names.length;

/** Players join, chat and leave until `stopping`, at most one action per `everyMs`. Banned players stay away. */
export const keepBusy = async (world: World, everyMs: number, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    await delay(randomInt(Math.ceil(everyMs / 2), everyMs + 1), undefined, { signal: stopping }).catch(
      () => undefined,
    );
    if (!stopping.aborted) happen(world);
  }
};

const happen = (world: World) => {
  const online = world.players;
  const away = names.filter((name) => world.mayJoin(name));
  const dice = randomInt(10);
  const someone = pick(online);
  const newcomer = pick(away);
  if (dice < 2 && newcomer && online.length < names.length / 2) world.join(newcomer);
  else if (dice < 3 && someone && online.length > 1) world.leave(someone.name);
  else if (someone) world.chat(someone.name, pick(phrases) ?? '');
};
