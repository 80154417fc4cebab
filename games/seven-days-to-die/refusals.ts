import { reasons } from '#contracts/kernel/reasons.ts';
import { beginsWith, type Refusal } from '../reply-reading.ts';

const absent = reasons['player-absent'];
const misread = reasons['command-misread'];

export const refusals: readonly Refusal[] = [
  { sign: /Playername or entity id not found\./i, verdict: 'later', reason: absent },
  { sign: /^".*" is not a valid entity id, player name or user id\./m, verdict: 'later', reason: absent },
  {
    sign: /^".*" is not a valid user id\./m,
    verdict: 'failed',
    reason: reasons['id-kind-unknown'],
  },
  {
    sign: /Multiple matches found/,
    verdict: 'failed',
    reason: reasons['name-ambiguous'],
  },
  { sign: /Wrong number of arguments, expected /, verdict: 'failed', reason: misread },
  {
    sign: /\*\*\* ERROR: unknown command '/,
    verdict: 'failed',
    reason: reasons['command-unknown'],
  },
];

/** Whatever the command, the console begins each of its own errors with these stars, as in `*** ERROR: Executing command 'ban' failed`. */
const errorSigns = [...refusals.map(({ sign }) => sign), /\*\*\* ERROR: /];

export const isErrorReply = (reply: string): boolean => beginsWith(reply, errorSigns);
