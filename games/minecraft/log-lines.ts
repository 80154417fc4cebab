import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { undecorated } from './names.ts';

/** `[12:34:56] [Server thread/INFO]: `, with a logger's name after it on Forge, or `[12:34:56 INFO]: ` on a console of Paper. */
const stamp = /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )INFO\](?: \[[^\]]{1,120}\])?: (?<said>.*)$/;
const chat = /^(?:\[Not Secure\] )?<(?<name>[^<>]{1,80})> (?<text>.+)$/;
/** The bare name, and nothing before it: a decorated one could be what somebody said (`[Steve] Bob joined the game`). */
const comingAndGoing =
  /^(?<name>[.+-]?\w{1,16})(?: \(formerly known as \w{1,16}\))? (?<what>joined|left) the game$/;

/** Players' ids stand on lines of their own, so that they are not known here. */
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

const sayCommand = /^\/?(?:minecraft:)?say (?<text>.+)$/;

/** `say` is repeated in the log and answers nothing. */
export const readLogAnswer = (command: string) => {
  const text = sayCommand.exec(command)?.groups?.text;
  if (text === undefined) return null;
  const answer = `[Rcon] ${text.trim()}`;
  return (line: string): string | null =>
    stamp.exec(plainLogLine(line) ?? '')?.groups?.said === answer ? answer : null;
};

const named = (name: string) => ({ name, platformId: null });
