import type { Refusal } from '../reply-reading.ts';

const absent = 'The player is not on the server.';
const misread = 'The game does not understand this command.';

export const refusals: readonly Refusal[] = [
  { sign: /Playername or entity id not found\./i, verdict: 'later', reason: absent },
  { sign: /^".*" is not a valid entity id, player name or user id\./m, verdict: 'later', reason: absent },
  {
    sign: /^".*" is not a valid user id\./m,
    verdict: 'failed',
    reason: 'The game does not know ids of this kind.',
  },
  {
    sign: /Multiple matches found/,
    verdict: 'failed',
    reason: 'The game knows several players of this name.',
  },
  { sign: /Wrong number of arguments, expected /, verdict: 'failed', reason: misread },
  {
    sign: /\*\*\* ERROR: unknown command '/,
    verdict: 'failed',
    reason: 'The game does not know this command.',
  },
];
