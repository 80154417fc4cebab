import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { GameId } from '#contracts/servers/games.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { startArk } from '../simulators/ark-simulator.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';
import type { Fate } from '../simulators/quirks.ts';
import { startSevenDays } from '../simulators/seven-days-simulator.ts';
import type { Simulator, SimulatorOptions } from '../simulators/simulator.ts';
import type { Gift } from './fault-game.ts';

/** A message from the fault test to a game over IPC; the first one starts it. */
export type GameMessage =
  | {
      readonly type: 'start';
      readonly game: GameId;
      readonly port: number;
      readonly password: string;
      /** Gets a line for each gift that reached a player, before its reply is sent. */
      readonly recordFile: string;
      readonly levelFile: string;
      readonly autosaveMs: number;
      /** Shares of all gifts, 0 to 1. */
      readonly lostAnswers: number;
      readonly slowAnswers: number;
      readonly seed: number;
    }
  | { readonly type: 'join'; readonly name: string; readonly numericId: number }
  | { readonly type: 'leave'; readonly name: string };

const slowestMs = 6000;
const leastSlowMs = 700;
const lost: readonly Fate[] = ['die-after', 'die-after', 'cut', 'silence', 'die-before'];

const start = async (message: Extract<GameMessage, { type: 'start' }>): Promise<Simulator> => {
  const { game, port, password, recordFile, levelFile, autosaveMs, lostAnswers, slowAnswers } = message;
  const random = randomOf(message.seed);
  const isGift = (command: string) => /\bgive/i.test(command);
  /** Of the command that is being executed. */
  let isLost = false;
  const fateOf = (command: string): Fate => {
    isLost = isGift(command) && random() < lostAnswers;
    return isLost ? pickFrom(lost, random) : 'answer';
  };
  const beforeReply = (command: string) =>
    isGift(command) && random() < slowAnswers
      ? delay(leastSlowMs + random() * (slowestMs - leastSlowMs))
      : null;
  const options: SimulatorOptions = {
    port,
    password,
    quirks: { fateOf, beforeReply },
    // In the tick of the gift: if a kill prevents the line, the gift did not happen either, since no reply reports it.
    onGiven: ({ player, item, quantity }) =>
      appendFileSync(recordFile, `${JSON.stringify({ player, item, quantity, isLost } satisfies Gift)}\n`),
  };
  // After a restart of the game, the port may belong to another server's program.
  if (game === 'minecraft')
    return startMinecraft({
      ...options,
      quirks: { fateOf, beforeReply, tellsForks: random() < 0.5 },
      levelFile,
      autosaveMs,
    });
  if (game === 'seven-days-to-die') return startSevenDays(options);
  return startArk({ ...options, variant: game === 'ark-se' ? 'se' : 'asa' });
};

let simulator: Simulator | undefined;

process.on('message', async (message: GameMessage) => {
  if (message.type === 'start') {
    simulator = await start(message);
    process.send?.('ready');
  } else if (message.type === 'join') {
    if (simulator?.world.mayJoin(message.name))
      simulator.world.join(message.name, { numericId: message.numericId });
  } else if (simulator?.world.named(message.name)) simulator.world.leave(message.name);
});
process.on('disconnect', () => process.exit(0));
