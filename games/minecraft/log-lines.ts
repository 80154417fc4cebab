import type { LineSeverity } from '#contracts/console.ts';
import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { undecorated } from './names.ts';
import { readPluginAnswer } from './plugin-answers.ts';

/** `[12:34:56] [Server thread/INFO]: `, with a logger's name after it on Forge, or `[12:34:56 INFO]: ` on a Paper console. */
const stamp = /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )INFO\](?: \[[^\]]{1,120}\])?: (?<said>.*)$/;
const chat = /^(?:\[Not Secure\] )?<(?<name>[^<>]{1,80})> (?<text>.+)$/;
/** The bare name, and nothing before it: a decorated one could be a player's chat (`[Steve] Bob joined the game`). */
const comingAndGoing =
  /^(?<name>[.+-]?\w{1,16})(?: \(formerly known as \w{1,16}\))? (?<what>joined|left) the game$/;

/** Players' ids are on separate lines, so they are not known here. */
export const readLogLine = (line: string): LogObservation | null => {
  const said = stamp.exec(plainLogLine(line) ?? '')?.groups?.said;
  if (said === undefined) return null;
  const spoken = chat.exec(said)?.groups;
  if (spoken?.name !== undefined && spoken.text !== undefined)
    return { kind: 'chat', player: named(undecorated(spoken.name)), text: spoken.text };
  const { name, what } = comingAndGoing.exec(said)?.groups ?? {};
  if (name === undefined) return null;
  return { kind: what === 'joined' ? 'join' : 'leave', player: named(name) };
};

/** `[12:34:56] [Server thread/WARN]: `, and `[12:34:56 ERROR]: ` on a Paper console. */
const level = /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )(?<level>WARN|ERROR|FATAL)\]/;

export const severityOf = (line: string): LineSeverity | null => {
  const found = level.exec(plainLogLine(line) ?? '')?.groups?.level;
  if (found === undefined) return null;
  return found === 'WARN' ? 'warn' : 'error';
};

/** Also `[06May2020 12:34:56.789]`, as Forge writes it into its file. */
const ownTime =
  /^\[(?:\d{1,2}\w{3}\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:\] (?:\[[^\]]{1,80}\/INFO\](?: \[[^\]]{1,120}\])?: )?| INFO\]: )/;

export const stampLength = (line: string): number => ownTime.exec(line)?.[0].length ?? 0;

const sayCommand = /^\/?(?:minecraft:)?say (?<text>.+)$/;

/** `say` is repeated in the log and has no reply. */
export const readLogAnswer = (command: string) => {
  const text = sayCommand.exec(command)?.groups?.text;
  if (text === undefined) return readPluginAnswer(command);
  const answer = `[Rcon] ${text.trim()}`;
  return (line: string): string | null =>
    stamp.exec(plainLogLine(line) ?? '')?.groups?.said === answer ? answer : null;
};

const named = (name: string) => ({ name, platformId: null });
