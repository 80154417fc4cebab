import type { RestRequest } from '../rest/ask-server.ts';

/**
 * The API's endpoints as commands: the last part of the path, then its fields in this order, the message last and with all its
 * spaces. https://docs.palworldgame.com/api/rest-api/palwold-rest-api
 *
 *     info | players | settings | metrics
 *     announce MESSAGE
 *     kick USERID [MESSAGE]
 *     ban USERID [MESSAGE]
 *     unban USERID
 *     save | stop
 *     shutdown SECONDS [MESSAGE]
 *
 * Every part of a line ends up in one field of one JSON body, so nothing in a text can become a second command.
 */
type Form = (rest: string) => RestRequest['body'] | 'none' | null;

const nothing: Form = (rest) => (rest === '' ? 'none' : null);

const message: Form = (rest) => (rest === '' ? null : { message: rest });

const player: Form = (rest) => (/^\S{1,100}$/.test(rest) ? { userid: rest } : null);

const playerAndMessage: Form = (rest) => {
  const [, userid, said] = /^(\S{1,100})(?: +(.+))?$/.exec(rest) ?? [];
  if (userid === undefined) return null;
  return said === undefined ? { userid } : { userid, message: said };
};

const secondsAndMessage: Form = (rest) => {
  const [, seconds, said] = /^(\d{1,5})(?: +(.+))?$/.exec(rest) ?? [];
  if (seconds === undefined) return null;
  return said === undefined ? { waittime: Number(seconds) } : { waittime: Number(seconds), message: said };
};

const questions: ReadonlySet<string> = new Set(['info', 'players', 'settings', 'metrics']);
const acts: ReadonlyMap<string, Form> = new Map([
  ['announce', message],
  ['kick', playerAndMessage],
  ['ban', playerAndMessage],
  ['unban', player],
  ['save', nothing],
  ['stop', nothing],
  ['shutdown', secondsAndMessage],
]);

/** Null: the game has no such command, or something is missing. */
export const requestOf = (command: string): RestRequest | null => {
  const [, typed = '', rest = ''] = /^\s*(\S+)(?:\s+(.*))?$/.exec(command.trimEnd()) ?? [];
  const word = typed.toLowerCase();
  const path = `/v1/api/${word}`;
  if (questions.has(word)) return rest === '' ? { method: 'GET', path } : null;
  const body = acts.get(word)?.(rest) ?? null;
  if (body === null) return null;
  return body === 'none' ? { method: 'POST', path } : { method: 'POST', path, body };
};
